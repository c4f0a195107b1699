/** Schemas and mappers of endpoints and deliveries, as operations answer them. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { listWords } from '../../core/list-words.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  environmentField,
  idField,
  nullableTime,
  oneOf,
  text,
  timeOutput,
} from '../../core/operation-fields.ts';
import { type EventType, eventTypes } from '../events/event.ts';
import { type EndpointRow, type WebhookDelivery, webhookDeliveryStates } from './endpoint.ts';

const nullableNumber = nullable(Type.Integer());

/** The input fields that name an endpoint. */
export const endpointFields = {
  endpoint: { ...idField, description: 'the id of a webhook endpoint' },
  merchant: Type.Optional(text('the code of the merchant that the endpoint must belong to')),
};

export const endpointOutput = Type.Object({
  id: Type.String(),
  merchant: Type.String(),
  environment: environmentField,
  url: Type.String(),
  description: Type.String(),
  /** Empty for all types. */
  events: Type.Array(Type.String()),
  include_goods: Type.Boolean(),
  version: Type.String(),
  state: oneOf(['enabled', 'disabled']),
  reason: nullableText,
  disabled_at: nullableTime,
  failures: Type.Integer(),
  failing_since: nullableTime,
  old_secret_ends_at: nullableTime,
  created_at: timeOutput,
});

export function endpointAnswer(row: EndpointRow): Static<typeof endpointOutput> {
  return answerOf(endpointOutput, {
    ...row,
    merchant: row.merchant_code,
    events: row.types,
    include_goods: row.with_goods,
  });
}

export const webhookDeliveryOutput = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  event_type: Type.String(),
  state: oneOf(webhookDeliveryStates),
  tries: Type.Integer(),
  due_at: nullableTime,
  http_status: nullableNumber,
  note: nullableText,
  answer: nullableText,
  duration_ms: nullableNumber,
  tried_at: nullableTime,
  created_at: timeOutput,
});

export function webhookDeliveryAnswer(row: WebhookDelivery): Static<typeof webhookDeliveryOutput> {
  return answerOf(webhookDeliveryOutput, row);
}

const urlField = text('a URL such as "https://shop.example/webhooks"', { maxLength: 2_000 });

const optionalFields = {
  events: Type.Optional(
    Type.Array(oneOf(eventTypes), {
      description: `some of ${listWords(eventTypes, 'and')}; empty for all`,
      maxItems: eventTypes.length,
    }),
  ),
  description: Type.Optional(
    Type.String({
      description: 'plain text of at most 200 characters',
      maxLength: 200,
      pattern: '^[^\\p{Cc}]*$',
    }),
  ),
  include_goods: Type.Optional(
    Type.Boolean({ description: 'true to include goods, such as tokens, PINs and cards, in payloads' }),
  ),
};

export const termsFields = { url: urlField, ...optionalFields };
export const changedTermsFields = { url: Type.Optional(urlField), ...optionalFields };

type Given = {
  readonly events?: readonly EventType[];
  readonly description?: string;
  readonly include_goods?: boolean;
};

/** Reads the terms of an input: each event type once, in the order of the documents. */
export function readTerms({ events, description, include_goods: withGoods }: Given) {
  const types = events && eventTypes.filter((type) => events.includes(type));
  return { types, description, withGoods };
}
