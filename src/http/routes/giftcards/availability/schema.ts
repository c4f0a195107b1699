/** How many cards somebody wants, and whether they can be had. */
import { Type } from 'typebox';
import { fulfillments } from '../../../../catalog/gift-card-plan.ts';
import { words } from '../../../plumbing/fields.ts';
import { goodsAnswer } from '../../../plumbing/goods-answer.ts';
import { faceValue, quantity } from '../card.ts';

export const availabilityQuery = Type.Object({ quantity: Type.Optional(quantity), face_value: faceValue });

export const availabilityAnswer = goodsAnswer(
  'AvailabilityAnswer',
  'Whether the card can be bought now.',
  Type.Object({
    available: Type.Boolean(),
    detail: Type.String(),
    fulfillment: words(fulfillments, {
      description: 'immediate, standard: can be bought; out_of_stock, preorder: an order is refused',
    }),
  }),
  {
    available: true,
    detail: 'Available: the card comes with the order',
    fulfillment: 'immediate',
  },
);
