/** The number of cards, and whether they are available. */
import { Type } from 'typebox';
import { fulfillments } from '../../../../catalog/gift-card-plan.ts';
import { type Availability, isAvailable } from '../../../../purchases/orders/check-availability.ts';
import { availabilityWords } from '../../../plumbing/availability-words.ts';
import { words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
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
  Object.fromEntries(
    fulfillments.map((fulfillment) => [
      fulfillment,
      availabilityEnvelope({ fulfillment, detail: undefined }),
    ]),
  ),
);

/** The answer, with the provider's own message if it has one. */
export function availabilityEnvelope(availability: Availability) {
  const detail = availabilityWords(availability);
  const { fulfillment } = availability;
  return goodsEnvelope(detail, { available: isAvailable(availability), detail, fulfillment });
}
