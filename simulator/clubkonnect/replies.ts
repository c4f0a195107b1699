/**
 * ClubKonnect's replies. Amounts are text, with separators. It is not documented whether query
 * answers repeat tokens and PINs. The simulator repeats both, except the PINs of recharge cards.
 */
import type { Order } from '../books.ts';
import { digitsFrom } from '../customers.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaText } from '../naira.ts';

/** A refusal before an order was created: no code and no id. */
export function refusal(status: string): Reply {
  return json({ status });
}

export const words: Words = {
  // Completed without saying how.
  odd: { statuscode: '299', status: 'ORDER_COMPLETED' },
  noAccess: json({ statuscode: '410', status: 'ORDER_ERROR' }),
  floatOut: refusal('INSUFFICIENT_BALANCE'),
  billerDown: json({ statuscode: '506', status: 'ORDER_CANCELLED' }),
  unauthorized: refusal('INVALID_CREDENTIALS'),
  rateLimited: json({ status: 'TOO_MANY_REQUESTS' }, 429),
  stranger: (proper) => ({
    ...(proper as object),
    statuscode: '200',
    status: 'ORDER_COMPLETED',
    requestid: 'strangersorder000001',
  }),
  bareRefusal: json({ statuscode: '521', status: 'ORDER_CANCELLED' }),
  otherAmount: (proper) => ({ ...(proper as object), ordertype: '7 Credit' }),
};

const FAILED = { statuscode: '516', status: 'ORDER_CANCELLED', remark: 'Number is not eligible' } as const;
const REVERSED = { statuscode: '509', status: 'ORDER_CANCELLED', remark: 'Credited back to wallet' } as const;
const COMPLETED = { statuscode: '200', status: 'ORDER_COMPLETED' } as const;
const RECEIVED = { statuscode: '100', status: 'ORDER_RECEIVED' } as const;
/** Pending, although many clients count it as a success. */
const UNRESPONSIVE = {
  statuscode: '201',
  status: 'ORDER_COMPLETED',
  remark: 'Network unresponsive',
} as const;

/** The reply to a purchase just taken. Only some products are final at once. */
export function purchaseBody(order: Order): Record<string, unknown> {
  const { orderid } = order.detail;
  if (order.status === 'failed') return { orderid, ...FAILED };
  if (order.status === 'pending') return { orderid, ...pendingWords(order) };
  switch (order.product) {
    case 'ELECTRICITY':
      return { orderid, ...COMPLETED, meterno: order.recipient, ...goodsOf(order) };
    case 'EDUCATION': {
      if (order.detail.card !== undefined) return cardBody(order, order.detail.card);
      const goods = goodsOf(order);
      const isPlain = order.detail.exam === 'waecdirect' && 'carddetails' in goods;
      // The documented answer of WAEC's result checkers has neither a code nor a status.
      return { orderid, ...(!isPlain && COMPLETED), amountcharged: grouped(order.cost), ...goods };
    }
    default:
      return { orderid, ...RECEIVED };
  }
}

/** The documented answer with a recharge card, which lacks a status and our ids. */
function cardBody({ reference, detail, acceptedAt }: Order, amount: string): Record<string, unknown> {
  const card = {
    transactionid: detail.orderid,
    transactiondate: ordinalDate(acceptedAt),
    batchno: '1',
    mobilenetwork: detail.network,
    sno: digitsFrom(reference, 'serial').slice(-12),
    pin: digitsFrom(reference, 'pin').slice(-16),
    amount,
  };
  return { TXN_EPIN: [card] };
}

function pendingWords({ recipient }: Order): typeof RECEIVED | typeof UNRESPONSIVE {
  return Number(recipient.slice(-1)) % 2 === 0 ? UNRESPONSIVE : RECEIVED;
}

/** The reply of `APIQueryV1`. */
export function queryBody(order: Order, balance: bigint): Record<string, unknown> {
  const { orderid, ordertype, network, reversed } = order.detail;
  const failed = reversed === 'yes' ? REVERSED : FAILED;
  const state =
    order.status === 'delivered'
      ? { ...COMPLETED, remark: 'Delivered' }
      : order.status === 'failed'
        ? failed
        : pendingWords(order);
  return {
    orderid,
    ...state,
    requestid: order.reference,
    date: ordinalDate(order.acceptedAt),
    ordertype,
    mobilenetwork: network,
    mobilenumber: order.recipient,
    amountcharged: grouped(order.cost),
    walletbalance: grouped(balance),
    ...(order.status === 'delivered' && goodsOf(order)),
  };
}

function goodsOf(order: Order): Record<string, unknown> {
  if (order.goodsAt !== undefined && order.goodsAt > new Date()) return {};
  if (order.product === 'ELECTRICITY' && order.detail.meterType === '01') {
    return { metertoken: digitsFrom(order.reference, 'token').replace(/(\d{4})(?=\d)/g, '$1-') };
  }
  if (order.product !== 'EDUCATION' || order.detail.card !== undefined) return {};
  const digits = (what: string, length: number): string => digitsFrom(order.reference, what).slice(-length);
  const serial = order.detail.network === 'WAEC' ? `Serial No:WRN${digits('serial', 9)}, ` : '';
  return { carddetails: `${serial}pin: ${digits('pin', 12)}` };
}

/** `11th-Mar-2026`, in Lagos. */
function ordinalDate(at: Date): string {
  const [, month = '', day = '', year = ''] =
    /^\w+, (?=\d+ (\w+))(\d+) \w+ (\d+)/.exec(new Date(at.getTime() + 3_600_000).toUTCString()) ?? [];
  const number = Number(day);
  const ending = number >= 11 && number <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}-${month}-${year}`;
}

/** `1,234.50` */
export function grouped(kobo: bigint): string {
  const [whole = '', decimals] = nairaText(kobo).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}
