/** What Reloadly says of our balance. Pure. */
import { isCurrency, type Money } from '../../core/money.ts';
import { isBody, minorUnits } from '../http/reply-fields.ts';
import type { TokenedResult } from '../http/tokened-client.ts';
import type { Request } from './client.ts';

export const balanceRequest: Request = { operation: 'balance', method: 'GET', path: '/accounts/balance' };

/** In the currency of the account; undefined for a currency that Oja does not know. */
export function readBalance(result: TokenedResult): Money | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { balance, currencyCode } = result.body;
  const amount = minorUnits(balance);
  return amount !== undefined && isCurrency(currencyCode) ? { amount, currency: currencyCode } : undefined;
}
