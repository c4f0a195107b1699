/**
 * Translates between Flutterwave's interface (v3) and the contract: virtual accounts, transactions,
 * notices. Pure.
 */
import { createHmac } from 'node:crypto';
import type { CallResult } from '../../../providers/http/call.ts';
import {
  type Body,
  isBody,
  isSameText,
  minorUnits,
  readUtcTime,
  word,
} from '../../../providers/http/reply-fields.ts';
import type { AccountAnswer, AccountOrder, Headers, Notice, PaymentAnswer } from '../funding-provider.ts';
import { wordOfCode } from '../scrub-person.ts';
import { readObject } from '../signature.ts';

export function accountRequest({ reference, identity }: AccountOrder): Body {
  const { email, firstName, lastName, phone, bvn } = identity;
  return {
    email,
    is_permanent: true,
    ...(bvn !== undefined && { bvn }),
    tx_ref: reference,
    phonenumber: phone,
    firstname: firstName,
    lastname: lastName,
    narration: `${firstName} ${lastName}`,
  };
}

type Read =
  | { readonly kind: 'good'; readonly data: unknown; readonly meta: unknown }
  | { readonly kind: 'no'; readonly status: number; readonly message: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Reads the envelope of a reply. */
export function readReply(result: CallResult): Read {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  const { status, body } = result;
  if (!isBody(body)) return { kind: 'unavailable', reason: `HTTP ${status}` };
  if (body.status === 'success' && status < 300) return { kind: 'good', data: body.data, meta: body.meta };
  // 401 and 403 are about our key and our address.
  return body.status === 'error' && (status === 400 || status === 404)
    ? { kind: 'no', status, message: word(body.message) ?? '' }
    : { kind: 'unavailable', reason: `HTTP ${status}` };
}

/** The texts of a refusal because of the customer's data. */
const ABOUT_DATA = /\b(?:bvn|nin|e-?mail|phone ?number|first ?name|last ?name)\b/i;

/**
 * Reads the reply to a request for an account. Flutterwave lists no refusals, so only HTTP 400 that
 * names a field of the customer is one. A merchant who sends other data then gets another account
 * under the same `tx_ref`, so a wrong refusal loses no payment.
 */
export function createdAccount(result: CallResult, { identity }: AccountOrder): AccountAnswer {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') {
    return read.status === 400 && ABOUT_DATA.test(read.message)
      ? { kind: 'refused', message: `the bank refused the data: ${read.message}`, ours: false }
      : { kind: 'unavailable', reason: `HTTP ${read.status}` };
  }
  const data = isBody(read.data) ? read.data : {};
  const number = word(data.account_number) ?? '';
  if (!/^\d{10}$/.test(number)) return { kind: 'unavailable', reason: 'an account without a number' };
  // A permanent account has no end. One that expires would lose later payments.
  const end = word(data.expiry_date);
  if (end !== undefined && end !== 'N/A') return { kind: 'unavailable', reason: 'an account that expires' };
  const orderRef = word(data.order_ref);
  return {
    kind: 'active',
    account: {
      number,
      name: nameIn(word(data.note)) ?? `${identity.firstName} ${identity.lastName}`,
      bankName: word(data.bank_name) ?? 'unknown',
      ...(orderRef !== undefined && { providerId: orderRef }),
    },
  };
}

/** Reads the account's name in `Please make a bank transfer to Ada Obi`. */
function nameIn(note: string | undefined): string | undefined {
  return /^Please make a bank transfer to (.+)$/i.exec(note ?? '')?.[1];
}

const PAYMENT_ID = /^\d{1,20}$/;

/** The states of a transaction, all that Flutterwave shows. Any other state is unknown. */
const UNPAID: ReadonlySet<string> = new Set(['pending', 'failed']);

/** The payment type of a transfer to an account. */
const TRANSFER = 'bank_transfer';

/** The types of payments that are no transfer. Any other type proves nothing. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['card', 'account', 'ussd', 'nqr']);

/** The form of our references (`open-funding-account.ts`). */
const OURS = /^oja-[0-9a-z-]+$/;

