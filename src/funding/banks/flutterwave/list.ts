/**
 * Reads Flutterwave's list of transactions, for sweeps and reconciliations. Pure. The list has the
 * transactions of the whole account, so rows that name another `tx_ref` are left out. A missing
 * field proves nothing.
 *
 * The parameters are days. The zone of a day is not documented, so one more day is read on each
 * side.
 */
import { isCurrency } from '../../../core/money.ts';
import type { CallResult } from '../../../providers/http/call.ts';
import { type Body, isBody, minorUnits, readUtcTime, word } from '../../../providers/http/reply-fields.ts';
import type {
  LinesPage,
  Period,
  StatementLine,
  StatementState,
} from '../../../providers/statements/statement-line.ts';
import type { ListedAccount } from '../funding-provider.ts';
import {
  isLastPage,
  type ListPage,
  type ListRow,
  linesOf,
  readWhole,
  stateOf,
  toReadPage,
} from '../list-page.ts';
import type { ReadPage } from '../read-pages.ts';
import { mayBeOurs, readReply } from './mapping.ts';

const DAY_MS = 24 * 3_600_000;

const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['successful', 'payment'],
  ['failed', 'failed'],
]);

function daysQuery(from: Date, to: Date, page: string): string {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return String(
    new URLSearchParams({ from: day(from.getTime() - DAY_MS), to: day(to.getTime() + DAY_MS), page }),
  );
}

export function toTransactionsQuery({ from, to }: Period, page: string | undefined): string {
  return daysQuery(from, to, page ?? '1');
}

/** Builds the query of an account. `page` counts from 0. Flutterwave may ignore `tx_ref`. */
export function toAccountQuery(
  { reference }: ListedAccount,
  since: Date,
  page: number,
  now = new Date(),
): string {
  return `${daysQuery(since, now, String(page + 1))}&tx_ref=${encodeURIComponent(reference)}`;
}

export function readTransactions(page: string | undefined, result: CallResult): LinesPage {
  const number = readWhole(page ?? '1') ?? 1;
  const read = readList(number, result);
  if ('unavailable' in read) return { kind: 'unavailable', reason: read.unavailable };
  return linesOf(read, String(number + 1));
}

/** Reads a page of the account's transactions. */
export function pageOf(
  page: number,
  result: CallResult,
  { reference }: Pick<ListedAccount, 'reference'>,
): ReadPage {
  const read = readList(page + 1, result);
  if ('unavailable' in read) return read;
  return toReadPage(read, ({ line }) => line.recipient === undefined || line.recipient === reference);
}

function readList(requested: number, result: CallResult): ListPage | { readonly unavailable: string } {
  const read = readReply(result);
  if (read.kind !== 'good') {
    return { unavailable: read.kind === 'no' ? `HTTP ${read.status}` : read.reason };
  }
  const { data, meta } = read;
  if (!Array.isArray(data) || !data.every(isBody)) return { unavailable: 'a list of an unknown shape' };
  const rows = data.map(rowOf).filter((row) => row !== undefined);
  if (rows.length < data.length) return { unavailable: 'a list of payments without ids' };
  const info = isBody(meta) && isBody(meta.page_info) ? meta.page_info : {};
  const page = readWhole(info.current_page) ?? requested;
  return { rows, last: isLastPage({ last: undefined, page, pages: info.total_pages }), cursor: undefined };
}

function rowOf(row: Body): ListRow | undefined {
  const reference = word(row.id);
  if (reference === undefined) return undefined;
  const fee = minorUnits(row.app_fee);
  const status = word(row.status)?.toLowerCase();
  const currency = word(row.currency)?.toUpperCase() ?? 'NGN';
  const recipient = word(row.tx_ref);
  const isOurs = (recipient === undefined || mayBeOurs(row)) && isCurrency(currency);
  const line: Omit<StatementLine, 'at' | 'amount'> = {
    line: 0,
    state: isOurs ? stateOf(STATES, status) : 'unrelated',
    words: status ?? 'no status',
    providerId: reference,
    ...(recipient !== undefined && { recipient }),
    ...(fee !== undefined && { cost: fee }),
    currency: isCurrency(currency) ? currency : 'NGN',
  };
  return { reference, at: readUtcTime(row.created_at), amount: minorUnits(row.amount), line };
}
