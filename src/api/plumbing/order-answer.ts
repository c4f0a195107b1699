/**
 * The answer to an order of gift cards or an eSIM: envelope A with the data of orders and the
 * goods. Pure.
 */
import { type Static, type TObject, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import type { OrderProduct } from '../../core/products/product.ts';
import type { OrderRecord } from '../../core/products/product-record.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { Order } from '../../purchases/orders/order.ts';
import type { Purchase } from '../../purchases/state/purchase.ts';
import { answer, optionalText, outcomeCode, outcomeCodes, statusWord } from './answer.ts';
import { sampleOrder } from './openapi/sample-purchases.ts';
import { failureFields, failureOf, outcomeWords } from './outcome-words.ts';
import { refundFields, refundOf } from './purchase-answer.ts';

const card = Type.Object(
  {
    card_number: optionalText('the number or code on the card'),
    pin: optionalText('its PIN'),
    claim_url: optionalText('the page on which to claim it'),
  },
  { additionalProperties: true },
);

/** The goods of an order. Only those that exist are sent. */
export const orderGoodsFields = {
  reference_code: optionalText("the provider's own reference, where it gave one"),
  cards: Type.Optional(
    Type.Array(card, { description: 'gift cards, once they are available: one for each that was ordered' }),
  ),
  iccid: optionalText('eSIM, once it is issued'),
  activation_code: optionalText('eSIM: the code to type in by hand'),
  smdp_address: optionalText('eSIM: the SM-DP+ address'),
  lpa: optionalText('eSIM: what the QR code says'),
  redemption_instructions: optionalText('eSIM: how to install it'),
};

/** The fields of an order in a list of purchases. */
export const orderTermsFields = {
  product_title: optionalText('gift cards and eSIMs: the title of the plan when it was ordered'),
  quantity: Type.Optional(Type.Integer({ description: 'gift cards: how many were ordered' })),
};

const esimGoods = ['iccid', 'activation_code', 'smdp_address', 'lpa', 'redemption_instructions'] as const;

type OrderTerms = Static<TObject<typeof orderTermsFields>>;
type OrderGoods = Static<TObject<typeof orderGoodsFields>>;

const orderFields = {
  status: statusWord,
  response_code: outcomeCode,
  response_message: Type.String(),
  data: Type.Object({
    request_id: Type.String(),
    product: Type.String(),
    internal_reference: Type.String({ format: 'uuid' }),
    product_title: Type.String(),
    plan: Type.String({ description: 'the plan_id' }),
    quantity: Type.Optional(Type.Integer()),
    amount: Type.String({ description: 'the price for the wallet, in naira with two decimals' }),
    merchant_id: Type.Integer(),
    created_at: Type.String({ description: 'RFC 3339' }),
    ...failureFields,
    telco_message: optionalText('the message of the provider'),
    ...orderGoodsFields,
    ...refundFields,
  }),
};

export function orderAnswer(title: string, product: OrderProduct) {
  return answer(
    title,
    'The current state of the order. A failed order is not an HTTP error.',
    orderFields,
    Object.fromEntries([
      ...(['success', 'pending', 'failed'] as const).map((status) => [
        `${product.toLowerCase()}_${status}`,
        orderEnvelope(sampleOrder(product, status)),
      ]),
      [
        'insufficient_funds',
        orderEnvelope({ ...sampleOrder(product, 'failed'), reason: 'insufficient_funds' }),
      ],
    ]),
  );
}

/** For orders of eSIMs, however they are paid. */
export const esimOrderAnswer = orderAnswer('EsimOrderAnswer', 'ESIM');

type OrderAnswer = Static<TObject<typeof orderFields>>;

export function orderEnvelope(order: Order): OrderAnswer {
  return {
    status: order.status,
    response_code: outcomeCodes[order.status],
    response_message: outcomeWords(order),
    data: {
      request_id: order.reference,
      product: order.product,
      internal_reference: order.id,
      product_title: order.title,
      plan: order.planCode ?? '',
      ...quantityOf(order),
      amount: formatAmount(order.charge),
      merchant_id: order.merchantId,
      created_at: formatRfc3339(order.createdAt),
      ...failureOf(order),
      ...(order.telcoMessage !== undefined && { telco_message: order.telcoMessage }),
      ...orderGoodsOf(order),
      ...refundOf(order),
    },
  };
}

export function orderTermsOf(purchase: Purchase): OrderTerms {
  return { ...(purchase.title !== undefined && { product_title: purchase.title }), ...quantityOf(purchase) };
}

function quantityOf(purchase: Purchase): Pick<OrderTerms, 'quantity'> {
  const { quantity } = purchase;
  return orderRecord(purchase)?.isCounted && quantity !== undefined ? { quantity } : {};
}

function orderRecord({ product }: Pick<Purchase, 'product'>): OrderRecord | undefined {
  const record = recordOf(product);
  return record?.kind === 'order' ? record : undefined;
}

/** The goods of a success. Those that are still missing are left out. */
export function orderGoodsOf(purchase: Purchase): OrderGoods {
  if (purchase.status !== 'success') return {};
  const { goods } = purchase;
  const told: OrderGoods = {};
  if (goods.reference_code !== undefined) told.reference_code = goods.reference_code;
  if (orderRecord(purchase)?.owes.goods === 'cards') {
    if (goods.cards !== undefined) told.cards = [...goods.cards];
    return told;
  }
  // The fields of the installation come with an ICCID or not at all.
  if (goods.iccid === undefined) return told;
  for (const name of esimGoods) {
    const value = goods[name];
    if (value !== undefined) told[name] = value;
  }
  return told;
}
