/** Paystack's list of all transactions as statement lines. Pure. */
import type { LinesPage, Period, StatementLine } from '../../statements/statement-line.ts';
import type { CallResult } from '../../upstream/call.ts';
import { type Body, isBody, word } from '../../upstream/reply-fields.ts';
import { readReply } from './mapping.ts';

const SIZE = 100;
/** Of transfers to a dedicated account. */
const CHANNEL = 'dedicated_nuban';

export function toTransactionsQuery({ from, to }: Period, page: string | undefined): string {
  return String(
    new URLSearchParams({
      // Older documents have one spelling, the present one another.
      perPage: String(SIZE),
      per_page: String(SIZE),
      page: page ?? '1',
      from: from.toISOString(),
      to: to.toISOString(),
    }),
  );
}

export function readTransactions(page: string | undefined, result: CallResult): LinesPage {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') return { kind: 'unavailable', reason: `HTTP ${read.status}` };
  const rows = read.data;
  if (!Array.isArray(rows) || !rows.every(isBody)) {
    return { kind: 'unavailable', reason: 'a list of an unknown shape' };
  }
  const lines = rows.map(lineOf).filter((line) => line !== undefined);
  if (lines.length < rows.length) {
    return { kind: 'unavailable', reason: 'a payment without its time, amount or reference' };
  }
  const number = Number(page ?? '1');
  const { pageCount } = isBody(read.meta) ? read.meta : {};
  const isLast = typeof pageCount === 'number' ? number >= pageCount : rows.length < SIZE;
  return { kind: 'page', lines, next: isLast || rows.length === 0 ? undefined : String(number + 1) };
}

function lineOf(row: Body): StatementLine | undefined {
  const at = new Date(word(row.paid_at ?? row.paidAt ?? row.created_at ?? row.createdAt) ?? '');
  const amount = kobo(row.amount);
  const providerId = word(row.reference);
  if (Number.isNaN(at.getTime()) || amount === undefined || providerId === undefined) return undefined;
  const fees = kobo(row.fees);
  const status = word(row.status) ?? 'no status';
  const isOurs = row.channel === CHANNEL && row.currency === 'NGN';
  const state = status === 'success' ? 'payment' : status === 'reversed' ? 'reversed' : 'failed';
  return {
    line: 0,
    state: isOurs ? state : 'failed',
    words: status,
    at,
    providerId,
    amount,
    ...(fees !== undefined && { cost: fees }),
    currency: 'NGN',
  };
}

/** Paystack counts in kobo. */
function kobo(value: unknown): bigint | undefined {
  const text = word(value);
  return text !== undefined && /^\d{1,15}$/.test(text) ? BigInt(text) : undefined;
}
