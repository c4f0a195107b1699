/** How one purchase is looked up, and envelope B of the interface. */
import { type Static, Type } from 'typebox';
import { answer, outcomeCode, statusWord } from '../../../plumbing/answer.ts';
import { cleanText, text } from '../../../plumbing/fields.ts';
import { orderGoodsFields } from '../../../plumbing/order-answer.ts';
import { refundFields } from '../../../plumbing/refund-fields.ts';
import { goodsFields, purchaseFields, timeFields } from '../purchase.ts';

const lookupKey = text(`the request_ref of a purchase, 1 to 100 characters ${cleanText}`, {
  format: 'clean-text',
  examples: ['order-20261121-0001'],
});

/**
 * Exactly one of the three; the route counts them, so that its refusal can say so in one sentence.
 */
export const statusQuery = Type.Object({
  request_ref: Type.Optional(lookupKey),
  request_id: Type.Optional(lookupKey),
  client_request_id: Type.Optional(lookupKey),
});

export type StatusQuery = Static<typeof statusQuery>;

export const statusAnswer = answer('StatusAnswer', 'The purchase as it stands.', {
  state: statusWord,
  code: outcomeCode,
  message: Type.String(),
  payload: Type.Object({
    ...purchaseFields,
    merchant_name: Type.String(),
    ...timeFields,
    ...goodsFields,
    ...orderGoodsFields,
    ...refundFields,
  }),
});
