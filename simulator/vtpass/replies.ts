/**
 * VTpass's replies, with its habits: text instead of numbers and the reverse, and its own
 * spellings.
 */
import type { Order } from '../books.ts';
import { json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import { bills } from './bills.ts';
import { MAGIC } from './purchase.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '010': 'VARIATION CODE DOES NOT EXIST',
  '011': 'INVALID ARGUMENTS',
  '012': 'PRODUCT DOES NOT EXIST',
  '013': 'BELOW MINIMUM AMOUNT ALLOWED',
  '014': 'REQUEST ID ALREADY EXIST',
  '015': 'INVALID REQUEST ID',
  '017': 'ABOVE MAXIMUM AMOUNT ALLOWED',
  '018': 'LOW WALLET BALANCE',
  '019': 'LIKELY DUPLICATE TRANSACTION',
  '030': 'BILLER NOT REACHABLE AT THIS POINT',
  '028': 'PRODUCT IS NOT WHITELISTED ON YOUR ACCOUNT',
  '083': 'SYSTEM ERROR',
  '085': 'IMPROPER REQUEST ID',
  '087': 'INVALID CREDENTIALS',
};

/** A refusal names no request. */
export function refusal(code: string, status = 200): Reply {
  const description = DESCRIPTIONS[code] ?? 'TRANSACTION FAILED';
  return json({ code, response_description: description, content: { errors: [description] } }, status);
}

/** VTpass's error replies. */
export const words: Words = {
  odd: { code: '999', response_description: 'UNEXPECTED RESPONSE', content: [] },
  noAccess: refusal('028'),
  floatOut: refusal('018'),
  billerDown: refusal('030'),
  unauthorized: json({ message: 'Unauthenticated.' }, 401),
  rateLimited: json({ message: 'Too Many Attempts.' }, 429),
  systemError: refusal('083', 500),
  otherAmount: (proper) => {
    const reply = proper as { content?: { transactions?: object } };
    const told = { amount: '1.00', unit_price: '1.00' };
    const transactions = { ...reply.content?.transactions, ...told };
    return { ...reply, amount: 1, content: { ...reply.content, transactions } };
  },
  stranger: (proper) => ({ ...(proper as object), requestId: '202601010000stranger' }),
};

/** The reply to `/pay` about an order just taken. */
export function payReply(order: Order): Record<string, unknown> {
  // VTpass answers with either code.
  const code = isCalledProcessed(order) ? '000' : '099';
  if (order.status === 'pending') return transaction(order, code, 'TRANSACTION IS PROCESSING', 'pending');
  return finalReply(order);
}

/** For every second customer. The documented code is 099. */
function isCalledProcessed({ recipient }: Order): boolean {
  return Number(recipient.slice(-1)) % 2 === 0 && recipient !== MAGIC.pending;
}

/** The reply to `/requery` about a known order; also the body of a callback. */
export function requeryReply(order: Order): Record<string, unknown> {
  if (order.status === 'pending') return transaction(order, '000', 'TRANSACTION IS PROCESSING', 'pending');
  return HAS_EXTRAS.has(order.detail.serviceId ?? '')
    ? inExtras(finalReply(order), order)
    : finalReply(order);
}

/** Products whose goods a requery returns only there. */
const HAS_EXTRAS: ReadonlySet<string> = new Set(['portharcourt-electric']);

function inExtras(reply: Record<string, unknown>, order: Order): Record<string, unknown> {
  if (order.status !== 'delivered') return reply;
  const goods = goodsOf(order);
  const rest = Object.fromEntries(Object.entries(reply).filter(([name]) => !(name in goods)));
  const { transactions } = reply.content as { transactions: object };
  return { ...rest, content: { transactions: { ...transactions, extras: JSON.stringify(goods) } } };
}

function finalReply(order: Order): Record<string, unknown> {
  if (order.status === 'delivered') return transaction(order, '000', 'TRANSACTION SUCCESSFUL', 'delivered');
  // Refused at once, or accepted first and refunded later.
  return order.detail.reversed === 'yes'
    ? transaction(order, '040', 'TRANSACTION REVERSAL TO CUSTOMER', 'reversed')
    : transaction(order, '016', 'TRANSACTION FAILED', 'failed');
}

function transaction(order: Order, code: string, text: string, status: string): Record<string, unknown> {
  const { detail } = order;
  const commission = order.amount - order.cost;
  return {
    code,
    content: {
      transactions: {
        status,
        product_name: detail.productName,
        unique_element: order.recipient,
        unit_price: nairaText(order.amount),
        quantity: 1,
        service_verification: null,
        channel: 'api',
        commission: nairaNumber(commission),
        total_amount: nairaNumber(order.cost),
        discount: null,
        type: detail.type,
        email: 'simulator@example.com',
        phone: detail.phone,
        name: null,
        convinience_fee: 0,
        amount: nairaText(order.amount),
        platform: 'api',
        method: 'api',
        transactionId: detail.transactionId,
        commission_details: {
          amount: nairaNumber(commission),
          rate: '3.00',
          rate_type: 'percent',
          computation_type: 'default',
        },
      },
    },
    response_description: text,
    requestId: order.reference,
    amount: nairaNumber(order.amount),
    transaction_date: order.acceptedAt.toISOString(),
    purchased_code: '',
    ...(status === 'delivered' && goodsOf(order)),
  };
}

function goodsOf(order: Order): Record<string, unknown> {
  const bill = bills.find(({ product }) => product === order.product);
  return bill?.toGoods?.(order, new Date()) ?? {};
}
