/**
 * Monnify's list of all transactions as statement lines. Pure. Of its parameters `page`, `size`,
 * `from` and `to` (milliseconds) nobody has confirmed the last two: what lies outside the period is
 * left out by the reader anyway.
 */
import type { LinesPage, Period, StatementLine, StatementState } from '../../statements/statement-line.ts';
import { type Body, isBody, minorUnits, word } from '../../upstream/reply-fields.ts';
import type { TokenedResult } from '../../upstream/tokened-client.ts';
import { readReply, readTime } from './mapping.ts';

const SIZE = 100;

const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['PAID', 'payment'],
  ['OVERPAID', 'payment'],
  ['PARTIALLY_PAID', 'payment'],
  ['PENDING', 'pending'],
  ['REVERSED', 'reversed'],
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

export function readTransactions(page: string | undefined, result: TokenedResult): LinesPage {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') return { kind: 'unavailable', reason: `code ${read.code}` };
  const { content, last, totalPages } = read.body;
  if (!Array.isArray(content) || !content.every(isBody)) {
    return { kind: 'unavailable', reason: 'a list of an unknown shape' };
  }
  const lines = content.map(lineOf).filter((line) => line !== undefined);
  if (lines.length < content.length) {
    return { kind: 'unavailable', reason: 'a payment without its time, amount or reference' };
  }
  const number = Number(page ?? '0');
  const isCounted = typeof totalPages === 'number' && number + 1 >= totalPages;
  const isLast = last === true || isCounted || content.length === 0;
  return { kind: 'page', lines, next: isLast ? undefined : String(number + 1) };
}

function lineOf(row: Body): StatementLine | undefined {
  const at = readTime(row.paidOn ?? row.completedOn ?? row.createdOn);
  const amount = minorUnits(row.amountPaid ?? row.amount);
  const providerId = word(row.transactionReference);
  if (at === undefined || amount === undefined || providerId === undefined) return undefined;
  const status = word(row.paymentStatus) ?? 'no status';
  const settled = minorUnits(row.settlementAmount);
  const product = isBody(row.product) ? row.product : {};
  const recipient = word(product.reference);
  return {
    line: 0,
    // A card or a payment page is no funding account.
    state: product.type === 'RESERVED_ACCOUNT' ? (STATES.get(status) ?? 'failed') : 'failed',
    words: status,
    at,
    providerId,
    ...(recipient !== undefined && { recipient }),
    amount,
    ...(settled !== undefined && settled <= amount && { cost: amount - settled }),
    currency: 'NGN',
  };
}
