/** VTU.ng's replies, with amounts as numbers or as text. */
import type { Order } from '../books.ts';
import { digitsFrom, unitsFor } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';

export function refusal(code: string, message: string, status: number): Reply {
  return json({ code, message, data: { status } }, status);
}

export const unauthorized = refusal('jwt_auth_invalid_token', 'Expired token', 403);

/** VTU.ng's error replies. */
export const words: Words = {
  odd: { code: 'partial', message: 'UNEXPECTED', data: null },
  noAccess: refusal('rest_forbidden', 'Sorry, you are not allowed to do that.', 403),
  floatOut: refusal('insufficient_funds', 'Insufficient wallet balance', 402),
  billerDown: refusal('service_unavailable', 'The service is not available at the moment', 503),
  unauthorized,
  rateLimited: refusal('rate_limit_exceeded', 'Too many requests', 429),
  systemError: refusal('internal_server_error', 'There has been a critical error', 500),
  bareRefusal: refusal('failure', 'Request failed.', 400),
  otherAmount: (proper) => withData(proper, { amount: 1 }),
  stranger: (proper) => withData(proper, { request_id: 'stranger-0000-4000' }),
};

function withData(proper: unknown, fields: object): unknown {
  const reply = proper as { readonly data?: object };
  return { ...reply, data: { ...reply.data, ...fields } };
}

export function statusOf({ status, detail }: Order): string {
  if (status === 'delivered') return 'completed-api';
  if (status === 'pending') return 'processing-api';
  return detail.takenBack === 'yes' ? 'refunded' : 'failed';
}

const MESSAGES: Readonly<Record<string, string>> = {
  'completed-api': 'ORDER COMPLETED',
  'processing-api': 'ORDER PROCESSING',
  refunded: 'ORDER REFUNDED',
  failed: 'ORDER FAILED',
};

/** The reply to a call that buys. */
export function orderReply(order: Order): Reply {
  return json(orderBody(order, { ...goodsOf(order) }));
}

/**
 * The reply to a requery. It has the token under `meta_data`, except for meters whose number ends
 * in 99.
 */
export function requeryReply(order: Order): Reply {
  const meta_data = order.recipient.endsWith('99') ? {} : goodsOf(order);
  return json(
    orderBody(order, {
      amount: nairaText(order.amount),
      amount_charged: nairaText(order.cost),
      date_created: order.acceptedAt.toISOString(),
      date_updated: (order.finalAt ?? order.acceptedAt).toISOString(),
      meta_data: { network: order.detail.service, ...meta_data },
    }),
  );
}

function orderBody(order: Order, more: object): object {
  const status = statusOf(order);
  return {
    code: 'success',
    message: MESSAGES[status],
    data: {
      order_id: Number(order.detail.orderId),
      status,
      request_id: order.reference,
      service_name: order.detail.service,
      amount: nairaNumber(order.amount),
      discount: nairaNumber(order.amount - order.cost),
      amount_charged: nairaNumber(order.cost),
      ...more,
    },
  };
}

/** The token of a prepaid meter, once it is there. */
function goodsOf(order: Order): Readonly<Record<string, string>> {
  const isLate = order.goodsAt !== undefined && order.goodsAt > new Date();
  if (order.detail.variation !== 'prepaid' || order.status !== 'delivered' || isLate) return {};
  const token = digitsFrom(order.reference, 'token').replace(/(\d{4})(?=\d)/g, '$1-');
  return { token, units: `${unitsFor(order.amount)} kWh` };
}
