/** The deliveries that are sent again. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../../../core/clock.ts';
import { nullable } from '../../../../core/nullable.ts';
import { type Replayed, webhookDeliveryStates } from '../../../../notifications/webhooks/endpoint.ts';
import { bodyOptions, cleanText, text, words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { deliveryFields, deliveryWire, sampleDelivery } from '../webhook.ts';

export const replayedAnswer = goodsAnswer(
  'WebhookDeliveryAnswer',
  'It is due now.',
  Type.Object(deliveryFields),
  {
    replayed: goodsEnvelope(
      'On its way',
      deliveryWire({
        ...sampleDelivery,
        state: 'waiting',
        tries: 0,
        due_at: new Date('2026-11-22T10:00:00Z'),
      }),
    ),
  },
);

const time = (what: string) =>
  text(`${what}, as RFC 3339 such as "2026-11-22T09:00:00+01:00", ${cleanText}`, {
    format: 'clean-text',
    examples: ['2026-11-22T09:00:00+01:00'],
  });

export const rangeBody = Type.Object(
  {
    from: time('the first moment'),
    to: Type.Optional(time('the first moment after (now, when absent)')),
    state: Type.Optional(
      words(webhookDeliveryStates, { description: 'waiting, delivered or failed; without it: failed' }),
    ),
  },
  {
    ...bodyOptions,
    title: 'ReplayBody',
    'x-examples': {
      failed: { from: '2026-11-22T09:00:00+01:00' },
      delivered: {
        from: '2026-11-22T09:00:00+01:00',
        to: '2026-11-22T10:00:00+01:00',
        state: 'delivered',
      },
    },
  },
);

export type RangeBody = Static<typeof rangeBody>;

/** Includes the whole millisecond of the first remaining delivery. */
export function rangeWire({ replayed, next }: Replayed) {
  return { replayed, more: next !== null, from: next === null ? null : formatRfc3339(next) };
}

export const rangeAnswer = goodsAnswer(
  'ReplayAnswer',
  'They are due now.',
  Type.Object({
    replayed: Type.Integer({ description: 'how many; 10,000 at most' }),
    more: Type.Boolean({ description: 'there are more in that time' }),
    from: nullable(Type.String(), {
      description: 'where there are more: send the request again with this from, and with the same to',
    }),
  }),
  {
    replayed: goodsEnvelope('On their way', rangeWire({ replayed: 12, next: null })),
    more: goodsEnvelope(
      'On their way',
      rangeWire({ replayed: 10_000, next: new Date('2026-11-22T09:30:00Z') }),
    ),
  },
);
