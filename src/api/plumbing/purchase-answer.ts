/**
 * A purchase in the API's form, for every answer: on create, by status and in the list. Formats
 * every text and amount. Pure.
 */
import { type Static, type TObject, Type } from 'typebox';
import { formatLocal } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import type { Purchase } from '../../purchases/state/purchase.ts';
import { optionalText } from './answer.ts';

export const purchaseFields = {
  internal_reference: Type.String({ format: 'uuid' }),
  msisdn: Type.String({ description: 'as it was sent' }),
  product: Type.String(),
  request_id: Type.String({ description: 'the request_ref of the purchase' }),
  network: Type.String({ description: 'in its canonical spelling' }),
  amount: Type.String({ description: 'naira with two decimals' }),
  plan: Type.String({ description: 'the plan as it was sent; empty for airtime' }),
  plan_code: optionalText('the code of the plan that is sold; absent for airtime'),
  merchant_id: Type.Integer(),
};

export function purchaseOf(purchase: Purchase): Static<TObject<typeof purchaseFields>> {
  const { planCode } = purchase;
  const answered: Static<TObject<typeof purchaseFields>> = {
    internal_reference: purchase.id,
    msisdn: purchase.msisdn,
    product: purchase.product,
    request_id: purchase.reference,
    network: purchase.network,
    amount: formatAmount(purchase.faceValue),
    plan: purchase.sentPlan ?? planCode ?? '',
    merchant_id: purchase.merchantId,
  };
  if (planCode !== undefined) answered.plan_code = planCode;
  return answered;
}

export const timeFields = {
  created_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
  updated_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
};

export function timesOf(purchase: Purchase): Static<TObject<typeof timeFields>> {
  return { created_at: formatLocal(purchase.createdAt), updated_at: formatLocal(purchase.updatedAt) };
}

/** The goods of a purchase, by product. Only those that exist are sent. */
export const goodsFields = {
  telco_message: optionalText('the message of the network or the biller'),
  token: optionalText('prepaid electricity: the recharge token'),
  units: optionalText('prepaid electricity: the units bought'),
  bonus_token: optionalText('prepaid electricity: a bonus token, if the company adds one'),
  kct1: optionalText('first key change token, to be loaded before the token'),
  kct2: optionalText('second key change token, to be loaded before the token'),
  payment_spent_on: optionalText('set when the payment cleared a debt; then there is no token'),
  customer_name: optionalText("the customer's name at the biller"),
  pins: Type.Optional(
    Type.Array(
      Type.Object({
        serial: optionalText('its serial number, if it has one'),
        pin: Type.String({ description: 'the PIN' }),
      }),
      { description: 'PINs, once they are available' },
    ),
  ),
};

type Goods = Static<TObject<typeof goodsFields>>;

/** The goods that have an API name. Others of a connector stay internal. */
const goodsNames = [
  'token',
  'units',
  'bonus_token',
  'kct1',
  'kct2',
  'payment_spent_on',
  'customer_name',
] as const;

export function goodsOf(purchase: Purchase): Goods {
  const told: Goods = {};
  if (purchase.telcoMessage !== undefined) told.telco_message = purchase.telcoMessage;
  for (const name of goodsNames) {
    const value = purchase.goods[name];
    if (value !== undefined) told[name] = value;
  }
  if (Array.isArray(purchase.goods.pins)) told.pins = purchase.goods.pins;
  return told;
}

/** The refund of a success. The outcome itself is unchanged. */
export const refundFields = {
  refunded_amount: Type.Optional(
    Type.String({ description: 'the sum of its refunds to the wallet, in naira with two decimals' }),
  ),
};

export function refundOf({ refunded }: Purchase): Static<TObject<typeof refundFields>> {
  return refunded === undefined ? {} : { refunded_amount: formatAmount(refunded) };
}
