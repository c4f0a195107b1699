/** The calls that buy. An order and its delivery are on disk before any answer goes out. */
import { randomUUID } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil, type Words } from '../misbehave.ts';
import { parseNaira } from '../naira.ts';
import { NETWORKS, type Smeplug, STATES } from './smeplug.ts';

export function refusal(msg: string, status = 400): Reply {
  return json({ status: false, msg }, status);
}

export const unauthorized = refusal('Invalid Authorization. Confirm your secret key', 403);

export const words: Words = {
  odd: { status: true, data: { current_status: 'queued' } },
  noAccess: unauthorized,
  floatOut: refusal('Insufficient balance'),
  billerDown: refusal('Network is down'),
  unauthorized,
  rateLimited: refusal('Too many requests', 429),
  stranger: (proper) => ({ ...(proper as object), status: 'success', reference: randomUUID() }),
  // A refusal with HTTP 200, which proves nothing.
  bareRefusal: refusal('Insufficient balance', 200),
};

const MOBILE = /^0[789][01]\d{8}$/;
const AMOUNT_MIN = 50_00n;

type Bought = Pick<Order, 'product' | 'recipient' | 'amount'>;

export async function pay(smeplug: Smeplug, product: 'airtime' | 'data', body: unknown): Promise<Reply> {
  const { account } = smeplug;
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const bought = readPurchase(smeplug, product, fields);
  if ('kind' in bought) return bought;
  const reference = fields.customer_reference;
  if (typeof reference !== 'string' || reference === '') return refusal('customer_reference is required');
  const fault = account.fault('pay', bought.recipient);
  await holdBack(fault);
  const order = newOrder(bought, reference, fault, new Date());
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    // Whether a used reference is refused is not known. Here it is refused.
    if (outcome === 'used') return refusal('Customer reference exist');
  }
  const msg = `${order.product} is ${STATES[order.status]}`;
  const data = { reference: order.detail.reference, current_status: STATES[order.status], msg };
  const reply = json({ status: true, data });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function readPurchase(
  { plans }: Smeplug,
  product: 'airtime' | 'data',
  { network_id, phone, amount, plan_id }: Record<string, unknown>,
): Bought | Reply {
  const network = String(network_id);
  if (!(network in NETWORKS)) return refusal('Invalid network');
  if (typeof phone !== 'string' || !MOBILE.test(phone)) return refusal('Invalid phone');
  if (product === 'data') {
    const plan = plans.get(network)?.get(String(plan_id));
    return plan === undefined ? refusal('Invalid plan') : { product, recipient: phone, amount: plan.price };
  }
  const naira = parseNaira(amount);
  return naira === undefined || naira < AMOUNT_MIN
    ? refusal('Invalid amount')
    : { product, recipient: phone, amount: naira };
}

function newOrder(bought: Bought, reference: string, fault: Fault | undefined, now: Date): Order {
  return {
    provider: 'smeplug',
    reference,
    ...bought,
    cost: bought.amount,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: { reference: randomUUID() },
  };
}
