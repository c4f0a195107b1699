/** An endpoint: where a merchant is called, and what for. */

import type { Environment } from '../../core/environment.ts';
import type { EventType, FeedEvent, FeedOwner } from '../events/event.ts';

/** Of each merchant, in each environment. */
export const ENDPOINTS_MAX = 5;
/** The form of payloads that new endpoints get. */
export const payloadVersion = '2026-11-22';
/** How long the secret before signs too. */
export const OVERLAP_MS = 86_400_000;

/** Whose it is, as its acts need it. */
export type EndpointOwner = FeedOwner & { readonly merchantCode: string };

/** What of an endpoint its owner says. */
export type EndpointTerms = {
  /** In its normal form. */
  readonly url: string;
  /** Empty: all. */
  readonly types: readonly EventType[];
  readonly description: string;
  /** Payloads have goods, such as tokens, PINs and cards. */
  readonly withGoods: boolean;
};

/** As it is stored. */
export type EndpointRow = {
  readonly id: string;
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly environment: Environment;
  readonly url: string;
  readonly description: string;
  readonly types: readonly EventType[];
  readonly with_goods: boolean;
  readonly version: string;
  /** Sealed. */
  readonly secret: string;
  readonly old_secret_ends_at: Date | null;
  readonly state: 'enabled' | 'disabled';
  readonly reason: string | null;
  readonly disabled_at: Date | null;
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly created_at: Date;
};

/** As its owner sees it. */
export type Endpoint = Omit<EndpointRow, 'secret'>;

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** What became of an event at an endpoint. */
export type WebhookDelivery = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: FeedEvent['type'];
  readonly state: WebhookDeliveryState;
  readonly due_at: Date | null;
  readonly tries: number;
  readonly http_status: number | null;
  readonly note: string | null;
  readonly answer: string | null;
  readonly duration_ms: number | null;
  readonly tried_at: Date | null;
  readonly created_at: Date;
};

/** What became of a replay of a time. */
export type Replayed = {
  readonly replayed: number;
  /** When the first that is left of the time was first tried; null where none is. */
  readonly next: Date | null;
};

/** Under which the secrets of an endpoint are sealed. */
export function secretPlace(id: string): string {
  return `webhook_endpoints/${id}/secret`;
}
