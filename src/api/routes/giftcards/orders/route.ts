/**
 * POST /v1/giftcards/orders and GET /v1/giftcards/orders/{request_id}: buys gift cards, and looks
 * them up until they are issued.
 */

import type { FastifyRequest } from 'fastify';
import { requireActive } from '../../../../merchants/require-enabled.ts';
import {
  type DeliveryChannel,
  type Destination,
  deliveryChannels,
  parseDestination,
} from '../../../../notifications/messages/destination.ts';
import type { Order } from '../../../../purchases/orders/order.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { orderFieldNames } from '../../../plumbing/field-names.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { orderEnvelope } from '../../../plumbing/order-answer.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { type ReadSent, readSent } from '../../../plumbing/sent-fields.ts';
import { faceValueOutOfRange, readFaceValue, requireGiftCard, unknownGiftCard } from '../card.ts';
import { giftCardOrderAnswer, type OrderBody, orderBody, orderParams } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'catalog' | 'purchases'>;

const tags = ['Gift cards'];
/** Compares the fields with those of an order, for any body. */
const creates: ReadSent = (body) => ({
  ...readSent(body, {
    plan: ['plan_id'],
    quantity: ['quantity'],
    cardValue: ['face_value'],
    channel: ['send_via'],
    address: ['destination'],
  }),
  product: ['GIFTCARD'],
});
const config = { fieldNames: orderFieldNames, creates };

export function registerGiftCardOrderRoutes(api: Api, dependencies: Dependencies): void {
  const created = {
    operationId: 'createGiftCardOrder',
    summary: 'Buy gift cards',
    description:
      'Answers 00 with the cards, 01, or 02 while the cards are not delivered yet: then look the order up. The wallet pays the current quote.',
    tags,
    body: orderBody,
    response: { 200: giftCardOrderAnswer },
    refusals: [
      ...orderRefusals('GIFTCARD'),
      unknownGiftCard,
      faceValueOutOfRange,
      { code: 'card_not_available', role: 'plan', fulfillment: 'out_of_stock', detail: undefined },
      { code: 'channel_not_offered', channel: 'sms', offered: ['email'] },
      shown('missing_channel', noChannel()),
      shown('missing_destination', noDestination('email')),
      { code: 'order_not_served' },
      { code: 'availability_unknown' },
      { code: 'no_exchange_rate', currency: 'USD' },
    ] as const,
  };
  api.post('/v1/giftcards/orders', { schema: created, config }, async (request) => {
    const order = await create(dependencies, request, request.body);
    request.purchaseReference = order.id;
    return orderEnvelope(order);
  });
  const found = {
    operationId: 'getGiftCardOrder',
    summary: 'Look up an order of gift cards',
    description: 'Queries the provider while the order is pending.',
    tags,
    params: orderParams,
    response: { 200: giftCardOrderAnswer },
    refusals: [
      shown('unknown_order', notFound()),
      { code: 'purchases_locked' },
      { code: 'provider_look_ups_full' },
    ] as const,
  };
  api.get('/v1/giftcards/orders/:request_id', { schema: found }, async (request) => {
    const { request_id: reference } = request.params;
    const order = await dependencies.purchases.queryOrder(principalOf(request), 'GIFTCARD', reference);
    if (order === undefined) throw notFound();
    request.purchaseReference = order.id;
    return orderEnvelope(order);
  });
}

function notFound(): Refusal {
  return new Refusal(404, 'order_unknown', 'No order of gift cards with this request_id');
}

async function create(
  { catalog, purchases }: Dependencies,
  request: FastifyRequest,
  body: OrderBody,
): Promise<Order> {
  const principal = principalOf(request);
  requireActive(principal);
  purchases.requireOrders(principal, 'GIFTCARD');
  const destination = readDestination(body);
  const plan = requireGiftCard(catalog, principal, body.plan_id);
  const order = {
    product: 'GIFTCARD',
    principal,
    reference: body.request_id,
    plan,
    quantity: body.quantity ?? 1,
    faceValue: plan.faceValue ?? readFaceValue(body.face_value),
    destination,
  } as const;
  return await purchases.order(order, callerOf(request));
}

function readDestination({ send_via: sent, destination: text }: OrderBody): Destination | undefined {
  const channel = deliveryChannels.find((known) => known === sent?.toLowerCase());
  if (channel === undefined) {
    if (text !== undefined) throw noChannel();
    return undefined;
  }
  if (text === undefined) throw noDestination(channel);
  const destination = parseDestination(channel, text);
  if (destination === undefined) {
    throw refuseField(
      'destination',
      'destination_malformed',
      `destination must be ${destinationWords(channel)}`,
    );
  }
  return destination;
}

function noChannel(): Refusal {
  const message = `send_via is required where destination is set: ${deliveryChannels.join(', ')}`;
  return refuseField('send_via', 'channel_missing', message);
}

function noDestination(channel: DeliveryChannel): Refusal {
  const message = `destination is required where send_via is set: ${destinationWords(channel)}`;
  return refuseField('destination', 'destination_missing', message, 422);
}

function destinationWords(channel: DeliveryChannel): string {
  return channel === 'email'
    ? 'an e-mail address such as "ada@example.com"'
    : 'a phone number such as "08031234567" or "+447911123456"';
}
