/** The fields of an endpoint when it is created, changed and returned. */
import { type Static, Type } from 'typebox';
import { bodyOptions, words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import {
  endpointBodyFields,
  endpointFields,
  endpointWire,
  sampleEndpoint,
  sampleId,
  sampleSecret,
  secretField,
} from '../webhook.ts';

export const createBody = Type.Object(endpointBodyFields, {
  ...bodyOptions,
  title: 'EndpointBody',
  'x-examples': {
    all_events: { url: 'https://shop.example/webhooks' },
    some_events: {
      url: 'https://shop.example/webhooks',
      events: ['transaction.success', 'transaction.failed'],
      description: 'the shop',
    },
  },
});

export type CreateBody = Static<typeof createBody>;

export const changeBody = Type.Object(
  {
    ...endpointBodyFields,
    url: Type.Optional(endpointBodyFields.url),
    state: Type.Optional(words(['enabled', 'disabled'], { description: 'enabled or disabled' })),
  },
  {
    ...bodyOptions,
    title: 'EndpointChangeBody',
    'x-examples': {
      other_events: { events: ['deposit.credited'] },
      disable: { state: 'disabled' },
      enable: { state: 'enabled' },
    },
  },
);

export type ChangeBody = Static<typeof changeBody>;

const sample = endpointWire(sampleEndpoint);

export const createdAnswer = goodsAnswer(
  'EndpointCreatedAnswer',
  'The endpoint, with its secret.',
  Type.Object({ ...endpointFields, secret: secretField }),
  { created: goodsEnvelope('Created', { ...sample, secret: sampleSecret }) },
);

export const listedAnswer = goodsAnswer(
  'EndpointsAnswer',
  'All endpoints, the oldest first.',
  Type.Array(Type.Object(endpointFields)),
  { endpoints: goodsEnvelope('1 found', [sample]) },
);

export const changedAnswer = goodsAnswer(
  'EndpointAnswer',
  'The current state of the endpoint.',
  Type.Object(endpointFields),
  {
    changed: goodsEnvelope('Changed', sample),
  },
);

export const deletedAnswer = goodsAnswer(
  'EndpointDeletedAnswer',
  'It is gone.',
  Type.Object({ id: endpointFields.id, deleted: Type.Literal(true) }),
  { deleted: goodsEnvelope('Deleted', { id: sampleId, deleted: true }) },
);
