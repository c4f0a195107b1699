/** Reads the body of `POST /pay`, or returns VTpass's error code for it. Pure. */
import { parseNaira } from '../naira.ts';
import { presentBouquet } from './bouquet.ts';
import type { Catalog, Service, Variation } from './catalog.ts';

export type Purchase = {
  readonly requestId: string;
  readonly service: Service;
  readonly variation: Variation | undefined;
  readonly recipient: string;
  readonly phone: string;
  readonly amount: bigint;
};

/** Numbers of VTpass's documentation that misbehave; they are no mobile numbers. */
export const MAGIC = {
  pending: '201000000000',
  oddReply: '500000000000',
  noReply: '400000000000',
  timeout: '300000000000',
} as const;

const MAGIC_NUMBERS: readonly string[] = Object.values(MAGIC);
const MOBILE = /^(?:0|234)[789][01]\d{8}$/;

type Fields = Readonly<Record<string, unknown>>;
type Refused = { readonly code: string };

/** `now` decides whether the id is of today. */
export function readPurchase(body: unknown, catalog: Catalog, now: Date): Purchase | Refused {
  const fields: Fields = typeof body === 'object' && body !== null ? (body as Fields) : {};
  const { request_id: requestId, serviceID } = fields;
  const phone = phoneOf(fields.phone);
  if (typeof requestId !== 'string' || !isRequestId(requestId, now)) return { code: '085' };
  const service = catalog.get(String(serviceID));
  if (service === undefined) return { code: '012' };
  const recipient = isForPhone(service) ? phone : recipientOf(service, fields.billersCode);
  if (!isMobile(phone) || !isRecipient(service, recipient)) return { code: '011' };
  const bought = readBought(fields, service, recipient);
  return 'code' in bought ? bought : { requestId, service, phone, recipient, ...bought };
}

type Bought = Pick<Purchase, 'variation' | 'amount'>;

function readBought(fields: Fields, service: Service, recipient: string): Bought | Refused {
  const amount = amountWithin(service, fields.amount);
  if (service.product === 'airtime') return 'code' in amount ? amount : { ...amount, variation: undefined };
  if (service.serviceId === 'dstv' || service.serviceId === 'gotv') {
    const { subscription_type: type } = fields;
    if (type === 'renew') return 'code' in amount ? amount : renewal(service, recipient, amount.amount);
    // Clients that omit it have always changed the bouquet.
    if (type !== undefined && type !== 'change') return { code: '011' };
  }
  const variation = service.variations.get(String(fields.variation_code));
  if (variation === undefined) return { code: '010' };
  if (service.bill?.isByAmount) return 'code' in amount ? amount : { ...amount, variation };
  // The amount in the request is ignored: the price is that of the variation.
  return { variation, amount: variation.price };
}

/** Only a due bouquet is renewed. */
function renewal(service: Service, recipient: string, amount: bigint): Bought | Refused {
  const { bouquet, due } = presentBouquet(service, recipient);
  return amount === due ? { variation: bouquet, amount } : { code: '011' };
}

function amountWithin({ bounds }: Service, value: unknown): { readonly amount: bigint } | Refused {
  const amount = parseNaira(value);
  if (amount === undefined) return { code: '011' };
  if (amount < bounds.min) return { code: '013' };
  return amount > bounds.max ? { code: '017' } : { amount };
}

/** Airtime and some bills are for a phone; VTpass takes no other recipient with them. */
function isForPhone(service: Service): boolean {
  return service.product === 'airtime' || service.bill?.isForPhone?.(service) === true;
}

function recipientOf(service: Service, value: unknown): unknown {
  return service.bill === undefined ? phoneOf(value) : textOf(value);
}

/** Numbers are taken as well as text. */
export function textOf(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** A number has lost the 0 at its beginning. */
function phoneOf(value: unknown): unknown {
  const text = textOf(value);
  return typeof text === 'string' ? text.replace(/^\+/, '').replace(/^(?=[789][01]\d{8}$)/, '0') : text;
}

function isRecipient(service: Service, value: unknown): value is string {
  if (service.bill === undefined || isForPhone(service)) return isMobile(value);
  return typeof value === 'string' && service.bill.isPlausible(value);
}

function isMobile(value: unknown): value is string {
  return typeof value === 'string' && (MOBILE.test(value) || MAGIC_NUMBERS.includes(value));
}

const LAGOS_OFFSET_MS = 60 * 60 * 1000;

/** Begins with a minute of today in Lagos, YYYYMMDDHHmm; letters and digits after it. */
function isRequestId(id: string, now: Date): boolean {
  const today = new Date(now.getTime() + LAGOS_OFFSET_MS).toISOString().slice(0, 10).replaceAll('-', '');
  return id.startsWith(today) && /^\d{8}(?:[01]\d|2[0-3])[0-5]\d[0-9A-Za-z]*$/.test(id);
}
