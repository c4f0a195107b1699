/**
 * The calls that buy: topup, data, electricity, cabletv, betting. On disk before any answer, as at
 * VTpass.
 */
import { randomUUID } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Fault } from '../faults.ts';
import type { Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import type { Nomba } from './nomba.ts';
import { type Purchase, readPurchase } from './purchase.ts';
import { purchaseReply, refusal, words } from './replies.ts';

/**
 * `kind` is the last segment of the path, `subAccount` the one after it, empty for the parent
 * account.
 */
export async function pay(nomba: Nomba, kind: string, subAccount: string, body: unknown): Promise<Reply> {
  const { account } = nomba;
  const purchase = readPurchase(kind, body, nomba.catalog);
  if ('refused' in purchase) return purchase.refused;
  const fault = account.fault('pay', purchase.recipient);
  await holdBack(fault);
  if (fault?.fault === 'unauthorized') nomba.tokens.revokeAll();
  const order = newOrder(purchase, subAccount, fault, new Date());
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    if (outcome === 'used') return refusal('02', 'Duplicate merchantTxRef');
  }
  const reply = purchaseReply(order);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

const TYPES: Readonly<Record<Purchase['product'], string>> = {
  airtime: 'topup',
  data: 'data',
  ELECTRICITY: 'electricity',
  CABLE: 'cabletv',
  BETTING: 'betting',
};

function newOrder(purchase: Purchase, subAccount: string, fault: Fault | undefined, now: Date): Order {
  const { reference, product, recipient, amount, meterType } = purchase;
  const type = TYPES[product];
  return {
    provider: 'nomba',
    reference,
    product,
    recipient,
    amount,
    cost: amount,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: {
      type,
      id: `API-${type.toUpperCase()}-${randomUUID()}`,
      rrn: now.getTime().toString(),
      subAccount,
      ...(meterType !== undefined && { meterType }),
    },
  };
}
