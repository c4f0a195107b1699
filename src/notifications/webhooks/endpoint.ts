/** An endpoint: a URL of a merchant that events are sent to. */

import type { Environment } from '../../core/environment.ts';
import type { EventType, FeedEvent, FeedOwner } from '../events/event.ts';

/** The limit for each merchant and environment. */
export const ENDPOINTS_MAX = 5;
/** The version of payloads for new endpoints. */
export const payloadVersion = '2026-11-22';
/** How long an old secret still signs after a rotation. */
export const OVERLAP_MS = 86_400_000;

/** The owner of an endpoint. */
export type EndpointOwner = FeedOwner & { readonly merchantCode: string };

/** The properties that the owner sets. */
export type EndpointTerms = {
  /** In its normal form. */
  readonly url: string;
  /** Empty for all types. */
  readonly types: readonly EventType[];
  readonly description: string;
  /** Payloads include goods, such as tokens, PINs and cards. */
  readonly withGoods: boolean;
};

/** An endpoint as stored. */
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

/** An endpoint as its owner sees it. */
export type Endpoint = Omit<EndpointRow, 'secret'>;

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** The delivery of an event to an endpoint. */
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

/** The result of a replay of a range. */
export type Replayed = {
  readonly replayed: number;
  /** When the first remaining delivery of the range was first tried; null if none is left. */
  readonly next: Date | null;
};

/** Names the field that an endpoint's secrets are sealed for. */
export function secretPlace(id: string): string {
  return `webhook_endpoints/${id}/secret`;
}
