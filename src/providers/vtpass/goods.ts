/**
 * Reads the goods in the reply to a purchase of prepaid electricity. The fields are at its top
 * level and differ from company to company, so all known spellings are read. Pure.
 */

import { type Body, fieldFinder, meterToken, minorUnits, unitCount } from '../../upstream/reply-fields.ts';
import type { Goods, ProviderOrder } from '../provider.ts';
import { meterKindOf } from './purchase.ts';

/**
 * Undefined where the product owes nothing more than a receipt, and where the token is not there
 * yet.
 */
export function readGoods(order: ProviderOrder, body: Body): Goods | undefined {
  if (meterKindOf(order) !== 'prepaid') return undefined;
  const find = fieldFinder(body);
  // Each of these may hold other text. The first one with a token counts.
  const token = ['token', 'mainToken', 'purchased_code'].map((name) => meterToken(find(name))).find(Boolean);
  if (token === undefined) return isSpentOnDebt(order, find) ? { payment_spent_on: 'debt' } : undefined;
  const units = unitCount(find('units', 'mainTokenUnits'));
  const kct1 = meterToken(find('kct1'));
  const kct2 = meterToken(find('kct2'));
  return { token, ...(units && { units }), ...(kct1 && { kct1 }), ...(kct2 && { kct2 }) };
}

/**
 * Whether all of the payment went to arrears, so that no token is owed. Either as much was applied
 * as was paid, or something was and VTpass says that nothing was left for energy. `debtAmount`
 * alone may be what is still owed.
 */
function isSpentOnDebt(order: ProviderOrder, find: ReturnType<typeof fieldFinder>): boolean {
  const applied = minorUnits(find('appliedToArrears')) ?? 0n;
  if (applied >= order.amount) return true;
  const debt = minorUnits(find('debtAmount')) ?? 0n;
  return minorUnits(find('tokenAmount')) === 0n && (applied > 0n || debt > 0n);
}
