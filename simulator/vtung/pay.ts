/** The calls that buy: airtime, data, electricity, tv, betting. On disk before any answer. */
import type { Order } from '../books.ts';
import { type BillProduct, findCustomer } from '../customers.ts';
import { type Fault, plainFault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { parseNaira } from '../naira.ts';
import { orderReply, refusal, words } from './replies.ts';
import type { Vtung } from './vtung.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Kind = 'airtime' | 'data' | 'electricity' | 'tv' | 'betting';

type Purchase = {
  readonly reference: string;
  readonly product: string;
  readonly service: string;
  readonly variation: string | undefined;
  readonly recipient: string;
  readonly amount: bigint;
};

const PRODUCTS: Readonly<Record<Kind, string>> = {
  airtime: 'airtime',
  data: 'data',
  electricity: 'ELECTRICITY',
  tv: 'CABLE',
  betting: 'BETTING',
};

const MOBILE = /^(?:0|234)[789][01]\d{8}$/;
const MOBILE_SERVICES = ['mtn', 'glo', 'airtel', '9mobile'];
const METERS = [
  ...['ikeja', 'eko', 'kano', 'portharcourt', 'jos', 'ibadan', 'kaduna', 'abuja', 'enugu'],
  ...['benin', 'aba', 'yola'],
].map((disco) => `${disco}-electric`);
/** With exactly these letters. */
const BETTING = [
  ...['1xBet', 'BangBet', 'Bet9ja', 'BetKing', 'BetLand', 'BetLion', 'BetWay', 'CloudBet'],
  ...['LiveScoreBet', 'MerryBet', 'NaijaBet', 'NairaBet', 'SportyBet', 'SupaBet'],
];

export const SERVICES: Readonly<Record<Kind, readonly string[]>> = {
  airtime: MOBILE_SERVICES,
  data: [...MOBILE_SERVICES, 'smile'],
  electricity: METERS,
  tv: ['dstv', 'gotv', 'startimes', 'showmax'],
  betting: BETTING,
};

export async function pay(vtung: Vtung, kind: Kind, body: unknown): Promise<Reply> {
  const { account } = vtung;
  const purchase = readPurchase(vtung, kind, (body ?? {}) as Fields);
  if ('refused' in purchase) return purchase.refused;
  const fault = account.fault('pay', purchase.recipient);
  await holdBack(fault);
  if (fault?.fault === 'unauthorized') vtung.tokens.revoke();
  const order = newOrder(purchase, fault ?? unservable(purchase), new Date());
  if (fault === undefined || executes(fault)) {
    if (isNearDuplicate(vtung, purchase)) {
      return refusal('duplicate_order', 'Duplicate order detected, try again in 3 minutes', 409);
    }
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    if (outcome === 'used') return refusal('duplicate_request_id', 'Duplicate request_id', 409);
  }
  const reply = orderReply(order);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function readPurchase(
  { variations }: Vtung,
  kind: Kind,
  fields: Fields,
): Purchase | { readonly refused: Reply } {
  const { request_id: reference, service_id, variation_id } = fields;
  const service = String(service_id);
  const isForPhone = kind === 'airtime' || kind === 'data';
  const recipient = isForPhone ? fields.phone : fields.customer_id;
  if (typeof reference !== 'string' || typeof recipient !== 'string' || service_id === undefined) {
    return { refused: refusal('missing_fields', 'Missing required fields', 400) };
  }
  const variation = variation_id === undefined ? undefined : String(variation_id);
  const amount =
    kind === 'data' || kind === 'tv'
      ? variations[kind].get(service)?.get(variation ?? '')?.price
      : parseNaira(fields.amount);
  const isKnown = SERVICES[kind].includes(service) && reference.length <= 50;
  const isMeterKind = kind !== 'electricity' || variation === 'prepaid' || variation === 'postpaid';
  if (!isKnown || amount === undefined || !isMeterKind || (isForPhone && !MOBILE.test(recipient))) {
    return { refused: refusal('invalid_field', 'A field is not valid', 400) };
  }
  return { reference, product: PRODUCTS[kind], service, variation, recipient, amount };
}

/** Accepts a bill for an unknown customer, or one who cannot buy, and fails it at once. */
function unservable({ product, service, variation, recipient }: Purchase): Fault | undefined {
  if (product === 'airtime' || product === 'data') return undefined;
  const customer = findCustomer(product as BillProduct, recipient, asOf(product, service, variation));
  return customer?.canVend ? undefined : plainFault('refused', false);
}

/** The kind of meter or the cable network that a customer is looked up as. */
export function asOf(product: string, service: string, variation: string | undefined): string | undefined {
  if (product === 'ELECTRICITY') return variation;
  return product === 'CABLE' ? service.toUpperCase() : undefined;
}

const NEAR_DUPLICATE_MS = 180_000;

function isNearDuplicate({ account }: Vtung, { reference, recipient, amount, service }: Purchase): boolean {
  if (!account.settings.nearDuplicates) return false;
  const since = Date.now() - NEAR_DUPLICATE_MS;
  return account
    .orders()
    .some(
      (order) =>
        order.reference !== reference &&
        order.recipient === recipient &&
        order.amount === amount &&
        order.detail.service === service &&
        order.acceptedAt.getTime() > since,
    );
}

const DISCOUNT_PER_CENT = 2n;
let ordersTaken = 0;

function newOrder(purchase: Purchase, fault: Fault | undefined, now: Date): Order {
  const { reference, product, recipient, amount, service, variation } = purchase;
  ordersTaken += 1;
  return {
    provider: 'vtung',
    reference,
    product,
    recipient,
    amount,
    cost: amount - (amount * DISCOUNT_PER_CENT) / 100n,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      service,
      ...(variation !== undefined && { variation }),
      orderId: String((now.getTime() % 1_000_000_000) * 1_000 + (ordersTaken % 1_000)),
      takenBack: fault?.fault === 'refused' ? 'no' : 'yes',
    },
  };
}
