/** Flutterwave's replies about bills, and its webhook of a bill that was pending. */
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { digitsFrom, findCustomer } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';

type Fields = Record<string, unknown>;

export function good(message: string, data: unknown, meta?: object): Reply {
  return json({ status: 'success', message, ...(meta && { meta }), data });
}

export function refusal(message: string, status = 400): Reply {
  return json({ status: 'error', message, data: null }, status);
}

/** Flutterwave's error replies. A refused address is answered in plain text. */
export const words: Words = {
  odd: { status: 'success', message: 'Bill payment successful', data: null },
  noAccess: { kind: 'text', status: 403, type: 'text/plain', text: 'Please whitelist your IP' },
  floatOut: refusal('Insufficient balance'),
  billerDown: refusal('Biller is unavailable'),
  unauthorized: refusal('Invalid authorization key', 401),
  rateLimited: refusal('Too many requests', 429),
  systemError: refusal('An error occurred. Please contact support', 503),
  bareRefusal: refusal('An error occurred'),
  stranger: (proper) =>
    changed(proper, { customer_reference: 'stranger', reference: 'stranger', tx_ref: 'x' }),
  otherAmount: (proper) => changed(proper, { amount: 1 }),
};

function changed(proper: unknown, fields: Fields): Fields {
  const reply = proper as { data?: Fields };
  return { ...reply, data: { ...reply.data, ...fields } };
}

/** The token of a delivered bill, with the key change tokens that come first. */
function tokenOf(order: Order, now: Date): string | null {
  const isLate = order.goodsAt !== undefined && order.goodsAt > now;
  if (order.detail.itemCode !== 'prepaid' || order.status !== 'delivered' || isLate) return null;
  const token = digitsFrom(order.reference, 'token');
  const { gets } = findCustomer('ELECTRICITY', order.recipient) ?? {};
  if (gets === 'debt cleared') return null;
  if (gets !== 'token and key change') return token;
  return `KCT1: ${digitsFrom(order.reference, 'kct1')}, KCT2: ${digitsFrom(order.reference, 'kct2')}, Token: ${token}`;
}

/** The data of the reply to an order. A pending one has no code. */
export function paymentData(order: Order, now: Date): Fields {
  return {
    phone_number: order.recipient,
    amount: nairaNumber(order.amount),
    network: order.product,
    ...(order.status === 'delivered' && { code: '200' }),
    tx_ref: order.detail.txRef,
    reference: order.reference,
    batch_reference: null,
    recharge_token: tokenOf(order, now),
    fee: 0,
  };
}

const STATUSES = { delivered: 'success', pending: 'pending', failed: 'failed' } as const;

/** A record: a pending one, and that of every second customer, has no status. */
export function recordOf(order: Order, now: Date): Fields {
  const hasStatus = order.status !== 'pending' && Number(order.recipient.slice(-1)) % 2 === 0;
  return {
    currency: 'NGN',
    customer_id: order.recipient,
    frequency: 'One Time',
    amount: `${nairaText(order.amount)}00`,
    fee: 0,
    product: order.product,
    product_name: order.detail.itemCode,
    commission: 0,
    transaction_date: order.acceptedAt.toISOString(),
    customer_reference: order.reference,
    country: 'NG',
    flw_ref: `BPUSSD${order.detail.txRef}`,
    tx_ref: order.detail.txRef,
    batch_id: null,
    extra: tokenOf(order, now),
    ...(hasStatus && { status: STATUSES[order.status] }),
  };
}

/** A row of the history, which names the order by its `tx_ref` only. */
export function historyRow(order: Order): Fields {
  return {
    customer_id: order.recipient,
    amount: nairaNumber(order.amount),
    product: order.product,
    transaction_date: order.acceptedAt.toISOString(),
    tx_ref: order.detail.txRef,
    status: order.status === 'delivered' ? 'Successful' : 'Pending',
  };
}

export function webhook(order: Order): Callback {
  return {
    body: {
      event: 'singlebillpayment.status',
      'event.type': 'SingleBillPayment',
      data: {
        customer: order.recipient,
        amount: nairaNumber(order.amount),
        network: order.product,
        tx_ref: order.detail.txRef,
        flw_ref: `BPUSSD${order.detail.txRef}`,
        batch_reference: null,
        customer_reference: order.reference,
        status: STATUSES[order.status],
        message: 'Bill payment',
        reference: null,
      },
    },
    headers: { 'verif-hash': 'simulator-secret-hash' },
    isAccepted: async (response) => response.ok,
  };
}
