/**
 * The amounts that a bill plan accepts: one fixed price, or any amount between limits. One rule
 * validates an amount, both with the catalog's limits only and with the customer's limits too.
 */

/** The amounts of a bill plan, in kobo. */
export type BillAmount =
  | {
      readonly amountType: 'fixed';
      readonly price: bigint;
      readonly minAmount: undefined;
      readonly maxAmount: undefined;
    }
  | {
      readonly amountType: 'variable';
      readonly price: undefined;
      readonly minAmount: bigint;
      readonly maxAmount: bigint;
    };

/** The lowest and the highest amount, both allowed, in kobo. */
export type AmountLimits = { readonly min: bigint; readonly max: bigint };

/** One customer's limits, as reported by the biller. Zero means none. */
type CustomerLimits = { readonly minAmount?: bigint | undefined; readonly maxAmount?: bigint | undefined };

/**
 * The limits of a purchase of the plan for a customer. The biller's limits narrow those of the plan
 * and never widen them: no amount becomes allowed because the customer was verified. A debt may
 * raise the minimum above the maximum. Then no amount is allowed.
 */
export function amountLimits(plan: BillAmount, customer: CustomerLimits = {}): AmountLimits {
  if (plan.amountType === 'fixed') return { min: plan.price, max: plan.price };
  const { minAmount: min = 0n, maxAmount: max = 0n } = customer;
  const raised = min > plan.minAmount;
  const lowered = max > 0n && max < plan.maxAmount;
  return { min: raised ? min : plan.minAmount, max: lowered ? max : plan.maxAmount };
}

/** The limit that an amount is outside of. */
export type OutsideLimits = { readonly bound: 'min' | 'max'; readonly amount: bigint };

/** Undefined if `amount` is within `limits`. */
export function outsideLimits(amount: bigint, { min, max }: AmountLimits): OutsideLimits | undefined {
  if (amount < min) return { bound: 'min', amount: min };
  if (amount > max) return { bound: 'max', amount: max };
  return undefined;
}

const KOBO_IN_NAIRA = 100n;

export function isWholeNaira(amount: bigint): boolean {
  return amount % KOBO_IN_NAIRA === 0n;
}
