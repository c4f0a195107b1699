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
 * Builds a renewal of cable. DSTV and GOtv are bought by changing the bouquet or renewing the
 * current one, StarTimes by the bouquet only.
 */
function renewal(order: ProviderOrder, common: Fields): Purchase {
  const due = order.customer?.renewalAmount;
  if (due !== undefined && due !== order.amount) return { amountDue: due };
  return { body: { ...common, subscription_type: 'renew', quantity: '1' } };
}

/** Tells whether the customer has this bouquet and owes this amount for it. */
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
  /** VTpass cannot serve the order. */
  | { readonly lacks: 'code' | 'phone' }
  /** VTpass accepts a renewal only at the amount due, in kobo. */
  | { readonly amountDue: bigint };

export type VtpassBill = {
  /** Returns the phone of an order that is for a phone, as international digits. */
  phoneOf?(order: ProviderOrder): string | undefined;
  /** Builds the order. `common` has the fields of every bill: service, customer, amount, phone. */
  toPurchase(order: ProviderOrder, common: Fields): Purchase;
  /** Builds the verification. Undefined when the plan's codes are not sufficient. */
  toVerification(query: CustomerQuery, common: Fields): Fields | undefined;
  /** Reads the goods. Undefined when only a receipt is owed, and until the goods are there. */
  readGoods?(order: ProviderOrder, body: Body): Goods | undefined;
};
