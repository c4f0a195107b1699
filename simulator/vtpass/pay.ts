/**
 * `POST /pay`. The order and its delivery are on disk before any answer is sent. A fault that comes
 * "before" leaves no trace of the order.
 */
import type { Order } from '../books.ts';
import { type Fault, plainFault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { MAGIC, type Purchase, readPurchase } from './purchase.ts';
import { payReply, refusal, words } from './replies.ts';
import type { Vtpass } from './vtpass.ts';

export async function pay(vtpass: Vtpass, body: unknown): Promise<Reply> {
  const { account } = vtpass;
  const purchase = readPurchase(body, vtpass.catalog, new Date());
  if ('code' in purchase) return refusal(purchase.code);
  const fault = account.fault('pay', purchase.recipient) ?? magicFault(purchase.recipient);
  await holdBack(fault);
  const order = newOrder(purchase, fault ?? unservable(purchase), new Date());
  if (fault === undefined || executes(fault)) {
    const refused = await take(vtpass, order, purchase.service.serviceId);
    if (refused !== undefined) return refusal(refused);
  }
  const reply = json(payReply(order));
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

/** Records the order, or returns the code of its refusal. */
async function take(
  { account, lastOrders }: Vtpass,
  order: Order,
  serviceId: string,
): Promise<string | undefined> {
  if ((await account.find(order.reference)) !== undefined) return '014';
  if (account.settings.nearDuplicates && isNearDuplicate(lastOrders, `${serviceId} ${order.recipient}`)) {
    const { settles: _, ...rest } = order;
    const detail = { ...order.detail, refused: '019' };
    await account.take({ ...rest, cost: 0n, status: 'failed', finalAt: order.acceptedAt, detail });
    return '019';
  }
  const outcome = await account.take(order);
  if (outcome === 'taken') return undefined;
  return outcome === 'used' ? '014' : '018';
}

const NEAR_DUPLICATE_MS = 30_000;

function isNearDuplicate(lastOrders: Map<string, number>, key: string): boolean {
  const now = Date.now();
  const last = lastOrders.get(key) ?? 0;
  if (now - last < NEAR_DUPLICATE_MS) return true;
  // Deleted first, so that the map stays ordered by time and its oldest entries can be removed.
  lastOrders.delete(key);
  lastOrders.set(key, now);
  for (const [oldest, at] of lastOrders) {
    if (now - at < NEAR_DUPLICATE_MS) break;
    lastOrders.delete(oldest);
  }
  return false;
}

function magicFault(recipient: string): Fault | undefined {
  switch (recipient) {
    case MAGIC.pending:
      return plainFault('pending_then_success', true);
    case MAGIC.oddReply:
      return plainFault('odd_reply', true);
    case MAGIC.noReply:
      return plainFault('no_reply', true);
    case MAGIC.timeout:
      return plainFault('timeout', false);
    default:
      return undefined;
  }
}

/** Accepts a bill for an unknown customer, or one who cannot buy; it fails later. */
function unservable({ service, variation, recipient }: Purchase): Fault | undefined {
  if (service.bill === undefined || service.bill.isForPhone?.(service)) return undefined;
  const customer = service.bill.find(service, recipient, variation?.code);
  return customer?.canVend ? undefined : plainFault('refused', false);
}

const COMMISSION_PER_CENT = 3n;
let ordersTaken = 0;

function newOrder(purchase: Purchase, fault: Fault | undefined, now: Date): Order {
  const { service, variation, amount, recipient, phone, requestId } = purchase;
  ordersTaken += 1;
  const commissionRoundedDown = (amount * COMMISSION_PER_CENT) / 100n;
  return {
    provider: 'vtpass',
    reference: requestId,
    product: service.product,
    recipient,
    amount,
    cost: amount - commissionRoundedDown,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      productName: service.bill?.isByAmount ? service.name : (variation?.name ?? service.name),
      serviceId: service.serviceId,
      ...(variation && { variation: variation.code }),
      type: service.type,
      phone,
      transactionId: `${now.getTime()}${ordersTaken.toString().padStart(6, '0')}`,
      // How a failure is reported: refused at once, or accepted and then reversed.
      reversed: fault?.fault === 'pending_then_failed' || fault?.fault === 'reversed_later' ? 'yes' : 'no',
    },
  };
}
