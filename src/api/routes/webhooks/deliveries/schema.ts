/** The filters of the list of deliveries, and its answer. */
import { Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { webhookDeliveryStates } from '../../../../notifications/webhooks/endpoint.ts';
import { answer, okCode } from '../../../plumbing/answer.ts';
import { pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { deliveryFields, deliveryWire, sampleDelivery, sampleId } from '../webhook.ts';

export const defaultLimit = 50;

export const deliveriesQuery = Type.Object({
  endpoint: Type.Optional(text('the id of an endpoint', { format: 'clean-text', examples: [sampleId] })),
  state: Type.Optional(words(webhookDeliveryStates, { description: 'waiting, delivered or failed' })),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  cursor: Type.Optional(
    text('the cursor of the page before, with the same endpoint and state', { format: 'clean-text' }),
  ),
});

export const deliveriesAnswer = answer(
  'WebhookDeliveriesAnswer',
  'What became of events at endpoints, the newest first.',
  {
    status: Type.Literal('success'),
    code: okCode,
    message: Type.String(),
    data: Type.Array(Type.Object(deliveryFields)),
    cursor: nullable(Type.String(), { description: 'null on the last page' }),
  },
  { page: { ...goodsEnvelope('1 found', [deliveryWire(sampleDelivery)]), cursor: null } },
);
