/**
 * A page of a bank's list, for sweeps and reconciliations. A sweep needs the references of possible
 * payments, a reconciliation needs statement lines. Pure.
 */

import { word } from '../../providers/http/reply-fields.ts';
import type { LinesPage, StatementLine, StatementState } from '../../providers/statements/statement-line.ts';
import type { PaymentPage } from './read-pages.ts';

export type ListRow = {
  readonly reference: string;
  readonly at: Date | undefined;
  readonly amount: bigint | undefined;
  readonly line: Omit<StatementLine, 'at' | 'amount'>;
};

export type ListPage = {
  readonly rows: readonly ListRow[];
  /** Whether the bank marks the page as the last one; undefined when it does not state it. */
  readonly last: boolean | undefined;
  /** The start of the next page, if the bank does not count pages. */
  readonly cursor: string | undefined;
};

/** Reads a whole number, which banks also write as text. */
export function readWhole(value: unknown): number | undefined {
  const digits = word(value) ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

/** Returns the state of a status. A missing one is a payment; an unknown one is not final. */
export function stateOf(
  states: ReadonlyMap<string, StatementState>,
  status: string | undefined,
): StatementState {
  return status === undefined ? 'payment' : (states.get(status) ?? 'pending');
}

/** Tells whether a page is the last one. `page` counts from 1. Undefined when it is not stated. */
export function isLastPage(said: {
  readonly last: unknown;
  readonly page: number | undefined;
  readonly pages: unknown;
}): boolean | undefined {
  const last = typeof said.last === 'boolean' ? String(said.last) : word(said.last);
  if (last === 'true' || last === 'false') return last === 'true';
  const pages = readWhole(said.pages);
  return pages === undefined || said.page === undefined ? undefined : said.page >= pages;
}

/** Builds a page for the sweep. `isOfAccount` returns whether a row may belong to the account. */
export function toReadPage(
  { rows, last, cursor }: ListPage,
  isOfAccount: (row: ListRow, index: number) => boolean = () => true,
): PaymentPage {
  const times = rows.flatMap(({ at }) => at ?? []);
  return {
    references: rows
      .filter((row, index) => row.line.state === 'payment' && isOfAccount(row, index))
      .map(({ reference }) => reference),
    marks: rows.map(({ reference }) => reference),
    times: times.length === rows.length ? times : undefined,
    last,
    ...(cursor !== undefined && { cursor }),
  };
}

/** Builds a page for a reconciliation. `counted` is the next page if the bank names none. */
export function linesOf({ rows, last, cursor }: ListPage, counted: string): LinesPage {
  if (rows.length === 0 && last === false && cursor === undefined) {
    return { kind: 'unavailable', reason: 'an empty page that is not the last' };
  }
  const lines: StatementLine[] = [];
  for (const { at, amount, line } of rows) {
    if (at !== undefined && amount !== undefined) lines.push({ ...line, at, amount });
    else if (line.state === 'payment' || line.state === 'reversed') {
      return { kind: 'unavailable', reason: 'a payment without its time or amount' };
    }
  }
  // If the bank does not mark the last page, an empty page is the last.
  const isLast = last ?? rows.length === 0;
  return { kind: 'page', lines, next: isLast ? undefined : (cursor ?? counted) };
}
