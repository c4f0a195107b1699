/** How long the old secret also signs, and the new secret. */
import { Type } from 'typebox';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { endpointFields, endpointWire, sampleEndpoint, sampleSecret, secretField } from '../webhook.ts';

const overlapMaxS = 7 * 86_400;

export const rotateBody = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        description: `a whole number of seconds from 0 to ${overlapMaxS}`,
        minimum: 0,
        maximum: overlapMaxS,
      }),
    ),
  },
  {
    ...bodyOptions,
    title: 'RotateBody',
    'x-examples': { a_day: { overlap_s: 86_400 }, at_once: { overlap_s: 0 } },
  },
);

export const rotatedAnswer = goodsAnswer(
  'EndpointRotatedAnswer',
  'The endpoint, with its new secret.',
  Type.Object({ ...endpointFields, secret: secretField }),
  {
    rotated: goodsEnvelope('Rotated', {
      ...endpointWire({ ...sampleEndpoint, old_secret_ends_at: new Date('2026-11-23T09:00:00Z') }),
      secret: sampleSecret,
    }),
  },
);
