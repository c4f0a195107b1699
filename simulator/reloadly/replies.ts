/** Reloadly's replies: records of orders, cards, products, refusals. */
import { randomUUID } from 'node:crypto';
import type { Order } from '../books.ts';
import { digitsFrom } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber } from '../naira.ts';
import { type Catalog, nairaPerUnit, type Product } from './catalog.ts';

export function refusal(status: number, errorCode: string | null, message: string): Reply {
  const timeStamp = timeText(new Date());
  return json({ timeStamp, message, path: '/', errorCode, infoLink: null, details: [] }, status);
}

export const notFound = refusal(404, 'TRANSACTION_NOT_FOUND', 'Transaction not found');

/** Reloadly's error replies. */
export const words: Words = {
  odd: { transactionId: 1, status: 'ON_HOLD' },
  noAccess: refusal(400, 'INACTIVE_ACCOUNT', 'Your account is not active'),
  floatOut: refusal(400, 'INSUFFICIENT_BALANCE', 'You do not have enough balance'),
  billerDown: refusal(
    400,
    'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT',
    'The transaction cannot be processed at the moment',
  ),
  unauthorized: refusal(401, 'INVALID_TOKEN', 'The access token is not good'),
  rateLimited: refusal(429, null, 'Too many requests'),
  stranger: (proper) => {
    const { content = [{}] } = proper as { readonly content?: readonly object[] };
    const strangers = content.map((record) => ({
      ...record,
      status: 'SUCCESSFUL',
      customIdentifier: randomUUID(),
    }));
    return { ...(proper as object), content: strangers };
  },
  // Many refusals differ by their message only.
  bareRefusal: refusal(400, null, 'This product is currently not available'),
  otherAmount: (proper) => {
    const { content } = proper as { readonly content?: readonly object[] };
    const halve = (record: object): object => {
      const { product = {} } = record as { readonly product?: { readonly unitPrice?: number } };
      return { ...record, product: { ...product, unitPrice: (product.unitPrice ?? 0) / 2 } };
    };
    return content === undefined
      ? halve(proper as object)
      : { ...(proper as object), content: content.map(halve) };
  },
};

const STATES = { pending: 'PROCESSING', delivered: 'SUCCESSFUL', failed: 'REFUNDED' } as const;

/** The record of an order: the reply to a purchase, and its part in the reports. */
export function record(order: Order, catalog: Catalog): Record<string, unknown> {
  const { productId = '', quantity = '1', unitPrice = '', currency = '', transactionId = '' } = order.detail;
  const product = catalog.find(Number(productId));
  return {
    transactionId: Number(transactionId),
    amount: nairaNumber(order.cost),
    discount: 0,
    currencyCode: 'NGN',
    fee: 0,
    smsFee: 0,
    totalFee: 0,
    recipientEmail: null,
    recipientPhone: null,
    // Reloadly's own spelling, in addition to the correct one.
    receipientPhone: null,
    balaneInfo: { cost: nairaNumber(order.cost), currencyCode: 'NGN', currencyName: 'Nigerian Naira' },
    customIdentifier: order.reference,
    status: STATES[order.status],
    product: {
      productId: Number(productId),
      productName: product?.name,
      countryCode: product?.country,
      quantity: Number(quantity),
      unitPrice: Number(unitPrice),
      totalPrice: nairaNumber(order.amount),
      currencyCode: currency,
      brand: { brandId: 1, brandName: product?.brand },
    },
    transactionCreatedTime: timeText(order.acceptedAt),
    preOrdered: false,
  };
}

/**
 * The cards that are available so far: all except the last if the rest comes later. `v2` also has
 * the claim link.
 */
export function cards(order: Order, version: 'v1' | 'v2', now: Date): readonly Record<string, unknown>[] {
  const quantity = Number(order.detail.quantity);
  const count = order.goodsAt !== undefined && order.goodsAt > now ? quantity - 1 : quantity;
  return Array.from({ length: count }, (_, index) => {
    const name = `${order.reference} ${order.copy ?? ''} ${index}`;
    const cardNumber = digitsFrom(name, 'card').slice(0, 16);
    const pinCode = digitsFrom(name, 'card pin').slice(0, 6);
    const redemptionUrl = `https://claim.example/${digitsFrom(name, 'claim')}`;
    return version === 'v2' ? { cardNumber, pinCode, redemptionUrl } : { cardNumber, pinCode };
  });
}

export type Sale = 'sold' | 'for later' | 'not sold';

export function productRecord(product: Product, sale: Sale = 'sold'): Record<string, unknown> {
  const { currency, values, min, max } = product;
  const rate = nairaPerUnit(currency);
  return {
    productId: product.productId,
    productName: product.name,
    global: product.country === undefined,
    supportsPreOrder: sale === 'for later',
    status: sale === 'sold' ? 'ACTIVE' : 'INACTIVE',
    senderFee: 0,
    senderFeePercentage: 0,
    discountPercentage: 3,
    denominationType: values === undefined ? 'RANGE' : 'FIXED',
    recipientCurrencyCode: currency,
    recipientCurrencyToSenderCurrencyExchangeRate: rate,
    minRecipientDenomination: values === undefined ? nairaNumber(min) : null,
    maxRecipientDenomination: values === undefined ? nairaNumber(max) : null,
    senderCurrencyCode: 'NGN',
    fixedRecipientDenominations: (values ?? []).map(nairaNumber),
    fixedSenderDenominations: values === undefined ? null : values.map((value) => nairaNumber(value) * rate),
    logoUrls: [],
    brand: { brandId: 1, brandName: product.brand },
    category: { id: 1, name: product.category },
    country: product.country === undefined ? null : { isoName: product.country, name: product.country },
    redeemInstruction: { concise: INSTRUCTIONS, verbose: INSTRUCTIONS },
    additionalRequirements: { userIdRequired: false },
  };
}

const INSTRUCTIONS = 'Enter the code at the shop.';

export function redeemInstruction({ productId, name, brand }: Product): Record<string, unknown> {
  const texts = { concise: INSTRUCTIONS, verbose: INSTRUCTIONS };
  return { productId, productName: name, brandId: 1, brandName: brand, ...texts };
}

export function discount({ productId, name, country }: Product): Record<string, unknown> {
  const product = { productId, productName: name, countryCode: country, global: country === undefined };
  return { product, discountPercentage: 3 };
}

/** A page as Spring writes them; pages count from 1 in the request and from 0 in the reply. */
export function page(rows: readonly unknown[], number: number, size: number): Record<string, unknown> {
  const content = rows.slice((number - 1) * size, number * size);
  const totalPages = Math.ceil(rows.length / size);
  return {
    content,
    totalElements: rows.length,
    totalPages,
    last: number >= totalPages,
    first: number === 1,
    number: number - 1,
    size,
    numberOfElements: content.length,
  };
}

/** `2026-10-08 14:05:11`, UTC. */
function timeText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
