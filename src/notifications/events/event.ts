/**
 * The types of events, and an event as the feed reads it. Pure.
 *
 * An event has one id everywhere: in the feed and at each endpoint, however often it is sent.
 */
import type { Environment } from '../../core/environment.ts';
import { isOrderProduct } from '../../core/products/product.ts';

/** In the order of the documents. */
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

/** Events about a purchase or an order, which carry its status. */
export const purchaseEventTypes = eventTypes.filter((type) => /^(?:transaction|order)\./.test(type));

/** All other events carry facts, which are stored with the event. */
export const factEventTypes = eventTypes.filter((type) => !purchaseEventTypes.includes(type));

/** The type of a test event, which goes to one endpoint and is in no feed. */
export const testType = 'endpoint.test';

/** A merchant in one environment: each has a separate feed. */
export type FeedOwner = { readonly merchantId: number; readonly environment: Environment };

/** What an event carries besides its purchase, as stored. Amounts are in minor units as text. */
export type EventFacts = Readonly<Record<string, string | number | null>>;

export type FeedEvent = {
  /** A UUID. */
  readonly id: string;
  readonly type: EventType | typeof testType;
  /** Undefined for an event about no purchase. */
  readonly purchaseId: string | undefined;
  readonly facts: EventFacts | undefined;
  readonly at: Date;
};

/** The type as stored. It does not distinguish purchases from orders. */
export type StoredType =
  | 'purchase.succeeded'
  | 'purchase.failed'
  | 'purchase.overdue'
  | Exclude<EventType, `transaction.${string}` | `order.${string}`>;

/** Returns the public type of a stored event. `product` is the product of the purchase. */
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
