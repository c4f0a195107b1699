/**
 * Envelope B of the interface: a purchase or an order as it stands. Its status is answered so, and
 * events tell of it so. Pure.
 */
import { type Static, type TObject, Type } from 'typebox';
import { isOrderProduct } from '../../core/products/product.ts';
import type { Vend } from '../../purchases/state/purchase.ts';
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

export function statusEnvelope(vend: Vend): Status {
  return {
    state: vend.status,
    code: outcomeCodes[vend.status],
    message: outcomeWords(vend),
    payload: {
      ...purchaseOf(vend),
      ...(isOrderProduct(vend.product) && orderTermsOf(vend)),
      merchant_name: vend.merchantName,
      ...timesOf(vend),
      ...failureOf(vend),
      ...goodsOf(vend),
      ...(isOrderProduct(vend.product) && orderGoodsOf(vend)),
      ...refundOf(vend),
    },
  };
}
