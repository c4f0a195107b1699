/** Endpoints and deliveries as the API returns them. Pure. */
import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { GatewayError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import { listWords } from '../../../core/list-words.ts';
import { nullable } from '../../../core/nullable.ts';
import type { TimeOutput } from '../../../core/operation-fields.ts';
import { eventTypes, isEventType, testType } from '../../../notifications/events/event.ts';
import {
  type Endpoint,
  type WebhookDelivery,
  webhookDeliveryStates,
} from '../../../notifications/webhooks/endpoint.ts';
import { wireId } from '../../plumbing/event-answer.ts';
import { cleanText, text, words } from '../../plumbing/fields.ts';
import { type Refusal, refuseField } from '../../plumbing/refusal.ts';

const time = Type.String({ description: 'RFC 3339' }) as TimeOutput;
const nullableTime = nullable(time);
const uuid = Type.String({ format: 'uuid' });

export const sampleId = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export const idParams = Type.Object({
  id: text(`the id from an answer, ${cleanText}`, { format: 'clean-text', examples: [sampleId] }),
});

/** A malformed id belongs to no endpoint. Throws GatewayError with that code. */
export function readId(id: string, code: 'no_endpoint' | 'no_webhook_delivery'): string {
  if (!isUuid(id)) throw new GatewayError({ code });
  return id;
}

export const endpointFields = {
  id: uuid,
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'types of events; empty: all' }),
  description: Type.String(),
  include_goods: Type.Boolean({ description: 'payloads have goods, such as tokens, PINs and cards' }),
  version: Type.String({ description: 'the version of the payloads, which never changes for an endpoint' }),
  state: words(['enabled', 'disabled']),
  disabled_reason: nullable(Type.String(), {
    description: 'gone (it answered 410), failing (every attempt failed for five days), or a reason',
  }),
  failing_since: nullable(time, {
    description: 'since when every attempt has failed; null while it works',
  }),
  old_secret_ends_at: nullable(time, {
    description: 'how long the previous secret also signs',
  }),
  created_at: time,
};

const endpointObject = Type.Object(endpointFields);

export function endpointWire(endpoint: Endpoint): Static<typeof endpointObject> {
  const { types: events, with_goods: goods, reason } = endpoint;
  return answerOf(endpointObject, { ...endpoint, events, include_goods: goods, disabled_reason: reason });
}

export const secretField = Type.String({ description: 'shown once: webhooks are signed with it' });
export const sampleSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const sampleEndpoint: Endpoint = {
  id: sampleId,
  merchant_id: 7,
  merchant_code: 'SHOP',
  environment: 'live',
  url: 'https://shop.example/webhooks',
  types: ['transaction.success', 'transaction.failed'],
  description: 'the shop',
  with_goods: false,
  version: '2026-11-22',
  state: 'enabled',
  reason: null,
  disabled_at: null,
  failures: 0,
  failing_since: null,
  old_secret_ends_at: null,
  created_at: new Date('2026-11-22T09:00:00Z'),
};

export const deliveryFields = {
  id: uuid,
  endpoint_id: uuid,
  event_id: Type.String(),
  event_type: Type.String({ description: `the type of the event, or ${testType}` }),
  state: words(webhookDeliveryStates, {
    description: 'waiting for the next attempt, delivered, or failed: no further attempts',
  }),
  tries: Type.Integer(),
  next_try_at: nullableTime,
  http_status: nullable(Type.Integer(), {
    description: 'of the last attempt; null: no answer came',
  }),
  note: nullable(Type.String(), { description: 'why no answer came' }),
  answer: nullable(Type.String(), { description: 'the beginning of the last answer' }),
  duration_ms: nullable(Type.Integer()),
  tried_at: nullableTime,
  created_at: time,
};

const deliveryObject = Type.Object(deliveryFields);

export function deliveryWire(delivery: WebhookDelivery): Static<typeof deliveryObject> {
  const { event_id: id, due_at: due } = delivery;
  return answerOf(deliveryObject, { ...delivery, event_id: wireId(id), next_try_at: due });
}

export const sampleDelivery: WebhookDelivery = {
  id: sampleId,
  endpoint_id: sampleId,
  event_id: sampleId,
  event_type: 'transaction.success',
  state: 'delivered',
  tries: 1,
  due_at: null,
  http_status: 200,
  note: null,
  answer: 'ok',
  duration_ms: 42,
  tried_at: new Date('2026-11-22T09:00:01Z'),
  created_at: new Date('2026-11-22T09:00:00Z'),
};

/** The fields that create an endpoint. */
export const endpointBodyFields = {
  url: text(`a URL such as "https://shop.example/webhooks", ${cleanText}`, {
    format: 'clean-text',
    maxLength: 2_000,
    examples: ['https://shop.example/webhooks'],
  }),
  events: Type.Optional(
    Type.Array(words(eventTypes, { description: `among ${listWords(eventTypes, 'and')}` }), {
      description: `a list of some of ${listWords(eventTypes, 'and')}; absent or empty: all`,
      maxItems: eventTypes.length,
    }),
  ),
  description: Type.Optional(
    Type.String({
      description: `your own text, at most 200 characters ${cleanText}`,
      format: 'clean-text',
      maxLength: 200,
    }),
  ),
  include_goods: Type.Optional(
    Type.Boolean({ description: 'true for payloads with goods, such as tokens, PINs and cards' }),
  ),
};

/** Returns each type once, in the order of the documents. */
export function readTypes(types: readonly string[] | undefined) {
  if (types === undefined) return undefined;
  const unknown = types.find((type) => !isEventType(type));
  if (unknown !== undefined) throw unknownType();
  return eventTypes.filter((type) => types.includes(type));
}

function unknownType(): Refusal {
  return refuseField('events', 'event_type_unknown', `events must be among ${listWords(eventTypes, 'and')}`);
}
