/** Reads the body of `POST /pay`: what is bought for whom, or VTpass's code for what is wrong with it. Pure. */
import { parseNaira } from '../naira.ts';
import { AIRTIME_MAX, AIRTIME_MIN, type Catalog, type Service, type Variation } from './catalog.ts';

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

/** `now` decides whether the id is of today. */
export function readPurchase(
  body: unknown,
  catalog: Catalog,
  now: Date,
): Purchase | { readonly code: string } {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { request_id: requestId, serviceID, phone } = fields;
  if (typeof requestId !== 'string' || !isRequestId(requestId, now)) return { code: '085' };
  const service = catalog.get(String(serviceID));
  if (service === undefined) return { code: '012' };
  const recipient = service.product === 'data' ? fields.billersCode : phone;
  if (!isRecipient(phone) || !isRecipient(recipient)) return { code: '011' };
  const common = { requestId, service, phone, recipient };
  if (service.product === 'data') {
    const variation = service.variations.get(String(fields.variation_code));
    // The amount that came along is ignored: the price is the variation's.
    return variation === undefined ? { code: '010' } : { ...common, variation, amount: variation.price };
  }
  const amount = parseNaira(fields.amount);
  if (amount === undefined) return { code: '011' };
  if (amount < AIRTIME_MIN) return { code: '013' };
  if (amount > AIRTIME_MAX) return { code: '017' };
  return { ...common, variation: undefined, amount };
}

function isRecipient(value: unknown): value is string {
  return typeof value === 'string' && (MOBILE.test(value) || MAGIC_NUMBERS.includes(value));
}

const LAGOS_OFFSET_MS = 60 * 60 * 1000;

/** Begins with a minute of today in Lagos, YYYYMMDDHHmm; letters and digits after it. */
function isRequestId(id: string, now: Date): boolean {
  const today = new Date(now.getTime() + LAGOS_OFFSET_MS).toISOString().slice(0, 10).replaceAll('-', '');
  return id.startsWith(today) && /^\d{8}(?:[01]\d|2[0-3])[0-5]\d[0-9A-Za-z]*$/.test(id);
}
