/** A purchase: one purchase for one merchant, from accepted to final. */
import type { Environment } from '../../core/environment.ts';
import type { ProductName } from '../../core/products/product.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Goods } from '../../providers/provider.ts';
import type { OutcomeReason, OverCap } from './outcome-reason.ts';

export type PurchaseStatus = 'pending' | 'success' | 'failed';

/**
 * How the merchant waits: `sync` for the outcome, `async` for the receipt, `order` for the outcome
 * if it comes soon, else for the receipt. The path of the purchase is the same.
 */
export type PurchaseMode = 'sync' | 'async' | 'order';

/** A purchase as asked for: well-formed, not yet judged against catalog, profile and wallet. */
export type PurchaseRequest = {
  readonly principal: Principal;
  /** The merchant's idempotency key. */
  readonly reference: string;
  readonly product: ProductName;
  /** Canonical network, for example `MTN`. */
  readonly network: string;
  readonly planCode: string | undefined;
  /** As the merchant sent it. */
  readonly msisdn: string;
  /** Normalised: international digits for a mobile number. */
  readonly recipient: string;
  /** In kobo. */
  readonly faceValue: bigint;
  /** Bills: the customer's mobile, as sent. */
  readonly phone: string | undefined;
};

/** A purchase as it stands, for envelopes and for support. */
export type Purchase = {
  readonly id: string;
  readonly merchantId: number;
  readonly merchantName: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | undefined;
  /** The plan as the merchant named it, where that is not its code. */
  readonly sentPlan?: string | undefined;
  readonly msisdn: string;
  /** In kobo. */
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly status: PurchaseStatus;
  /** Absent while pending. */
  readonly reason: OutcomeReason | undefined;
  /** The words of the network, the biller or the provider, for the merchant. */
  readonly telcoMessage: string | undefined;
  /** What was bought. */
  readonly goods: Goods;
  /** Of one that a spend cap of its credential was in the way of. */
  readonly overCap?: OverCap | undefined;
  /** Orders: the plan's title as it was when the order was accepted. */
  readonly title?: string | undefined;
  /** Orders: how many were ordered. */
  readonly quantity?: number | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** What of the charge was given back since; absent where nothing was. */
  readonly refunded?: bigint | undefined;
};

/** How a purchase ended, or that it has not. */
export type PurchaseState = Pick<Purchase, 'status' | 'reason' | 'telcoMessage' | 'goods' | 'overCap'>;
