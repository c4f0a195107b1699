/** What eSIM Access says of our balance. Pure. */
import type { Money } from '../../core/money.ts';
import type { CallResult } from '../http/call.ts';
import { isBody, word } from '../http/reply-fields.ts';
import type { Request } from './client.ts';
import { readEnvelope } from './mapping.ts';

/** 10,000 to the dollar, 100 cents to it. */
const UNITS_PER_CENT = 100n;

export const balanceRequest: Request = { operation: 'balance', path: '/balance/query', body: {} };

/** In dollars, rounded down to the cent; undefined where the reply does not say it. */
export function readBalance(result: CallResult): Money | undefined {
  const reply = readEnvelope(result);
  const balance = reply?.isGood === true && isBody(reply.obj) ? word(reply.obj.balance) : undefined;
  if (balance === undefined || !/^\d{1,15}$/.test(balance)) return undefined;
  return { amount: BigInt(balance) / UNITS_PER_CENT, currency: 'USD' };
}
