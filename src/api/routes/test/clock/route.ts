/**
 * POST /v1/test/clock: moves the waiting times of a merchant's test purchases and webhooks ahead.
 */
import { Type } from 'typebox';
import { formatRfc3339 } from '../../../../core/clock.ts';
import { limits } from '../../../../core/limits.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';

const clockBody = Type.Object(
  {
    advance_s: Type.Integer({
      description: `a whole number of seconds from 1 to ${limits.testClockStepS} (30 days); clocks are not moved back`,
      minimum: 1,
      maximum: limits.testClockStepS,
    }),
  },
  {
    ...bodyOptions,
    title: 'TestClockBody',
    'x-examples': { a_day: { advance_s: 86_400 } },
  },
);

const count = (description: string) => Type.Integer({ description });

const clockAnswer = goodsAnswer(
  'TestClockAnswer',
  'The clock was moved. Everything that is due now happens within about a second.',
  Type.Object({
    advance_s: Type.Integer({ description: 'as sent' }),
    offset_s: Type.Integer({ description: 'how far the clock is ahead, by all moves so far' }),
    now: Type.String({ description: 'the time of the clock, as RFC 3339' }),
    moved: Type.Object(
      {
        purchases: count('pending purchases and orders'),
        late_goods: count('successes whose goods are still queried'),
        deliveries: count('cards that will be sent to customers'),
        webhooks: count('events that will be sent to endpoints again'),
      },
      { description: 'work that became due sooner' },
    ),
  }),
  {
    moved: goodsEnvelope('The test clock was moved', {
      advance_s: 86_400,
      offset_s: 90_000,
      now: '2026-11-23T13:05:09+01:00',
      moved: { purchases: 2, late_goods: 1, deliveries: 0, webhooks: 3 },
    }),
  },
);

export function registerTestClockRoute(api: Api, { purchases }: Pick<ServerDependencies, 'purchases'>): void {
  const schema = {
    operationId: 'advanceTestClock',
    summary: 'Move the test clock ahead',
    description:
      'Your own pending test purchases, late goods, deliveries and webhooks become due sooner by this time. Sent twice, the clock is moved twice: `offset_s` states how far it is ahead. Live purchases are not affected.',
    tags: ['Test'],
    body: clockBody,
    response: { 200: clockAnswer },
    refusals: [{ code: 'test_credentials_only' }, { code: 'test_clock_ends', leftS: 3_600 }] as const,
  };
  api.post('/v1/test/clock', { schema }, async (request) => {
    const move = await purchases.advanceTestClock(principalOf(request), request.body.advance_s);
    const { pendingFulfilments, ...moved } = move.moved;
    return goodsEnvelope('The test clock was moved', {
      advance_s: move.advanceS,
      offset_s: move.offsetS,
      now: formatRfc3339(move.now),
      moved: { ...moved, late_goods: pendingFulfilments },
    });
  });
}
