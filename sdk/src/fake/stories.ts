/**
 * The scenarios of purchases in the fake gateway: those of the sandbox, by the same three digits. A
 * delay lasts until `settle()` is called.
 */

import type { ErrorReason, FailureReason } from '../generated/api.ts';

type Outcome = 'success' | 'failed' | 'pending';

export type Story = {
  readonly first: Outcome;
  readonly last: Outcome;
  readonly message: string;
  /** Why it fails. */
  readonly reason?: FailureReason;
  /** The purchase is stored, and its answer never arrives. */
  readonly isAnswerLost?: boolean;
  /** It is delivered, and its goods come later. */
  readonly areGoodsLate?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
};

const delivered: Story = { first: 'success', last: 'success', message: 'Transaction successful' };
const refused: Story = {
  first: 'failed',
  last: 'failed',
  message: 'Transaction failed',
  reason: 'provider_refused',
};
const kct = { kct1: '11111111111111111111', kct2: '22222222222222222222' };
const token = { token: '12345678901234567890', units: '25.6' };

const byDigits: readonly (readonly [RegExp, Story])[] = [
  [/^(10[1-5]|131)$/, { ...refused, fields: { telco_message: 'Refused' } }],
  [/^(110|130|[24]\d\d)$/, { ...delivered, first: 'pending' }],
  [/^(111|[35]\d\d)$/, { ...refused, first: 'pending' }],
  [/^120$/, { ...delivered, isAnswerLost: true }],
  [/^121$/, { ...refused, first: 'pending', isAnswerLost: true }],
  [/^14[01]$/, { ...delivered, areGoodsLate: true }],
  [/^142$/, { ...delivered, fields: { ...kct, ...token } }],
  [/^143$/, { ...delivered, fields: { payment_spent_on: 'debt' } }],
];

/** Five scenarios have short numbers. */
const short: Readonly<Record<string, string>> = {
  '001': '101',
  '002': '110',
  '003': '111',
  '004': '120',
  '005': '121',
};

/** For the test customers of the sandbox, which play no scenario. */
const customers: Readonly<Record<string, string | undefined>> = {
  '10000000001': '',
  '10000000002': '',
  '10000000003': '142',
  '10000000004': '143',
  '10000000010': '',
  '10000000020': '',
  '10000000030': '',
  TESTBET001: '',
  '1000000001': '',
  '08000000010': '',
  '08000000020': '',
};

function storyByDigits(digits: string): Story | undefined {
  return byDigits.find(([pattern]) => pattern.test(digits))?.[1];
}

export function storyOf(product: string, msisdn: string): Story {
  if (product === 'airtime' || product === 'data') {
    const digits = /^(?:\+?2340?|0)8000000(\d{3})$/.exec(msisdn)?.[1] ?? '';
    return storyByDigits(short[digits] ?? digits) ?? delivered;
  }
  const digits = customers[msisdn] ?? /^(?:10{7}|TESTBET|10{5}|080{6})(\d{3})$/.exec(msisdn)?.[1];
  const story = digits === '' ? delivered : storyByDigits(digits ?? '');
  if (story === undefined) {
    return { ...refused, reason: 'customer_rejected', fields: { telco_message: 'No such customer' } };
  }
  const isPrepaid = product === 'ELECTRICITY' && msisdn !== '10000000002' && story.last === 'success';
  return isPrepaid && story.fields === undefined ? { ...story, fields: token } : story;
}

/**
 * The scenario of an order: `oja-nnn-…`. An order that is out of stock is refused before it is
 * stored.
 */
export function orderStoryOf(
  requestId: string,
): Story | { readonly refused: number; readonly reason: ErrorReason } {
  const digits = /^oja-(\d{3})-/.exec(requestId)?.[1] ?? '';
  if (digits === '150' || digits === '151') return { refused: 400, reason: 'card_not_available' };
  if (digits === '152') return { refused: 502, reason: 'order_not_served' };
  return storyByDigits(digits) ?? delivered;
}

export const unpaid: Story = {
  ...refused,
  message: 'Insufficient wallet balance',
  reason: 'insufficient_funds',
};