/** Reads a verified transaction. Only this answer moves money. HTTP 200 does not mean paid. */
export function paymentOf(result: CallResult, reference: string): PaymentAnswer {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') {
    const isNone = /no transaction was found|not found/i.test(read.message);
    return { kind: isNone ? 'not_paid' : 'unavailable', reason: `HTTP ${read.status}` };
  }
  const data = isBody(read.data) ? read.data : {};
  if (word(data.id) !== reference) {
    return { kind: 'unavailable', reason: 'an answer about another transaction' };
  }
  const status = word(data.status);
  if (status !== 'successful') {
    const kind = status !== undefined && UNPAID.has(status) ? 'not_paid' : 'unavailable';
    return { kind, reason: `status ${wordOfCode(status)}` };
  }
  const type = word(data.payment_type);
  const account = word(data.tx_ref);
  // A missing field does not mean another kind of payment.
  if (type === undefined || account === undefined) {
    return { kind: 'unavailable', reason: 'a paid transaction without a type or a tx_ref' };
  }
  // The account may also take other payments, such as those of a shop, which name another tx_ref.
  if (OTHER_TYPES.has(type) || !OURS.test(account)) return { kind: 'other' };
  if (type !== TRANSFER) return { kind: 'unavailable', reason: 'a paid transaction of no known type' };
  const amount = minorUnits(data.amount);
  const charged = data.charged_amount === undefined ? amount : minorUnits(data.charged_amount);
  if (amount === undefined || amount === 0n || word(data.currency) !== 'NGN') {
    return { kind: 'unavailable', reason: 'a paid transaction without an amount in naira' };
  }
  // The customer was charged less than the transaction counts.
  if (charged === undefined || charged < amount) {
    return { kind: 'unavailable', reason: 'a paid transaction whose amounts contradict each other' };
  }
  const settled = settledOf(data, amount);
  return {
    kind: 'paid',
    payment: {
      reference,
      paidTo: { kind: 'reference', value: account },
      amount,
      currency: 'NGN',
      paidAt: readUtcTime(data.created_at) ?? new Date(),
      ...(settled !== undefined && { settled }),
    },
  };
}

function settledOf(data: Body, amount: bigint): bigint | undefined {
  const settled = minorUnits(data.amount_settled);
  if (settled !== undefined) return settled;
  const fee = minorUnits(data.app_fee);
  return fee !== undefined && fee <= amount ? amount - fee : undefined;
}

export function mayBeOurs({ payment_type: type, tx_ref: account }: Body): boolean {
  return !OTHER_TYPES.has(word(type) ?? '') && OURS.test(word(account) ?? '');
}

/**
 * Reads a notice. It has the secret hash itself in `verif-hash`, or an HMAC of the raw bytes in
 * `flutterwave-signature`. The hash does not cover the body, so a notice proves nothing of it.
 */
export function noticeOf(bytes: Uint8Array, given: Headers, secretHash: string): Notice | undefined {
  if (!isSigned(bytes, given, secretHash)) return undefined;
  const body = readObject(bytes);
  const data = isBody(body?.data) ? body.data : {};
  const reference = word(data.id) ?? '';
  const isPaid = data.status === undefined || data.status === 'successful';
  return body?.event === 'charge.completed' && isPaid && mayBeOurs(data) && PAYMENT_ID.test(reference)
    ? { kind: 'payment', reference }
    : { kind: 'irrelevant' };
}

function isSigned(bytes: Uint8Array, given: Headers, secretHash: string): boolean {
  // With an empty hash anyone could sign.
  if (secretHash === '') return false;
  const { 'verif-hash': hash, 'flutterwave-signature': signature } = given;
  if (typeof hash === 'string' && isSameText(hash, secretHash)) return true;
  const expected = createHmac('sha256', secretHash).update(bytes).digest('base64');
  return typeof signature === 'string' && isSameText(signature, expected);
}
