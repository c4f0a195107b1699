/**
 * Reloadly's webhook for an order that was processing and became final, signed over its body and
 * the time of sending.
 */
import { createHmac } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';

const SIGNING_SECRET = 'simulator-signing-secret';

export function webhook(order: Order): Callback {
  const body = {
    type: 'giftcard_transaction.status',
    date: new Date().toISOString(),
    data: {
      transactionId: Number(order.detail.transactionId),
      customIdentifier: order.reference,
      status: order.status === 'delivered' ? 'SUCCESSFUL' : 'REFUNDED',
    },
  };
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', SIGNING_SECRET)
    .update(`${JSON.stringify(body)}:${timestamp}`)
    .digest('hex');
  return {
    body,
    headers: { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': timestamp },
    isAccepted: async (response) => response.ok,
  };
}
