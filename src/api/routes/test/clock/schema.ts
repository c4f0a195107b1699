/** Schemas of a test clock: its move, and what became due. */
import { Type } from 'typebox';
import { limits } from '../../../../core/limits.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';

export const clockBody = Type.Object(
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

export const clockAnswer = goodsAnswer(
  'TestClockAnswer',
  'The clock is moved. What is due now happens within a second or so.',
  Type.Object({
    advance_s: Type.Integer({ description: 'as sent' }),
    offset_s: Type.Integer({ description: 'how far the clock is ahead, by all moves so far' }),
    now: Type.String({ description: 'the time of the clock, as RFC 3339' }),
    moved: Type.Object(
      {
        purchases: count('pending purchases and orders'),
        late_goods: count('successes whose goods are still queried'),
        deliveries: count('cards that are sent to customers'),
        webhooks: count('events that are tried again at endpoints'),
      },
      { description: 'work that became due sooner' },
    ),
  }),
  {
    moved: goodsEnvelope('The test clock is moved', {
      advance_s: 86_400,
      offset_s: 90_000,
      now: '2026-11-23T13:05:09+01:00',
      moved: { purchases: 2, late_goods: 1, deliveries: 0, webhooks: 3 },
    }),
  },
);
