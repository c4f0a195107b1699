/**
 * Translates between Payvessel's interface and the contract: reserved accounts, transactions,
 * notices. Pure.
 */
import type { CallResult } from '../../../providers/http/call.ts';
import { type Body, isBody, minorUnits, readUtcTime, word } from '../../../providers/http/reply-fields.ts';
import type { AccountAnswer, AccountOrder, Headers, Notice, PaymentAnswer } from '../funding-provider.ts';
import { wordOfCode } from '../scrub-person.ts';
import { isSigned, readObject } from '../signature.ts';
import type { PayvesselSettings } from './settings.ts';

export function accountRequest(
  { identity }: AccountOrder,
  { banks, businessId }: Pick<PayvesselSettings, 'banks' | 'businessId'>,
): Body {
  return {
    email: identity.email,
    name: `${identity.firstName} ${identity.lastName}`,
    phoneNumber: `+${identity.phone}`,
    bankcode: banks,
    // A dynamic account accepts only one payment.
    account_type: 'STATIC',
    businessid: businessId,
    ...(identity.bvn !== undefined && { bvn: identity.bvn }),
  };
}

/** The fields of the request that come from our settings. */
const OUR_FIELDS: ReadonlySet<string> = new Set(['bankcode', 'account_type', 'businessid']);

/** Reads the reply to a request for an account. Only HTTP 400 with named fields is a refusal. */
export function createdAccount(result: CallResult): AccountAnswer {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  const { status, body } = result;
  if (!isBody(body)) return { kind: 'unavailable', reason: `HTTP ${status}` };
  if (body.status === true && (status === 200 || status === 201)) return accountOf(body);
  const fields = isBody(body.errors) ? Object.entries(body.errors) : [];
  if (status !== 400 || body.status !== false || fields.length === 0) {
    return { kind: 'unavailable', reason: `HTTP ${status}` };
  }
  const words = fields.flatMap(([, errors]) => (Array.isArray(errors) ? errors : [errors])).map(word);
  return {
    kind: 'refused',
    message: `the bank refused the data: ${words.filter((text) => text !== undefined).join('; ')}`,
    ours: fields.every(([field]) => OUR_FIELDS.has(field)),
  };
}

function accountOf(body: Body): AccountAnswer {
  const banks = Array.isArray(body.banks) ? body.banks.filter(isBody) : [];
  const account = banks.find(
    (one) => /^\d{10}$/.test(word(one.accountNumber) ?? '') && one.account_type === 'STATIC',
  );
  if (account === undefined) return { kind: 'unavailable', reason: 'a reply without a static account' };
  const tracking = word(account.trackingReference);
  return {
    kind: 'active',
    account: {
      number: word(account.accountNumber) ?? '',
      name: word(account.accountName) ?? '',
      bankName: word(account.bankName) ?? 'unknown',
      ...(tracking !== undefined && { providerId: tracking }),
    },
  };
}

/** The states of a transaction that is not paid. Any other state but `SUCCESS` is unknown. */
const UNPAID: ReadonlySet<string> = new Set(['PENDING', 'FAILED', 'CANCELLED']);

/** The channels of payments that are no transfer. Any other channel proves nothing. */
const OTHER_CHANNELS: ReadonlySet<string> = new Set(['CARD', 'USSD', 'QR', 'MOBILE_MONEY']);

/**
 * Reads a confirmed transaction. Only this answer moves money.
 *
 * Payvessel documents two read-backs. `GET /transaction/verify/{reference}` names no account and
 * counts its amount "in the smallest currency unit", while notices count naira. `GET
 * /pms/transactions/{reference}/confirm/` names the account and has its amount as text, so this one
 * is used. It lists one reply, HTTP 200. Whether it covers payments into reserved accounts is not
 * documented: if not, a payment stays unread and raises an alarm, and none is credited on the
 * notice.
 */
export function paymentOf(result: CallResult, reference: string): PaymentAnswer {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  const { status, body } = result;
  if (status !== 200 || !isBody(body) || body.status !== true || !isBody(body.data)) {
    const reason = `HTTP ${status} without a transaction`;
    // Another server, at a wrong address, has no JSON for a path that it does not know.
    return { kind: 'unavailable', reason, ...(status === 404 && isBody(body) && { isUnknown: true }) };
  }
  const { data } = body;
  if (word(data.transaction_ref) !== reference) {
    return { kind: 'unavailable', reason: 'an answer about another transaction' };
  }
  const state = word(data.status);
  if (state !== 'SUCCESS') {
    const kind = state !== undefined && UNPAID.has(state) ? 'not_paid' : 'unavailable';
    return { kind, reason: `status ${wordOfCode(state)}` };
  }
  const held = isBody(data.virtual_account) ? data.virtual_account : {};
  // Outgoing money, and payments of a checkout, whose accounts are dynamic, unlike ours.
  const isCheckout = OTHER_CHANNELS.has(word(data.channel) ?? '') || held.account_type === 'DYNAMIC';
  if (data.transaction_type === 'DEBIT' || isCheckout) return { kind: 'other' };
  if (data.transaction_type !== 'CREDIT') {
    return { kind: 'unavailable', reason: 'a paid transaction of no known type' };
  }
  const account = word(held.account_number);
  const amount = nairaOf(data.amount);
  if (!/^\d{10}$/.test(account ?? '') || amount === undefined || amount === 0n) {
    return { kind: 'unavailable', reason: 'a paid transaction without an account or an amount' };
  }
  // The accounts are at Nigerian banks and hold naira only, so a missing currency is naira.
  const currency = isBody(data.order) ? word(data.order.currency) : undefined;
  if (currency !== undefined && currency !== 'NGN') {
    return { kind: 'unavailable', reason: 'a paid transaction in another currency' };
  }
  const fee = nairaOf(data.fee);
  return {
    kind: 'paid',
    payment: {
      reference,
      paidTo: { kind: 'number', value: account ?? '' },
      amount,
      currency: 'NGN',
      paidAt: readUtcTime(data.created_datetime) ?? new Date(),
      ...(fee !== undefined && fee <= amount && { settled: amount - fee }),
    },
  };
}

/**
 * Reads naira as text with two decimals. The other read-back has its amounts as numbers of kobo,
 * and earlier pages of this one had them as text of kobo. So any other form is ambiguous.
 */
function nairaOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^\d+\.\d{2}$/.test(value) ? minorUnits(value) : undefined;
}

const REFERENCE = /^[\x21-\x7e]{1,100}$/;

/** The events of a payment. Older notices name none. */
const EVENTS: readonly unknown[] = [undefined, 'transaction.success', 'reserved_account.credit'];

/**
 * Reads a notice. The signature covers the raw bytes, keyed with the API secret. Payvessel prints
 * the header's name as a server variable, and clients receive it as a header: both are read. The
 * sender's address is not checked, because Payvessel has used others than it lists.
 */
export function noticeOf(bytes: Uint8Array, given: Headers, apiSecret: string): Notice | undefined {
  const signatures = [given['payvessel-http-signature'], given.http_payvessel_http_signature];
  if (!signatures.some((signature) => isSigned(bytes, signature, apiSecret))) return undefined;
  const body = readObject(bytes);
  const transaction = isBody(body?.transaction) ? body.transaction : {};
  const reference = word(transaction.reference) ?? '';
  return EVENTS.includes(body?.event) && REFERENCE.test(reference)
    ? { kind: 'payment', reference }
    : { kind: 'irrelevant' };
}
