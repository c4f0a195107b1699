/**
 * Reads Monnify's lists: of an account for the sweep, and of all transactions for reconciliation.
 * Pure. A missing field proves nothing: only a row that names another product, currency or state is
 * not a payment.
 *
 * The list of all transactions takes `page`, `size`, `from` and `to` (milliseconds). The last two
 * are unconfirmed; lines outside the period are left out anyway.
 */
import { isCurrency } from '../../../core/money.ts';
import { type Body, isBody, minorUnits, word } from '../../../providers/http/reply-fields.ts';
import type { TokenedResult } from '../../../providers/http/tokened-client.ts';
import type {
  LinesPage,
  Period,
  StatementLine,
  StatementState,
} from '../../../providers/statements/statement-line.ts';
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
import { readReply, readTime } from './mapping.ts';

const SIZE = 100;

const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['PAID', 'payment'],
  ['OVERPAID', 'payment'],
  ['PARTIALLY_PAID', 'payment'],
  ['PENDING', 'pending'],
  ['FAILED', 'failed'],
  ['EXPIRED', 'failed'],
  ['CANCELLED', 'failed'],
  ['ABANDONED', 'failed'],
  ['REVERSED', 'reversed'],
  ['REFUNDED', 'reversed'],
]);

export function toTransactionsQuery({ from, to }: Period, page: string | undefined): string {
  return String(
    new URLSearchParams({
      page: page ?? '0',
      size: String(SIZE),
      from: String(from.getTime()),
      to: String(to.getTime()),
    }),
  );
}

/** Reads a page of the list of all transactions. */
export function readTransactions(page: string | undefined, result: TokenedResult): LinesPage {
  const number = Number(page ?? '0');
  const read = readList(number, result);
  return 'unavailable' in read
    ? { kind: 'unavailable', reason: read.unavailable }
    : linesOf(read, String(number + 1));
}

/** Reads a page of an account's transactions. */
export function pageOf(number: number, result: TokenedResult): ReadPage {
  const read = readList(number, result);
  return 'unavailable' in read ? read : toReadPage(read);
}

function readList(requested: number, result: TokenedResult): ListPage | { readonly unavailable: string } {
  const read = readReply(result);
  if (read.kind === 'unavailable') return { unavailable: read.reason };
  if (read.kind === 'no') return { unavailable: `code ${read.code}` };
  const { content, last, number, totalPages } = read.body;
  if (!Array.isArray(content) || !content.every(isBody)) return { unavailable: 'a list of an unknown shape' };
  const rows = content.map(rowOf).filter((row) => row !== undefined);
  if (rows.length < content.length) return { unavailable: 'a list of payments without references' };
  const page = readWhole(number) ?? requested;
  return { rows, last: isLastPage({ last, page: page + 1, pages: totalPages }), cursor: undefined };
}

function rowOf(row: Body): ListRow | undefined {
  const reference = word(row.transactionReference);
  if (reference === undefined) return undefined;
  const at = readTime(row.paidOn) ?? readTime(row.completedOn) ?? readTime(row.createdOn);
  const amount = minorUnits(row.amountPaid) ?? minorUnits(row.amount);
  const settled = minorUnits(row.settlementAmount);
  const fee = settled !== undefined && amount !== undefined ? amount - settled : minorUnits(row.fee);
  const status = word(row.paymentStatus)?.toUpperCase();
  const product = isBody(row.product) ? row.product : {};
  const type = word(product.type);
  const recipient = word(product.reference);
  const currency = (word(row.currency) ?? word(row.currencyCode) ?? 'NGN').toUpperCase();
  // Cards and payment pages are not funding accounts.
  const isOurs = (type === undefined || type === 'RESERVED_ACCOUNT') && isCurrency(currency);
  const line: Omit<StatementLine, 'at' | 'amount'> = {
    line: 0,
    state: isOurs ? stateOf(STATES, status) : 'unrelated',
    words: status ?? 'no status',
    providerId: reference,
    ...(recipient !== undefined && { recipient }),
    ...(fee !== undefined && fee >= 0n && { cost: fee }),
    currency: isCurrency(currency) ? currency : 'NGN',
  };
  return { reference, at, amount, line };
}
