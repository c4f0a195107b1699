/**
 * Reads Reloadly's report of a period as statement lines. Pure. Source: "Reports" in its
 * documentation. The filter counts days four hours behind UTC, so a day is added on both sides.
 */
import { isCurrency } from '../../core/money.ts';
import { type Body, isBody, minorUnits, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { LinesPage, Period, StatementLine, StatementState } from '../statements/statement-line.ts';
import type { Request } from './client.ts';
import { listOf } from './mapping.ts';

/** The largest page. */
const SIZE = 50;
const SLACK_MS = 24 * 3_600_000;

const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['SUCCESSFUL', 'delivered'],
  ['REFUNDED', 'reversed'],
  ['FAILED', 'failed'],
]);

export function toReport({ from, to }: Period, page: string | undefined): Request {
  const day = (at: Date, slackMs: number): string =>
    new Date(at.getTime() + slackMs).toISOString().slice(0, 19).replace('T', ' ');
  const query = new URLSearchParams({
    startDate: day(from, -SLACK_MS),
    endDate: day(to, SLACK_MS),
    size: String(SIZE),
    page: page ?? '1',
  });
  return { operation: 'list', method: 'GET', path: `/reports/transactions?${query}` };
}

export function readReport(page: string | undefined, result: TokenedResult): LinesPage {
  if (result.kind !== 'reply') return unavailable(result.reason);
  const { status, body } = result;
  const records = status < 300 ? listOf(body) : undefined;
  if (records === undefined) return unavailable(`HTTP ${status}, no list`);
  const lines = records.map(lineOf);
  const whole = lines.filter((line) => line !== undefined);
  if (whole.length < lines.length)
    return unavailable('a record without its time, or in a currency unknown here');
  const number = Number(page ?? '1');
  return {
    kind: 'page',
    lines: whole,
    next: isLast(body, number, records.length) ? undefined : `${number + 1}`,
  };
}

function isLast(body: unknown, number: number, count: number): boolean {
  if (count === 0) return true;
  if (!isBody(body)) return count < SIZE;
  if (typeof body.last === 'boolean') return body.last;
  return typeof body.totalPages === 'number' ? number >= body.totalPages : count < SIZE;
}

function lineOf(record: Body): StatementLine | undefined {
  const { currencyCode } = record;
  const at = timeOf(record.transactionCreatedTime);
  if (at === undefined || !isCurrency(currencyCode)) return undefined;
  const product = isBody(record.product) ? record.product : {};
  const status = word(record.status)?.toUpperCase() ?? 'no status';
  const reference = word(record.customIdentifier);
  const providerId = word(record.transactionId);
  const cost = minorUnits(record.amount);
  const face = faceValue(product);
  const faceCurrency = word(product.currencyCode);
  return {
    line: 0,
    // An undocumented status is not final.
    state: STATES.get(status) ?? 'pending',
    words: status,
    at,
    ...(reference !== undefined && { reference }),
    ...(providerId !== undefined && { providerId }),
    product: 'GIFTCARD',
    ...(face !== undefined && { amount: face }),
    ...(faceCurrency !== undefined && { amountCurrency: faceCurrency }),
    ...itemOf(product),
    ...(cost !== undefined && { cost }),
    currency: currencyCode,
  };
}

function itemOf({ productId, quantity, unitPrice }: Body): Pick<StatementLine, 'item'> {
  const [id, count, price] = [word(productId), word(quantity), minorUnits(unitPrice)];
  if (id === undefined || count === undefined || !/^[1-9]\d{0,3}$/.test(count)) return {};
  const item = { planCodes: { product_id: id }, quantity: Number(count) };
  return { item: { ...item, ...(price !== undefined && { unitPrice: price }) } };
}

function faceValue({ unitPrice, quantity }: Body): bigint | undefined {
  const price = minorUnits(unitPrice);
  const count = word(quantity);
  return price === undefined || count === undefined || !/^\d{1,4}$/.test(count)
    ? undefined
    : price * BigInt(count);
}

/** Reads `2026-10-08 14:05:11` in UTC. */
function timeOf(value: unknown): Date | undefined {
  const text = word(value) ?? '';
  if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const at = new Date(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function unavailable(reason: string): LinesPage {
  return { kind: 'unavailable', reason };
}
