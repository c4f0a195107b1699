/** The calls that buy. An order and its delivery are on disk before any answer goes out. */
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import { json, type Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import type { Clubkonnect } from './clubkonnect.ts';
import { type Purchase, readPurchase } from './purchase.ts';
import { purchaseBody, refusal, words } from './replies.ts';

const REQUEST_ID = /^[0-9A-Za-z]{1,20}$/;

/** Undefined for a path that buys nothing. */
export async function pay(
  { account, catalog }: Clubkonnect,
  path: string,
  query: URLSearchParams,
): Promise<Reply | undefined> {
  const purchase = readPurchase(path, query, catalog);
  if (purchase === undefined) return undefined;
  const reference = query.get('RequestID') ?? '';
  if (!REQUEST_ID.test(reference)) return refusal('MISSING_REQUESTID');
  if ('refused' in purchase) return refusal(purchase.refused);
  const fault = account.fault('pay', purchase.recipient);
  await holdBack(fault);
  let order = newOrder(purchase, reference, fault, new Date());
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    // Whether a used id returns the first order is not known. Here it does.
    if (outcome === 'used') order = (await account.find(reference)) ?? order;
  }
  const reply = json(purchaseBody(order));
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

let ordersTaken = 0;

function newOrder(purchase: Purchase, reference: string, fault: Fault | undefined, now: Date): Order {
  const { product, recipient, amount, discount, detail } = purchase;
  ordersTaken += 1;
  return {
    provider: 'clubkonnect',
    reference,
    product,
    recipient,
    amount,
    cost: amount - (amount * discount) / 100n,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      ...detail,
      orderid: `${now.getTime()}${ordersTaken.toString().padStart(4, '0')}`,
      reversed: fault?.fault === 'pending_then_failed' || fault?.fault === 'reversed_later' ? 'yes' : 'no',
    },
  };
}
