/**
 * POST /v1/giftcards/orders and GET /v1/giftcards/orders/{request_id}: gift cards are bought, and
 * looked up until they are there.
 */

import type { Principal } from '../../../../merchants/merchant.ts';
import { requireActive } from '../../../../merchants/require-active.ts';
import { type Destination, deliveryChannels, parseDestination } from '../../../../messages/destination.ts';
import type { Order } from '../../../../vending/orders/order.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { orderFieldNames } from '../../../plumbing/fault-words.ts';
import { orderEnvelope } from '../../../plumbing/order-answer.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { refusalAnswers } from '../../../plumbing/refusals.ts';
import { readFaceValue, requireGiftCard } from '../card.ts';
import { giftCardOrderAnswer, type OrderBody, orderBody, orderParams } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'goods' | 'requireOrders' | 'vending'>;

const tags = ['Gift cards'];
const config = { fieldNames: orderFieldNames, creates: true } as const;

export function registerGiftCardOrderRoutes(api: Api, dependencies: Dependencies): void {
  const created = {
    summary: 'Buy gift cards',
    description:
      'Answers 00 with the cards, 01, or 02 while they are on their way: then look the order up. The wallet pays the quote of this moment.',
    tags,
    body: orderBody,
    response: { 200: giftCardOrderAnswer, ...refusalAnswers(400, 404, 422, 502) },
  };
  api.post('/v1/giftcards/orders', { schema: created, config }, async (request) => {
    const order = await create(dependencies, principalOf(request), request.body);
    request.vendReference = order.id;
    return orderEnvelope(order);
  });
  const found = {
    summary: 'Look up an order of gift cards',
    description: 'Asks the provider while the order is pending.',
    tags,
    params: orderParams,
    response: { 200: giftCardOrderAnswer, ...refusalAnswers(400, 404) },
  };
  api.get('/v1/giftcards/orders/:request_id', { schema: found }, async (request) => {
    const { request_id: reference } = request.params;
    const order = await dependencies.vending.askOrder(principalOf(request), 'GIFTCARD', reference);
    if (order === undefined) throw new Refusal(404, 'No order of gift cards with this request_id');
    request.vendReference = order.id;
    return orderEnvelope(order);
  });
}

async function create(
  { goods, requireOrders, vending }: Dependencies,
  principal: Principal,
  body: OrderBody,
): Promise<Order> {
  requireActive(principal);
  requireOrders(principal, 'GIFTCARD');
  const destination = readDestination(body);
  const plan = requireGiftCard(goods, principal, body.plan_id);
  return await vending.order({
    product: 'GIFTCARD',
    principal,
    reference: body.request_id,
    plan,
    quantity: body.quantity ?? 1,
    faceValue: plan.faceValue ?? readFaceValue(body.face_value),
    destination,
  });
}

/** Without `send_via` the cards come with the order alone, and a destination says nothing. */
function readDestination({ send_via: sent, destination: text }: OrderBody): Destination | undefined {
  const channel = deliveryChannels.find((known) => known === sent?.toLowerCase());
  if (channel === undefined) return undefined;
  const right =
    channel === 'email'
      ? 'an e-mail address such as "ada@example.com"'
      : 'a phone number such as "08031234567" or "+447911123456"';
  if (text === undefined) {
    const message = `destination is required where send_via is set: ${right}`;
    throw refuseField('destination', message, 422);
  }
  const destination = parseDestination(channel, text);
  if (destination === undefined) throw refuseField('destination', `destination must be ${right}`);
  return destination;
}
