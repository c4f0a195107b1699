/**
 * `POST /pay`. The order, and with it its delivery, is on disk before any answer goes out; a fault that comes "before"
 * leaves no trace of the order at all.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Order } from '../books.ts';
import { type Fault, plainFault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { executes, spoil } from './misbehave.ts';
import { MAGIC, type Purchase, readPurchase } from './purchase.ts';
import { payReply, refusal } from './replies.ts';
import { PROVIDER, type Vtpass } from './vtpass.ts';

export async function pay(vtpass: Vtpass, body: unknown): Promise<Reply> {
  const purchase = readPurchase(body, vtpass.catalog, new Date());
  if ('code' in purchase) return refusal(purchase.code);
  const fault = vtpass.faults.take('pay', purchase.recipient) ?? magicFault(purchase.recipient);
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs);
  const order = newOrder(purchase, fault, new Date());
  if (fault === undefined || executes(fault)) {
    const refused = await take(vtpass, order, purchase.service.serviceId);
    if (refused !== undefined) return refusal(refused, order.reference);
  }
  const reply = payReply(order);
  return fault === undefined ? json(reply) : spoil(fault, reply, vtpass.settings.timeoutMs);
}

/** Records the order, or says with which code it is refused. */
async function take(vtpass: Vtpass, order: Order, serviceId: string): Promise<string | undefined> {
  if ((await vtpass.books.find(PROVIDER, order.reference)) !== undefined) return '014';
  if (
    vtpass.settings.nearDuplicates &&
    isNearDuplicate(vtpass.lastOrders, `${serviceId} ${order.recipient}`)
  ) {
    return '019';
  }
  if (order.cost > vtpass.balance()) return '018';
  if (!(await vtpass.books.accept(order))) return '014';
  if (order.status === 'pending') vtpass.settleLater(order);
  return undefined;
}

const NEAR_DUPLICATE_MS = 30_000;

function isNearDuplicate(lastOrders: Map<string, number>, key: string): boolean {
  const now = Date.now();
  const last = lastOrders.get(key) ?? 0;
  if (now - last < NEAR_DUPLICATE_MS) return true;
  // Deleted first so that the map stays in order of time, and its stale front can be dropped.
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

const COMMISSION_PER_CENT = 3n;
let ordersTaken = 0;

function newOrder(purchase: Purchase, fault: Fault | undefined, now: Date): Order {
  const { service, variation, amount, recipient, phone, requestId } = purchase;
  ordersTaken += 1;
  const commissionRoundedDown = (amount * COMMISSION_PER_CENT) / 100n;
  return {
    provider: PROVIDER,
    reference: requestId,
    product: service.product,
    recipient,
    amount,
    cost: amount - commissionRoundedDown,
    acceptedAt: now,
    ...outcome(fault, now),
    detail: {
      productName: variation?.name ?? service.name,
      type: service.type,
      phone,
      transactionId: `${now.getTime()}${ordersTaken.toString().padStart(6, '0')}`,
      // How a failure is told: refused at once, or reversed after it was taken.
      reversed: fault?.fault === 'pending_then_failed' ? 'yes' : 'no',
    },
  };
}

function outcome(
  fault: Fault | undefined,
  now: Date,
): Pick<Order, 'status' | 'finalAt' | 'settles' | 'visibleAt'> {
  const settlesAt = new Date(now.getTime() + (fault?.settleMs ?? 0));
  switch (fault?.fault) {
    case 'refused':
      return { status: 'failed', finalAt: now };
    case 'pending_then_success':
      return { status: 'pending', settles: { at: settlesAt, to: 'delivered', callbacks: 1 } };
    case 'duplicate_callback':
      return { status: 'pending', settles: { at: settlesAt, to: 'delivered', callbacks: 2 } };
    case 'pending_then_failed':
      return { status: 'pending', settles: { at: settlesAt, to: 'failed', callbacks: 1 } };
    case 'late_visible':
      return { status: 'delivered', finalAt: now, visibleAt: new Date(now.getTime() + fault.lateVisibleMs) };
    default:
      return { status: 'delivered', finalAt: now };
  }
}
