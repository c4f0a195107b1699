/** The data of a purchase from accept to its outcome without separate columns, stored as JSON. */

import type { ChoosingStrategy } from '../../catalog/measures/rank-providers.ts';
import type { TruthGrade } from '../../catalog/measures/truth-grade.ts';
import { type Currency, formatAmount } from '../../core/money.ts';
import type { Customer } from '../../core/products/customer.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { OwedGoods } from '../../core/products/product-record.ts';
import type { PlanCodesByProvider } from '../../providers/provider.ts';

/** The data of a provider call beyond the purchase's columns. */
export type PurchaseDetails = {
  readonly planCodes?: PlanCodesByProvider;
  /** The kind of the plan, or of airtime if it is not `vtu`. */
  readonly kind?: PlanKind;
  readonly phone?: string;
  /** The plan as the merchant named it, if that is not its code. */
  readonly sentPlan?: string;
  /** The goods that a delivery must contain. Without them the purchase is queried further. */
  readonly goodsOwed?: OwedGoods;
  /**
   * For orders: the item, in minor units of its currency. Amounts are text, because JSON has no
   * bigint.
   */
  readonly item?: { readonly quantity: number; readonly unitPrice: string; readonly currency: Currency };
  /** For orders: the plan's title at that time. */
  readonly title?: string;
  /**
   * For orders: the expected cost in kobo, which applies if the provider does not state its charge.
   */
  readonly cost?: string;
  /**
   * For orders: naira for one unit of the item's currency, without a margin, when it was accepted.
   */
  readonly rate?: string;
  /** For orders that a voucher pays: the data to settle it. Its value is in kobo. */
  readonly voucher?: { readonly id: string; readonly settleId: string; readonly value: string };
  /** For test orders: the scenario that their reference names. */
  readonly story?: string;
  /** As verified before the purchase. */
  readonly customer?: StoredCustomer;
  /** The version of the price list that set the charge. Absent: the face value was charged. */
  readonly priceList?: StoredPriceList;
  /** Why the first provider of the route was chosen. Absent: no strategy chose it. */
  readonly choice?: RouteChoice;
};

export type StoredPriceList = {
  readonly list: string;
  readonly version: number;
  /** The place of the rule, such as `data/MTN/sme/*`. */
  readonly rule: string;
  /** For a margin: the expected cost in kobo that it was added to. Absent: the cost was unknown. */
  readonly cost?: string;
};

/** The figures of a provider when a strategy chose it. Absent figures were not known. */
export type RouteChoice = {
  readonly strategy: ChoosingStrategy;
  /** The number of providers that could serve the purchase. */
  readonly of: number;
  /** The expected cost in kobo. */
  readonly cost?: string;
  /** In percent, with one decimal, and the mean time to delivery, of 30 days. */
  readonly success?: number;
  readonly seconds?: number;
  readonly grade?: TruthGrade | undefined;
};

/** Describes a choice for people, such as `₦212 of 3, 98.7 % in 9 s`. */
export function choiceText({ of, cost, success, seconds, grade }: RouteChoice): string {
  const price = cost === undefined ? 'cost unknown' : `₦${formatAmount(BigInt(cost)).replace(/\.00$/, '')}`;
  const time = seconds === undefined ? '' : ` in ${seconds} s`;
  const measured = success === undefined ? 'hardly measured' : `${success} %${time}`;
  return `${price} of ${of}, ${measured}${grade === undefined ? '' : `, grade ${grade}`}`;
}

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
