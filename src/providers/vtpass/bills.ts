/** The bill products that VTpass sells. */
import type { Body } from '../http/reply-fields.ts';
import type { CustomerQuery, Goods, ProviderOrder } from '../provider.ts';
import { education } from './education.ts';
import { electricity } from './electricity.ts';

const cable: VtpassBill = {
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

/**
 * Cable at VTpass: DSTV and GOtv are bought by a change of bouquet or a renewal of the present one,
 * StarTimes by the bouquet alone. Pure.
 */
function renewal(order: ProviderOrder, common: Fields): Purchase {
  const due = order.customer?.renewalAmount;
  if (due !== undefined && due !== order.amount) return { amountDue: due };
  return { body: { ...common, subscription_type: 'renew', quantity: '1' } };
}

/** Whether the customer has this very bouquet and owes this very amount for it. */
function isDueNow({ customer, amount }: ProviderOrder, variation_code: string): boolean {
  return customer?.currentBouquetCode === variation_code && customer.renewalAmount === amount;
}

export const bills: ReadonlyMap<string, VtpassBill> = new Map([
  ['ELECTRICITY', electricity],
  ['CABLE', cable],
  ['EDUCATION', education],
]);

export type Fields = Readonly<Record<string, string>>;

export type Purchase =
  | { readonly body: Fields }
  /** VTpass cannot be asked for it. */
  | { readonly lacks: 'code' | 'phone' }
  /** VTpass takes a renewal at the amount due only, in kobo. */
  | { readonly amountDue: bigint };

export type VtpassBill = {
  /** The phone that goes with an order whatever else is known, as international digits. */
  phoneOf?(order: ProviderOrder): string | undefined;
  /**
   * `common` has what every bill is bought with: the service, the customer, the amount, a phone.
   */
  toPurchase(order: ProviderOrder, common: Fields): Purchase;
  /** Given the service and the customer; undefined where the plan's codes do not say enough. */
  toVerification(query: CustomerQuery, common: Fields): Fields | undefined;
  /** Undefined where nothing more than a receipt is owed, and where the goods are not there yet. */
  readGoods?(order: ProviderOrder, body: Body): Goods | undefined;
};
