/** What a purchase carries from accept to its outcome beside its columns; stored as JSON. */

import type { Currency } from '../../core/money.ts';
import type { Customer } from '../../core/products/customer.ts';
import type { OwedGoods } from '../../core/products/product-record.ts';
import type { PlanCodesByProvider } from '../../providers/provider.ts';

/** What a provider call needs beyond the purchase's columns. */
export type PurchaseDetails = {
  readonly planCodes?: PlanCodesByProvider;
  readonly phone?: string;
  /** The plan as the merchant named it, where that is not its code. */
  readonly sentPlan?: string;
  /** What a delivery must bring; one that comes without is asked about further. */
  readonly goodsOwed?: OwedGoods;
  /**
   * Orders: what is ordered, in minor units of its currency; amounts as text, since JSON has no
   * bigint.
   */
  readonly item?: { readonly quantity: number; readonly unitPrice: string; readonly currency: Currency };
  /** Orders: the plan's title as it was. */
  readonly title?: string;
  /** Orders: what it costs as far as we know, in kobo; stands where the provider does not say. */
  readonly cost?: string;
  /** Orders: naira for one unit of the item's currency, without a margin, when it was accepted. */
  readonly rate?: string;
  /** Orders that a voucher pays: what settling it takes; its value in kobo. */
  readonly voucher?: { readonly id: string; readonly settleId: string; readonly value: string };
  /** Test orders: the story that their reference names. */
  readonly story?: string;
  /** As verified before the purchase. */
  readonly customer?: StoredCustomer;
};

type AmountField = 'minAmount' | 'maxAmount' | 'arrears' | 'renewalAmount';

export type StoredCustomer = Omit<Customer, AmountField> & { readonly [field in AmountField]?: string };

export function storeCustomer(customer: Customer): StoredCustomer {
  const { minAmount, maxAmount, arrears, renewalAmount, ...rest } = customer;
  return {
    ...rest,
    ...(minAmount !== undefined && { minAmount: String(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: String(maxAmount) }),
    ...(arrears !== undefined && { arrears: String(arrears) }),
    ...(renewalAmount !== undefined && { renewalAmount: String(renewalAmount) }),
  };
}

export function readCustomer(stored: StoredCustomer): Customer {
  const { minAmount, maxAmount, arrears, renewalAmount, ...rest } = stored;
  return {
    ...rest,
    ...(minAmount !== undefined && { minAmount: BigInt(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: BigInt(maxAmount) }),
    ...(arrears !== undefined && { arrears: BigInt(arrears) }),
    ...(renewalAmount !== undefined && { renewalAmount: BigInt(renewalAmount) }),
  };
}
