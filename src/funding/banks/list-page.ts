/**
 * A page of a bank's list as its reader reads it: for the sweep, which wants the references of what
 * may be a payment, and for a reconciliation, which wants statement lines. Pure.
 */

import { word } from '../../providers/http/reply-fields.ts';
import type { LinesPage, StatementLine } from '../../providers/statements/statement-line.ts';
import type { PaymentPage } from './read-pages.ts';

export type ListRow = {
  readonly reference: string;
  readonly at: Date | undefined;
  readonly amount: bigint | undefined;
  readonly line: Omit<StatementLine, 'at' | 'amount'>;
};

export type ListPage = {
  readonly rows: readonly ListRow[];
  /** Whether the bank says that it is the last one; undefined where it says nothing. */
  readonly last: boolean | undefined;
  /** Where the next page begins, where the bank does not count pages. */
  readonly cursor: string | undefined;
};

/** A whole number, which banks write as text too. */
export function readWhole(value: unknown): number | undefined {
  const digits = word(value) ?? '';
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

/** `page` is counted from 1. */
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

/** For the sweep. `isOfAccount` says whether a row may be of the account. */
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

/** For a reconciliation. `counted` is the next page, where the bank names none. */
export function linesOf({ rows, last, cursor }: ListPage, counted: string): LinesPage {
  const lines: StatementLine[] = [];
  for (const { at, amount, line } of rows) {
    if (at !== undefined && amount !== undefined) lines.push({ ...line, at, amount });
    else if (line.state === 'payment' || line.state === 'reversed') {
      return { kind: 'unavailable', reason: 'a payment without its time or amount' };
    }
  }
  // Where the bank does not say which page is the last, an empty one says it.
  const isLast = last ?? rows.length === 0;
  return { kind: 'page', lines, next: isLast ? undefined : (cursor ?? counted) };
}
