/**
 * Cable at VTpass: DSTV and GOtv are bought by a change of bouquet or a renewal of the present one,
 * StarTimes by the bouquet alone. Pure.
 */
import type { ProviderOrder } from '../provider.ts';
import type { Fields, Purchase, VtpassBill } from './bill.ts';

export const cable: VtpassBill = {
  toPurchase: (order, common) => {
    const { variation_code, subscription_type } = order.planCodes ?? {};
    if (subscription_type === 'renew') return renewal(order, common);
    if (variation_code === undefined) return { lacks: 'code' };
    if (!BY_SUBSCRIPTION.has(common.serviceID ?? '')) return { body: { ...common, variation_code } };
    return isDueNow(order, variation_code)
      ? renewal(order, common)
      : { body: { ...common, subscription_type: 'change', variation_code, quantity: '1' } };
  },

  toVerification: (_query, common) => common,
};

const BY_SUBSCRIPTION: ReadonlySet<string> = new Set(['dstv', 'gotv']);

function renewal(order: ProviderOrder, common: Fields): Purchase {
  const due = order.customer?.renewalAmount;
  if (due !== undefined && due !== order.amount) return { amountDue: due };
  return { body: { ...common, subscription_type: 'renew', quantity: '1' } };
}

/** Whether the customer has this very bouquet and owes this very amount for it. */
function isDueNow({ customer, amount }: ProviderOrder, variation_code: string): boolean {
  return customer?.currentBouquetCode === variation_code && customer.renewalAmount === amount;
}
