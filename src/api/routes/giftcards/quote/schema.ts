/** The card of a quote, and its price. */
import { type Static, Type } from 'typebox';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { faceValue, planId } from '../card.ts';

export const quoteQuery = Type.Object({ face_value: faceValue });

export const quoteBody = Type.Object(
  { plan_id: planId, face_value: faceValue },
  {
    ...bodyOptions,
    title: 'GiftCardQuoteBody',
    'x-examples': { card: { plan_id: 300002 }, card_of_a_value: { plan_id: 300002, face_value: 25 } },
  },
);

export type QuoteBody = Static<typeof quoteBody>;

export const quoteAnswer = goodsAnswer(
  'GiftCardQuoteAnswer',
  'The current price of one card.',
  Type.Object({
    plan_id: Type.Integer(),
    title: Type.String(),
    face_value: Type.Number({ description: 'of one card' }),
    currency_code: Type.String(),
    ngn_price: Type.String({ description: 'the naira debit per card' }),
    ngn_amount: Type.String({ description: 'the same as ngn_price' }),
  }),
  {
    quoted: goodsEnvelope('Quote of one card', {
      plan_id: 300002,
      title: 'Amazon US USD 25',
      face_value: 25,
      currency_code: 'USD',
      ngn_price: '39783.75',
      ngn_amount: '39783.75',
    }),
  },
);
