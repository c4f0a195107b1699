/** Purchases and orders: the path of each kind, and of its lookup. */
import { type Buying, buy } from '../buy.ts';
import { pathOf } from '../call.ts';
import type { CreateAnswer, Operations, StatusAnswer } from '../generated/api.ts';
import { operations } from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { isObject } from '../read-answer.ts';
import { newReference } from '../reference.ts';

/** Adds the client's merchant and a new reference if they are absent. */
export type WithDefaults<Body> = Body extends { merchant: string; request_ref: string }
  ? Omit<Body, 'merchant' | 'request_ref'> & { merchant?: string; request_ref?: string }
  : never;

/** The same for orders. */
export type WithRequestId<Body> = Body extends { request_id: string }
  ? Omit<Body, 'request_id'> & { request_id?: string }
  : never;

/**
 * The result of a purchase. If its own answer was lost, it is built from the status, with the
 * additional fields of a status.
 */
export type PurchaseAnswer = Omit<CreateAnswer, 'data'> & {
  data: CreateAnswer['data'] & Partial<StatusAnswer['payload']>;
};

type PurchaseOperation = 'airtimeSync' | 'airtimeAsync' | 'dataSync' | 'dataAsync' | 'createTransaction';
type PurchaseInput = WithDefaults<Operations[PurchaseOperation]['body']>;
/**
 * The API's other names for fields that the client fills in, as callers without types may send
 * them.
 */
type AnyNames = PurchaseInput & { client_request_id?: string; merchant_code?: string };

export function buyPurchase(
  settings: Settings,
  operation: PurchaseOperation,
  input: PurchaseInput,
  options: CallOptions | undefined,
): Promise<PurchaseAnswer> {
  const { method, path } = operations[operation];
  const { client_request_id: otherReference, merchant_code: otherMerchant, ...own }: AnyNames = input;
  const given = own.request_ref ?? otherReference;
  const reference = given ?? newReference();
  const merchant = own.merchant ?? otherMerchant ?? settings.merchant;
  const body = { ...own, merchant, request_ref: reference };
  const buying: Buying<PurchaseAnswer> = {
    reference,
    isOwn: reference !== given,
    create: { method, path, body, reference },
    ask: { method: 'GET', path: operations.getTransactionStatus.path, query: { request_ref: reference } },
    readCreated: (value) => readCreated<PurchaseAnswer>(value, reference),
    readStatus: (value) => readStatus(value, reference),
    isSame: ({ data }) => isSamePurchase(input, data),
  };
  return buy(settings, buying, options);
}

type OrderAnswer = Operations['createGiftCardOrder' | 'createEsimOrder' | 'redeemVoucher']['answer'];

export function buyOrder<Answer extends OrderAnswer>(
  settings: Settings,
  operation: 'createGiftCardOrder' | 'createEsimOrder' | 'redeemVoucher',
  input: WithRequestId<Operations[typeof operation]['body']>,
  options: CallOptions | undefined,
): Promise<Answer> {
  const reference = input.request_id ?? newReference();
  const { method, path } = operations[operation];
  const look = operation === 'createGiftCardOrder' ? operations.getGiftCardOrder : operations.getEsimOrder;
  const buying: Buying<Answer> = {
    reference,
    isOwn: reference !== input.request_id,
    create: { method, path, body: { ...input, request_id: reference }, reference },
    ask: { method: 'GET', path: pathOf(look.path, { request_id: reference }) },
    readCreated: (value) => readCreated<Answer>(value, reference),
    readStatus: (value) => readCreated<Answer>(value, reference),
    isSame: ({ data }) => isSamePlan(input, data.plan),
  };
  return buy(settings, buying, options);
}

const outcomes: readonly unknown[] = ['success', 'failed', 'pending'];

function readCreated<Answer>(value: unknown, reference: string): Answer | undefined {
  if (!isObject(value) || !outcomes.includes(value.status) || !isObject(value.data)) return undefined;
  return value.data.request_id === reference ? (value as Answer) : undefined;
}

/** A status in the format of a purchase's own answer. */
function readStatus(value: unknown, reference: string): PurchaseAnswer | undefined {
  if (!isObject(value) || !outcomes.includes(value.state) || !isObject(value.payload)) return undefined;
  if (value.payload.request_id !== reference) return undefined;
  const { state, code, message, payload } = value as StatusAnswer;
  return { status: state, response_code: code, response_message: message, data: payload };
}

/**
 * Compares the customer and the amount in any spelling. A masked number such as `0803*******`
 * proves nothing, nor does a field that was not sent by its own name.
 */
function isSamePurchase(
  sent: PurchaseInput & { readonly customer_msisdn?: unknown },
  stored: PurchaseAnswer['data'],
): boolean {
  const { msisdn = sent.customer_msisdn, amount } = sent;
  const isUnknown = stored.msisdn.includes('*') || typeof msisdn !== 'string';
  const isSameCustomer = isUnknown || lastOf(msisdn) === lastOf(stored.msisdn);
  return isSameCustomer && (amount === undefined || Number(amount) === Number(stored.amount));
}

function lastOf(msisdn: string): string {
  return msisdn.replace(/^\+?234(?=\d{10}$)/, '').replace(/^0(?=\d{10}$)/, '');
}

function isSamePlan(sent: { plan_id?: unknown; plan?: unknown }, plan: string): boolean {
  return String(sent.plan_id ?? sent.plan).toLowerCase() === plan.toLowerCase();
}
