/** What VTpass's interface does differently from one bill product to the next. */
import type { Body } from '../../upstream/reply-fields.ts';
import type { CustomerQuery, Goods, ProviderOrder } from '../provider.ts';

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
