/**
 * Reads Nomba's list of an account's transactions as statement lines. Pure. Source: its OpenAPI
 * document, "Filter account transactions". `entryType` and `type` distinguish movements without an
 * order of ours. The document has no complete list of their values: both are unconfirmed.
 */

import { type Body, countedTime, isBody, minorUnits, word } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { LinesPage, Period, StatementLine, StatementState } from '../statements/statement-line.ts';
import { okData } from './mapping.ts';

const PAGE_SIZE = 100;

/** The products of transaction types. Any other type is a movement of money. */
const PRODUCTS: ReadonlyMap<string, string> = new Map([
  ['topup', 'airtime'],
  ['airtime', 'airtime'],
  ['data', 'data'],
  ['electricity', 'ELECTRICITY'],
  ['cabletv', 'CABLE'],
  ['betting', 'BETTING'],
]);

/** The type of transfers to our virtual account. */
const INCOMING = 'vact_transfer';

/** The final statuses of `mapping.ts`. Any other status is not final. */
const STATES: ReadonlyMap<string, StatementState> = new Map([
  ['SUCCESS', 'delivered'],
  ['REFUND', 'reversed'],
]);

/** Builds the query below `/v1/transactions/accounts…`. */
export function toListQuery({ from, to }: Period, page: string | undefined): string {
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    dateFrom: secondsOf(from),
    // Whether the end is inclusive is not documented. Lines after the period are left out later.
    dateTo: secondsOf(new Date(to.getTime() + 60_000)),
    ...(page !== undefined && { cursor: page }),
  });
  return String(query);
}

export function readTransactions(result: TokenedResult): LinesPage {
  if (result.kind !== 'reply') return unavailable(result.reason);
  const data = okData(result);
  const results = isBody(data) ? data.results : undefined;
  if (!isBody(data) || !Array.isArray(results) || !results.every(isBody)) {
    return unavailable(`HTTP ${result.status}, no list`);
  }
  const lines = results.map(lineOf).filter((line) => line !== undefined);
  if (lines.length < results.length) return unavailable('a transaction without its time or amount');
  return { kind: 'page', lines, next: word(data.cursor) };
}

function lineOf(record: Body): StatementLine | undefined {
  const at = countedTime(record.timeCreated) ?? new Date(word(record.timeCreated) ?? '');
  const amount = minorUnits(record.amount);
  if (Number.isNaN(at.getTime()) || amount === undefined) return undefined;
  const status = word(record.status)?.toUpperCase() ?? 'no status';
  const type = word(record.type)?.toLowerCase() ?? '';
  const product = PRODUCTS.get(type);
  const reference = word(record.merchantTxRef);
  const providerId = word(record.id);
  const recipient = word(record.customerBillerId);
  const fee = minorUnits(record.fixedCharge ?? 0);
  const state = stateOf(record, type, status, product !== undefined || reference !== undefined);
  return {
    line: 0,
    state,
    words: type === '' ? status : `${type}, ${status}`,
    at,
    ...(reference !== undefined && { reference }),
    ...(providerId !== undefined && { providerId }),
    ...(product !== undefined && { product }),
    ...(recipient !== undefined && product !== undefined && { recipient }),
    ...amountsOf(state, amount, fee),
    currency: 'NGN',
  };
}

/** Nomba takes its fee from incoming money, and adds it to outgoing money. */
function amountsOf(
  state: StatementState,
  amount: bigint,
  fee: bigint | undefined,
): Pick<StatementLine, 'amount' | 'cost'> {
  if (fee === undefined) return { amount };
  if (state === 'top_up') return { amount: amount > fee ? amount - fee : 0n };
  return state === 'charge' ? { amount: amount + fee } : { amount, cost: amount + fee };
}

function stateOf({ entryType }: Body, type: string, status: string, isOrder: boolean): StatementState {
  const state = STATES.get(status) ?? 'pending';
  if (isOrder || state === 'reversed') return state;
  // Pending money has not moved.
  if (state === 'pending') return 'failed';
  const direction = word(entryType)?.toUpperCase() ?? (type === INCOMING ? 'CREDIT' : undefined);
  // Without a direction, an operator must identify the movement.
  return direction === 'CREDIT' ? 'top_up' : direction === 'DEBIT' ? 'charge' : state;
}

function secondsOf(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

function unavailable(reason: string): LinesPage {
  return { kind: 'unavailable', reason };
}
