/** The body of an order of gift cards, and its answer. */
import { type Static, Type } from 'typebox';
import { deliveryChannels } from '../../../../notifications/messages/destination.ts';
import { anyCase, bodyOptions, requestId } from '../../../plumbing/fields.ts';
import { orderAnswer } from '../../../plumbing/order-answer.ts';
import { faceValue, planId, quantity } from '../card.ts';

const orderId = requestId(100, 'card-20261121-0001');

export const orderParams = Type.Object({ request_id: orderId });

export const orderBody = Type.Object(
  {
    request_id: orderId,
    plan_id: planId,
    quantity: Type.Optional(quantity),
    face_value: faceValue,
    send_via: anyCase(deliveryChannels, `one of ${deliveryChannels.join(', ')}, in any letter case`),
    destination: Type.Optional(
      Type.String({
        description: 'the e-mail address or phone number that receives the card',
        minLength: 1,
        maxLength: 254,
      }),
    ),
  },
  {
    ...bodyOptions,
    title: 'GiftCardOrderBody',
    'x-examples': {
      card: { request_id: 'card-20261121-0001', plan_id: 300002 },
      cards_by_email: {
        request_id: 'card-20261121-0002',
        plan_id: 300002,
        quantity: 2,
        send_via: 'email',
        destination: 'ada@example.com',
      },
    },
  },
);

export type OrderBody = Static<typeof orderBody>;

export const giftCardOrderAnswer = orderAnswer('GiftCardOrderAnswer', 'GIFTCARD');
