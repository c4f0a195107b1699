/**
 * Electricity at VTpass. The goods of a prepaid purchase are at the top level of its reply. The
 * fields differ from company to company, so all known spellings are read. Pure.
 */
import { type Body, fieldFinder, meterToken, minorUnits, unitCount } from '../../upstream/reply-fields.ts';
import type { CustomerQuery, Goods, ProviderOrder } from '../provider.ts';
import type { VtpassBill } from './bill.ts';

export const electricity: VtpassBill = {
  toPurchase: (order, common) => {
    const variation_code = meterKindOf(order);
    return variation_code === undefined ? { lacks: 'code' } : { body: { ...common, variation_code } };
  },

  toVerification: (query, common) => {
    const type = meterKindOf(query);
    return type === undefined ? undefined : { ...common, type };
  },

  readGoods,
};

/** Prepaid or postpaid is the variation of an electricity service; undefined for anything else. */
export function meterKindOf({
  product,
  planCodes,
}: Pick<CustomerQuery, 'product' | 'planCodes'>): 'prepaid' | 'postpaid' | undefined {
  const kind = planCodes?.variation_code;
  return product === 'ELECTRICITY' && (kind === 'prepaid' || kind === 'postpaid') ? kind : undefined;
}

function readGoods(order: ProviderOrder, body: Body): Goods | undefined {
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
