/**
 * BuyPower's replies, with its habits: one code for several meanings, a query that wraps a success
 * but not a failure, and whose numbers are text.
 */
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, unitsFor } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber } from '../naira.ts';

type Fields = Record<string, unknown>;

export function refusal(status: number, responseCode: number, message: string, more: object = {}): Reply {
  return json({ status: false, message, responseCode, ...more }, status);
}

const IN_PROGRESS = 'Transaction is still in progress, requery in 120 seconds';
const DELAY = { delay: [120, 120, 120] };

/** BuyPower's error replies. */
export const words: Words = {
  odd: { status: false, message: 'Unexpected', responseCode: 299 },
  noAccess: json({ message: 'Forbidden' }, 403),
  floatOut: refusal(422, 202, 'You have insufficient wallet balance'),
  billerDown: refusal(501, 501, 'This account is being migrated. Please try later'),
  unauthorized: json({ message: 'Unauthenticated.' }, 401),
  rateLimited: json({ message: 'Too Many Attempts.' }, 429),
  systemError: refusal(500, 500, 'An unexpected error occurred. Please requery to get status'),
  bareRefusal: refusal(400, 202, 'Transaction not successful. Please retry.'),
  stranger: (proper) => changed(proper, { orderId: 'stranger' }),
  otherAmount: (proper) => changed(proper, { vendAmount: 1, totalAmountPaid: 1 }),
};

/** Changes the goods of a reply, wrapped or not. */
function changed(proper: unknown, fields: Fields): unknown {
  const reply = proper as { result?: { data?: Fields }; data?: Fields };
  if (reply.result === undefined) return { ...reply, data: { ...reply.data, ...fields } };
  return { result: { ...reply.result, data: { ...reply.result.data, ...fields } } };
}

/** The reply to `POST /vend`. */
export function vendReply(order: Order): Reply {
  if (order.status === 'delivered') return json(success(goodsOf(order, new Date())));
  return refusal(202, 202, IN_PROGRESS, DELAY);
}

/** The reply to a query of a known order. */
export function queryReply(order: Order): Reply {
  const isEven = Number(order.recipient.slice(-1)) % 2 === 0;
  if (order.status === 'pending') {
    return isEven
      ? refusal(202, 202, IN_PROGRESS, DELAY)
      : refusal(400, 201, 'Transaction is still processing, retry in 2 minutes');
  }
  if (order.status === 'failed') {
    return refusal(400, 202, isEven ? 'Transaction failed.' : 'Transaction not successful. Please retry.');
  }
  const data = Object.entries(goodsOf(order, new Date())).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ]);
  return json({ result: success(Object.fromEntries(data)) });
}

function success(data: Fields): Fields {
  return { status: true, message: 'Successful transaction', responseCode: 200, data };
}

function goodsOf(order: Order, now: Date): Fields {
  const { detail, reference, recipient } = order;
  const isLate = order.goodsAt !== undefined && order.goodsAt > now;
  const isMeter = order.product === 'ELECTRICITY';
  const customer = findCustomer(isMeter ? 'ELECTRICITY' : 'CABLE', recipient);
  const isPrepaid = isMeter && detail.vendType === 'PREPAID' && !isLate && customer?.gets !== 'debt cleared';
  const grouped = (purpose: string): string =>
    digitsFrom(reference, purpose).replace(/(\d{4})(?=\d)/g, '$1-');
  const parcels = [
    ...(customer?.gets === 'token and key change'
      ? [
          { type: 'KCT1', content: grouped('kct1') },
          { type: 'KCT2', content: grouped('kct2') },
        ]
      : []),
    { type: 'TOKEN', content: grouped('token') },
  ];
  return {
    id: Number(detail.id),
    amountGenerated: nairaNumber(order.amount),
    tariff: '66.64',
    debtAmount: 0,
    debtRemaining: 0,
    disco: detail.disco,
    orderId: reference,
    receiptNo: digitsFrom(reference, 'receipt'),
    tax: 0,
    vendTime: order.acceptedAt.toISOString().slice(0, 19).replace('T', ' '),
    ...(isPrepaid && { token: grouped('token'), units: unitsFor(order.amount), parcels }),
    totalAmountPaid: nairaNumber(order.amount),
    vendAmount: nairaNumber(order.amount),
    vendRef: Number(detail.id),
    responseCode: 100,
    responseMessage: 'Request successful',
    address: customer?.address,
    name: customer?.name,
    phoneNo: detail.phone,
    charges: 0,
    tariffIndex: '1',
    demandCategory: 'NMD',
    assetProvider: '',
  };
}
