/**
 * What merchants are told of: the types of events, and an event as the feed reads it. Pure.
 *
 * An event is told with its id, however often and wherever: in the feed, and to each endpoint.
 */
import type { Environment } from '../../core/environment.ts';
import { isOrderProduct } from '../../core/products/product.ts';

/** What is told, in the order of the documents. */
export const eventTypes = [
  'transaction.success',
  'transaction.failed',
  'transaction.overdue',
  'order.success',
  'order.failed',
  'order.overdue',
  'delivery.failed',
  'deposit.credited',
  'wallet.low',
  'voucher.redeemed',
  'credential.expiring',
  'endpoint.failing',
  'endpoint.disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Those of a purchase or an order: they say what its status says. */
export const purchaseEventTypes = eventTypes.filter((type) => /^(?:transaction|order)\./.test(type));

/** All others have facts of their own, which are rows of their own. */
export const factEventTypes = eventTypes.filter((type) => !purchaseEventTypes.includes(type));

/** What a test event is: it goes to one endpoint, and is in no feed. */
export const testType = 'endpoint.test';

/** A merchant in one environment: each has a feed of its own. */
export type FeedOwner = { readonly merchantId: number; readonly environment: Environment };

/** What an event says besides its purchase, as it is stored. Amounts are in minor units as text. */
export type EventFacts = Readonly<Record<string, string | number | null>>;

export type FeedEvent = {
  /** A UUID. */
  readonly id: string;
  readonly type: EventType | typeof testType;
  /** The purchase that it is about, where it is about one. */
  readonly purchaseId: string | undefined;
  readonly facts: EventFacts | undefined;
  readonly at: Date;
};

/** As stored: events of purchases do not say whether the purchase is an order. */
export type StoredType =
  | 'purchase.succeeded'
  | 'purchase.failed'
  | 'purchase.overdue'
  | Exclude<EventType, `transaction.${string}` | `order.${string}`>;

/** `product` is that of the purchase. */
export function typeOf(stored: StoredType, product: string | null): EventType {
  const isOrder = product !== null && isOrderProduct(product);
  switch (stored) {
    case 'purchase.succeeded':
      return isOrder ? 'order.success' : 'transaction.success';
    case 'purchase.failed':
      return isOrder ? 'order.failed' : 'transaction.failed';
    case 'purchase.overdue':
      return isOrder ? 'order.overdue' : 'transaction.overdue';
    default:
      return stored;
  }
}

export function isEventType(text: string): text is EventType {
  return eventTypes.some((type) => type === text);
}
