/** GET /v1/events: the events of the merchant, in the order in which they were committed. */
import { Type } from 'typebox';
import { listWords } from '../../../../core/list-words.ts';
import { type EventType, eventTypes, isEventType } from '../../../../notifications/events/event.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { answer, okCode } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { compressed } from '../../../plumbing/compress-answer.ts';
import { eventBody, eventSchema, type ToldEvent } from '../../../plumbing/event-answer.ts';
import { cleanText, pageSizeMax, text, wholeNumber } from '../../../plumbing/fields.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { asBytes } from '../../../plumbing/goods-list.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { samplePurchase } from '../../../plumbing/openapi/sample-purchases.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';

const defaultLimit = 50;
const waitMaxS = 25;

const eventsQuery = Type.Object({
  after: Type.Optional(
    text('the cursor of the answer before, or "latest" for what happens from now on', {
      format: 'clean-text',
      examples: ['latest'],
    }),
  ),
  types: Type.Optional(
    text(`types of events such as "transaction.success,deposit.credited", ${cleanText}`, {
      format: 'clean-text',
      maxLength: 500,
      examples: [eventTypes.slice(0, 2).join(',')],
    }),
  ),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  wait: Type.Optional(
    Type.Integer({
      description: `a whole number of seconds from 0 to ${waitMaxS}, in digits`,
      minimum: 0,
      maximum: waitMaxS,
    }),
  ),
});

const eventsAnswer = answer('EventsAnswer', 'Events in the order in which they were committed.', {
  status: Type.Literal('success'),
  code: okCode,
  message: Type.String(),
  data: Type.Array(eventSchema),
  cursor: Type.String({ description: 'where the next question begins: its after' }),
  has_more: Type.Boolean({ description: 'more events may be available immediately' }),
});

export function registerEventsRoute(api: Api, { events }: Pick<ServerDependencies, 'events'>): void {
  const schema = {
    operationId: 'listEvents',
    summary: 'List events, and wait for them',
    description:
      'The same events that endpoints get, oldest first, of the last 30 days. Store the cursor of each answer, and send it as ' +
      `after in the next request. With after, a request without new events waits up to ${waitMaxS} seconds for some; wait sets ` +
      'another time. A page may be empty while has_more is true.',
    tags: ['Events'],
    querystring: eventsQuery,
    response: { 200: asBytes(eventsAnswer) },
    answerExamples: { events: pageOf([sampleEvent()], 'AAAAAAAAAAYAAGTxqHkPq1cQ0d2xwJvG3zQ', false) },
    refusals: [
      shown('unknown_type', unknownType()),
      { code: 'event_cursor_unknown' },
      { code: 'event_cursor_expired' },
      { code: 'event_polls_full' },
    ] as const,
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> =>
    readWholeNumbers(query, ['limit', 'wait']);
  api.get('/v1/events', { schema, preValidation, ...compressed }, async (request, reply) => {
    const { after, types, limit = defaultLimit, wait = after === undefined ? 0 : waitMaxS } = request.query;
    const left = new AbortController();
    const endWatch = callerOf(request).onGone(() => left.abort());
    try {
      const question = { after, types: readTypes(types), limit, waitMs: 1_000 * wait, signal: left.signal };
      const { events: told, cursor, more } = await events.poll(principalOf(request), question);
      reply.type('application/json; charset=utf-8');
      return Buffer.from(JSON.stringify(pageOf(told, cursor, more)));
    } finally {
      endWatch();
    }
  });
}

function pageOf(told: readonly ToldEvent[], cursor: string, more: boolean) {
  const data = told.map((one) => eventBody(one, { withGoods: false }));
  return { ...goodsEnvelope(`${data.length} found`, data), cursor, has_more: more };
}

function readTypes(text: string | undefined): readonly EventType[] {
  const types = (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return types.map((type) => {
    if (!isEventType(type)) throw unknownType();
    return type;
  });
}

function unknownType(): Refusal {
  return refuseField(
    'types',
    'event_type_unknown',
    `types must be among ${listWords(eventTypes, 'and')}, separated by commas`,
  );
}

function sampleEvent(): ToldEvent {
  const purchase = samplePurchase('airtime', 'success');
  return {
    event: {
      id: purchase.id,
      type: 'transaction.success',
      purchaseId: purchase.id,
      facts: undefined,
      at: purchase.updatedAt,
    },
    purchase,
  };
}
