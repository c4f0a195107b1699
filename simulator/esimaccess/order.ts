/**
 * POST /esim/order. On disk before any answer, as at VTpass. A transaction id is taken once: the
 * same one again is the same request. The profile is allocated a while after the answer.
 */
import { randomInt } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import type { Package } from './catalog.ts';
import type { EsimAccess } from './esimaccess.ts';
import { good, refusal, words } from './replies.ts';

type Purchase = { readonly transactionId: string; readonly bundle: Package; readonly count: number };

export async function placeOrder(esimaccess: EsimAccess, body: unknown): Promise<Reply> {
  const { account } = esimaccess;
  const purchase = readPurchase(esimaccess, body);
  if ('kind' in purchase) return purchase;
  const fault = account.fault('pay', purchase.bundle.slug);
  await holdBack(fault);
  // A refused order leaves no trace.
  if (fault?.fault === 'refused') return refusal('200008', 'The order parameters are not right');
  const order = newOrder(purchase, fault, account.settings.allocateMs);
  let known: Order | undefined;
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    if (outcome === 'used') known = await account.find(order.reference);
  }
  const { orderNo } = (known ?? order).detail;
  const reply = good({ orderNo, transactionId: order.reference });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

const TRANSACTION_ID_LENGTH_MAX = 50;

function readPurchase({ catalog }: EsimAccess, body: unknown): Purchase | Reply {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { transactionId, amount, packageInfoList: list } = fields;
  if (typeof transactionId !== 'string' || transactionId === '') {
    return refusal('000105', 'transactionId is missing');
  }
  if (transactionId.length > TRANSACTION_ID_LENGTH_MAX) return refusal('000107', 'transactionId is too long');
  const [wanted, ...others] = (Array.isArray(list) ? list : []) as Record<string, unknown>[];
  if (wanted === undefined || others.length > 0) {
    return refusal('200008', 'One package is sold at a time here');
  }
  const count = Number(wanted.count ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > ESIMS_MAX) {
    return refusal('200008', `From 1 to ${ESIMS_MAX} eSIMs are sold at a time`);
  }
  const bundle = catalog.find(String(wanted.packageCode ?? wanted.slug));
  if (bundle === undefined) return refusal('310241', 'The package code does not exist');
  if (differs(wanted.price, bundle.price)) return refusal('200005', 'The package price is not right');
  if (differs(amount, count * bundle.price)) return refusal('200006', 'The total is not right');
  return { transactionId, bundle, count };
}

const ESIMS_MAX = 30;

/** An absent field counts as equal, as does a number sent as text. */
function differs(told: unknown, right: number): boolean {
  return told !== undefined && told !== null && String(told) !== String(right);
}

const NUMBER_MAX = 2 ** 47;
const UNITS_PER_CENT = 100;
const NAIRA_PER_DOLLAR = 1_500n;

function newOrder(purchase: Purchase, fault: Fault | undefined, allocateMs: number): Order {
  const { transactionId, bundle, count } = purchase;
  const now = new Date();
  const cents = BigInt(Math.ceil((count * bundle.price) / UNITS_PER_CENT));
  const allocated =
    fault === undefined && allocateMs > 0
      ? ({
          status: 'pending',
          settles: { at: new Date(now.getTime() + allocateMs), to: 'delivered', callbacks: 1 },
        } as const)
      : fateOf(fault, now);
  return {
    provider: 'esimaccess',
    reference: transactionId,
    product: 'ESIM',
    // Without an owner: it is returned to any caller.
    recipient: '',
    amount: cents,
    cost: cents * NAIRA_PER_DOLLAR,
    acceptedAt: now,
    ...allocated,
    detail: {
      orderNo: `B${randomInt(1, NUMBER_MAX)}`,
      esimTranNo: String(randomInt(1, NUMBER_MAX)),
      count: String(count),
      slug: bundle.slug,
      megabytes: String(bundle.megabytes),
      days: String(bundle.days),
      currency: 'USD',
    },
  };
}
