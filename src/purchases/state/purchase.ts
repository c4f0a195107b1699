/** One purchase of one merchant, from accepted to final. */
import type { Environment } from '../../core/environment.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { ProductName } from '../../core/products/product.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Goods } from '../../providers/provider.ts';
import type { OutcomeReason, OverCap } from './outcome-reason.ts';

export type PurchaseStatus = 'pending' | 'success' | 'failed';

/**
 * How the merchant waits: `sync` for the outcome; `async` for the receipt; `order` for the outcome
 * if it comes soon, otherwise for the receipt. The path of the purchase is the same.
 */
export type PurchaseMode = 'sync' | 'async' | 'order';

/** A well-formed purchase, before catalog, profile and wallet are checked. */
export type PurchaseRequest = {
  readonly principal: Principal;
  /** The merchant's reference, which is its idempotency key. */
  readonly reference: string;
  readonly product: ProductName;
  /** Canonical network, for example `MTN`. */
  readonly network: string;
  readonly planCode: string | undefined;
  /** The kind of airtime. Absent: `vtu`. The kind of data is that of its plan. */
  readonly planKind?: PlanKind | undefined;
  /** As the merchant sent it. */
  readonly msisdn: string;
  /** Normalised: international digits for a mobile number. */
  readonly recipient: string;
  /** In kobo. */
  readonly faceValue: bigint;
  /** For bills: the customer's mobile number, as sent. */
  readonly phone: string | undefined;
};

/** The current state of a purchase, for responses and for support. */
export type Purchase = {
  readonly id: string;
  readonly merchantId: number;
  readonly merchantName: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | undefined;
  /** The plan as the merchant named it, if that differs from its code. */
  readonly sentPlan?: string | undefined;
  readonly msisdn: string;
  /** In kobo. */
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly status: PurchaseStatus;
  /** Absent while pending. */
  readonly reason: OutcomeReason | undefined;
  /** The text of the network, the biller or the provider, for the merchant. */
  readonly telcoMessage: string | undefined;
  /** The goods. */
  readonly goods: Goods;
  /** For one that a spend cap of its credential refused. */
  readonly overCap?: OverCap | undefined;
  /** For orders: the plan's title when the order was accepted. */
  readonly title?: string | undefined;
  /** For orders: the quantity. */
  readonly quantity?: number | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The sum of the refunds of the charge. Absent if there are none. */
  readonly refunded?: bigint | undefined;
};

/** How a purchase ended, or that it is pending. */
export type PurchaseState = Pick<Purchase, 'status' | 'reason' | 'telcoMessage' | 'goods' | 'overCap'>;
