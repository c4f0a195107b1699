/** The requests that the gateway sends to endpoints, one for each type of event. Pure. */
import { eventTypes } from '../../../events/event.ts';
import { isRecord } from '../../../kernel/json.ts';
import { eventSchema } from '../event-answer.ts';
import { type Json, memberOf, plain, textsOf } from './json.ts';

export function describeWebhooks(): Json {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: describeWebhook(type) }]));
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

function describeWebhook(type: string): Json {
  return {
    operationId: `on${type.split(/[._]/).map(capitalised).join('')}`,
    summary: `${type} happened`,
    description: 'Sent to the endpoints that ask for it, again until one answers with 2xx.',
    tags: ['Events'],
    security: [],
    parameters: [
      header('webhook-id', 'the id of the event, the same over all tries'),
      header('webhook-timestamp', 'when it was sent, in seconds since 1970'),
      header('webhook-signature', 'v1 signatures of Standard Webhooks, with spaces between'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: schemaOf(type) } } },
    responses: { '2XX': { description: 'Any answer of success ends the tries.' } },
  };
}

/** The kind of event that has this type. */
function schemaOf(type: string): Json {
  const { anyOf } = plain(eventSchema);
  const kinds = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  const typesOf = (kind: Json) => textsOf(memberOf(memberOf(kind, 'properties'), 'type').enum);
  return kinds.find((kind) => typesOf(kind).includes(type)) ?? {};
}

function capitalised(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
