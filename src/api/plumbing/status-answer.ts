/**
 * Envelope B of the interface: the current state of a purchase or an order, in status answers and
 * in events. Pure.
 */
import { type Static, type TObject, Type } from 'typebox';
import { isOrderProduct } from '../../core/products/product.ts';
import type { Purchase } from '../../purchases/state/purchase.ts';
import { outcomeCode, outcomeCodes, statusWord } from './answer.ts';
import { orderGoodsFields, orderGoodsOf, orderTermsFields, orderTermsOf } from './order-answer.ts';
import { failureFields, failureOf, outcomeWords } from './outcome-words.ts';
import {
  goodsFields,
  goodsOf,
  purchaseFields,
  purchaseOf,
  refundFields,
  refundOf,
  timeFields,
  timesOf,
} from './purchase-answer.ts';

export const statusFields = {
  state: statusWord,
  code: outcomeCode,
  message: Type.String(),
  payload: Type.Object({
    ...purchaseFields,
    ...orderTermsFields,
    merchant_name: Type.String(),
    ...timeFields,
    ...failureFields,
    ...goodsFields,
    ...orderGoodsFields,
    ...refundFields,
  }),
};

type Status = Static<TObject<typeof statusFields>>;

export function statusEnvelope(purchase: Purchase): Status {
  return {
    state: purchase.status,
    code: outcomeCodes[purchase.status],
    message: outcomeWords(purchase),
    payload: {
      ...purchaseOf(purchase),
      ...(isOrderProduct(purchase.product) && orderTermsOf(purchase)),
      merchant_name: purchase.merchantName,
      ...timesOf(purchase),
      ...failureOf(purchase),
      ...goodsOf(purchase),
      ...(isOrderProduct(purchase.product) && orderGoodsOf(purchase)),
      ...refundOf(purchase),
    },
  };
}
