/** EasyAccess's replies in its two APIs. */
import type { Order } from '../books.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';

/** An error of the new API. Its HTTP status is 200, whatever the code. */
export function failed(message: string, code: 400 | 401 = 400): Reply {
  return json({ code, status: 'failed', message });
}

export function statusOf({ status }: Order): 'success' | 'pending' | 'failed' {
  return status === 'delivered' ? 'success' : status;
}

const MESSAGES = {
  success: 'Transaction successful',
  pending: 'Transaction is processing',
  failed: 'Transaction failed at the network',
} as const;

export function dataReply(order: Order): Reply {
  const status = statusOf(order);
  return json({
    code: status === 'pending' ? 201 : 200,
    status,
    message: MESSAGES[status],
    true_response: MESSAGES[status],
    reference: order.detail.reference,
    amount: nairaNumber(order.cost),
    mobileno: order.recipient,
    client_reference: order.reference,
    transaction_date: order.acceptedAt.toISOString(),
  });
}

export function queryReply(order: Order): Reply {
  return json({
    code: '200',
    status: 'success',
    message: MESSAGES[statusOf(order)],
    retrieved_status: statusOf(order),
    reference: order.detail.reference,
    amount: nairaText(order.cost),
  });
}

/** The old API writes the flag as a boolean, or as a text for every second number. */
export function airtimeReply(isSuccess: boolean, order?: Order): Reply {
  const isText = Number(order?.recipient.slice(-1) ?? 0) % 2 === 1;
  const message = isSuccess ? 'Airtime purchase successful' : 'Airtime purchase failed';
  return json({ success: isText ? String(isSuccess) : isSuccess, message });
}

const common = {
  odd: { code: 299, status: 'queued', message: 'UNEXPECTED', success: 'maybe' },
  unauthorized: failed('Unauthorized', 401),
  rateLimited: json({ message: 'Too Many Attempts.' }, 429),
  noAccess: failed('Account is not authorized', 401),
  billerDown: json({ message: 'Service Unavailable' }, 503),
};

export const dataWords: Words = {
  ...common,
  floatOut: failed('Insufficient balance'),
  stranger: (proper) => ({
    ...(proper as object),
    reference: 'EA-of-another',
    client_reference: 'stranger-1',
  }),
};

export const airtimeWords: Words = {
  ...common,
  floatOut: json({ success: 'false', message: 'Insufficient balance' }),
  noAccess: json({ success: 'false', message: 'Invalid Authorization Token' }),
  unauthorized: json({ success: 'false', message: 'Invalid Authorization Token' }),
  stranger: (proper) => ({ ...(proper as object), client_reference: 'stranger-1' }),
};
