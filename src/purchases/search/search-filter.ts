/** The filter of a search, and the ids that it covers. */
import type { Environment } from '../../core/environment.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import type { PurchaseStatus } from '../state/purchase.ts';

/** Every condition must match. */
export type SearchFilter = {
  readonly merchantId?: number | undefined;
  readonly environment?: Environment | undefined;
  /** Any of them matches. */
  readonly products?: readonly string[] | undefined;
  readonly network?: string | undefined;
  /** The kind of the plan or of airtime. */
  readonly kind?: PlanKind | undefined;
  /** The provider of the outcome, or the one that a pending purchase waits for. */
  readonly provider?: string | undefined;
  readonly status?: PurchaseStatus | undefined;
  readonly reason?: OutcomeReason | undefined;
  /** In minor units. */
  readonly amountMin?: bigint | undefined;
  readonly amountMax?: bigint | undefined;
  /** A phone number, meter, card or customer id, normalised. Any of them matches. */
  readonly recipients?: readonly string[] | undefined;
  /** The merchant's reference, ours, that of an attempt, or the provider's own. */
  readonly reference?: string | undefined;
  /** A meter's token: 20 digits. */
  readonly token?: string | undefined;
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly to?: Date | undefined;
};

export type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly id: string;
};

/** Ids from `atLeast` up and below `before`. */
export type IdSpan = { readonly atLeast: string | undefined; readonly before: string | undefined };

/** The ids of a period: they begin with their milliseconds. */
export function firstIdAt(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export function spanOf({ from, to }: SearchFilter, before: string | undefined): IdSpan {
  const end = to && firstIdAt(to);
  return {
    atLeast: from && firstIdAt(from),
    before: end === undefined || (before !== undefined && before < end) ? before : end,
  };
}
