/** Nomba's webhook for a bill that was pending and became final, signed over nine of its fields. */
import { createHmac } from 'node:crypto';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { nairaNumber } from '../naira.ts';

const SIGNATURE_KEY = 'simulator-signature-key';
const USER_ID = '00000000-0000-4000-8000-00000000b001';
/** As in a sample of Nomba's own. */
const WALLET_ID = 'N/A';

export function webhook(order: Order): Callback {
  const time = (order.finalAt ?? order.acceptedAt).toISOString();
  const type = order.detail.type ?? '';
  const transactionId = order.detail.id ?? '';
  const event_type = order.status === 'delivered' ? 'payout_success' : 'payout_refund';
  const requestId = `${event_type}-${order.reference}`;
  const transaction = {
    transactionId,
    type,
    time,
    responseCode: '',
    merchantTxRef: order.reference,
    transactionAmount: nairaNumber(order.amount),
    fee: 0,
  };
  const timestamp = new Date().toISOString();
  const signed = [event_type, requestId, USER_ID, WALLET_ID, transactionId, type, time, '', timestamp];
  return {
    body: {
      event_type,
      requestId,
      data: { merchant: { userId: USER_ID, walletId: WALLET_ID }, transaction },
    },
    headers: {
      'nomba-signature': createHmac('sha256', SIGNATURE_KEY).update(signed.join(':')).digest('base64'),
      'nomba-signature-algorithm': 'HmacSHA256',
      'nomba-signature-version': '1.0.0',
      'nomba-timestamp': timestamp,
    },
    isAccepted: async (response) => response.ok,
  };
}
