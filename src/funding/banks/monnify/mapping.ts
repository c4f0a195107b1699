/**
 * Translates between Monnify's interface and the contract: reserved accounts, transactions,
 * notices. Pure.
 */
import { type Body, countedTime, isBody, minorUnits, word } from '../../../providers/http/reply-fields.ts';
import type { TokenedResult } from '../../../providers/http/tokened-client.ts';
import type { AccountAnswer, AccountOrder, Notice, PaymentAnswer } from '../funding-provider.ts';
import { wordOfCode } from '../scrub-person.ts';
import { isSigned, readObject } from '../signature.ts';
import type { MonnifySettings } from './settings.ts';

export function accountRequest(
  order: AccountOrder,
  settings: Pick<MonnifySettings, 'contractCode' | 'preferredBanks'>,
): Body {
  const { identity } = order;
  const name = `${identity.firstName} ${identity.lastName}`;
  return {
    accountReference: order.reference,
    accountName: name,
    currencyCode: order.currency,
    contractCode: settings.contractCode,
    customerEmail: identity.email,
    customerName: name,
    ...(identity.bvn !== undefined && { bvn: identity.bvn }),
    getAllAvailableBanks: settings.preferredBanks.length === 0,
    ...(settings.preferredBanks.length > 0 && { preferredBanks: settings.preferredBanks }),
  };
}

/** The body of a successful reply, or the reason for its absence. `code` is Monnify's own. */
type Read =
  | { readonly kind: 'good'; readonly body: Body }
  | { readonly kind: 'no'; readonly code: string; readonly message: string; readonly status: number }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Reads the envelope of a reply. */
export function readReply(result: TokenedResult): Read {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  const { status, body } = result;
  if (!isBody(body) || status >= 500 || status === 429 || status === 401 || status === 403) {
    return { kind: 'unavailable', reason: `HTTP ${status}` };
  }
  const code = wordOfCode(body.responseCode);
  if (body.requestSuccessful === true && code === '0' && isBody(body.responseBody) && status < 400) {
    return { kind: 'good', body: body.responseBody };
  }
  if (body.requestSuccessful !== false)
    return { kind: 'unavailable', reason: `HTTP ${status}, code ${code}` };
  return { kind: 'no', code, message: word(body.responseMessage) ?? '', status };
}

const BVN_TAKEN = 'R42';

/**
 * Reads the reply to a create call. Outages have the code "99" too, so only a refusal of the data
 * (HTTP 4xx) or R42 is final.
 */
export function createdAccount(result: TokenedResult, reference: string): AccountAnswer {
  const read = readReply(result);
  if (read.kind === 'good') return accountOf(read.body, reference);
  if (read.kind === 'unavailable') return read;
  if (read.code === BVN_TAKEN) {
    return { kind: 'refused', message: 'the bank has an account for this BVN already', ours: true };
  }
  if ((read.status === 400 || read.status === 422) && read.code !== '99') {
    return {
      kind: 'refused',
      message: `the bank refused the data: ${read.message || read.code}`,
      ours: false,
    };
  }
  return { kind: 'unavailable', reason: `code ${read.code}` };
}

/** Reads the reply to a look-up. `none`: Monnify has no such account. */
export function foundAccount(
  result: TokenedResult,
  reference: string,
): AccountAnswer | { readonly kind: 'none' } {
  const read = readReply(result);
  if (read.kind === 'good') return accountOf(read.body, reference);
  if (read.kind === 'unavailable') return read;
  if (isNotFound(read)) return { kind: 'none' };
  return { kind: 'unavailable', reason: `code ${read.code}` };
}

function isNotFound({ status, message }: Extract<Read, { kind: 'no' }>): boolean {
  return status === 404 || /cannot find|could not find|not found|no transaction/i.test(message);
}

function accountOf(body: Body, reference: string): AccountAnswer {
  if (word(body.accountReference) !== reference) {
    return { kind: 'unavailable', reason: 'an answer about another account' };
  }
  const accounts = Array.isArray(body.accounts) ? body.accounts.filter(isBody) : [];
  const first = accounts.find((account) => /^\d{10}$/.test(word(account.accountNumber) ?? ''));
  // The bank accounts may come a little after the reservation.
  if (first === undefined) return { kind: 'pending' };
  return {
    kind: 'active',
    account: {
      number: word(first.accountNumber) ?? '',
      name: word(first.accountName) ?? word(body.accountName) ?? '',
      bankName: word(first.bankName) ?? 'unknown',
    },
  };
}

/** Reads a transaction back by its reference. Only this answer moves money. */
export function paymentOf(result: TokenedResult, reference: string): PaymentAnswer {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') {
    const kind = isNotFound(read) ? 'not_paid' : 'unavailable';
    return { kind, reason: `code ${read.code}` };
  }
  const { body } = read;
  if (word(body.transactionReference) !== reference) {
    return { kind: 'unavailable', reason: 'an answer about another transaction' };
  }
  const status = word(body.paymentStatus);
  if (status !== 'PAID') return { kind: 'not_paid', reason: `status ${wordOfCode(status)}` };
  const product = isBody(body.product) ? body.product : {};
  const type = word(product.type);
  // A missing product does not mean another product.
  if (type === undefined) return { kind: 'unavailable', reason: 'a paid transaction of no product' };
  if (type !== 'RESERVED_ACCOUNT') return { kind: 'other' };
  const account = word(product.reference);
  const amount = minorUnits(body.amountPaid);
  if (account === undefined || amount === undefined || amount === 0n || body.currency !== 'NGN') {
    return { kind: 'unavailable', reason: 'a paid transaction without an account or an amount in naira' };
  }
  const settled = minorUnits(body.settlementAmount);
  return {
    kind: 'paid',
    payment: {
      reference,
      paidTo: { kind: 'reference', value: account },
      amount,
      currency: 'NGN',
      paidAt: readTime(body.paidOn) ?? new Date(),
      ...(settled !== undefined && { settled }),
    },
  };
}

/**
 * Reads `2026-11-21 13:05:09.120`, `21/11/2026 1:05:09 PM`, RFC 3339 or a count of milliseconds.
 * Times without a zone are in Lagos.
 */
export function readTime(value: unknown): Date | undefined {
  const text = word(value);
  if (text === undefined) return undefined;
  const counted = countedTime(text);
  if (counted !== undefined) return counted;
  const old = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP]M)$/i.exec(text);
  const two = (digits: string | undefined): string => (digits ?? '').padStart(2, '0');
  const hours = (Number(old?.[4]) % 12) + (old?.[7]?.toUpperCase() === 'PM' ? 12 : 0);
  const local = old
    ? `${old[3]}-${two(old[2])}-${two(old[1])}T${two(String(hours))}:${old[5]}:${old[6]}`
    : text.replace(' ', 'T').replace(/(\.\d{3})\d+/, '$1');
  const time = new Date(
    /(?:Z|[+-]\d{2}:?\d{2})$/.test(local) ? local : `${local.replace(/(\.\d{1,3})$/, padMs)}+01:00`,
  );
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function padMs(fraction: string): string {
  return fraction.padEnd(4, '0');
}

const REFERENCE = /^[\x21-\x7e]{1,100}$/;

/** Reads a notice. `monnify-signature` covers the raw bytes, keyed with the client secret. */
export function noticeOf(bytes: Uint8Array, signature: unknown, secretKey: string): Notice | undefined {
  if (!isSigned(bytes, signature, secretKey)) return undefined;
  const body = readObject(bytes);
  const data = isBody(body?.eventData) ? body.eventData : {};
  const product = isBody(data.product) ? data.product : {};
  const reference = word(data.transactionReference) ?? '';
  const isOther = product.type !== undefined && product.type !== 'RESERVED_ACCOUNT';
  return body?.eventType === 'SUCCESSFUL_TRANSACTION' && !isOther && REFERENCE.test(reference)
    ? { kind: 'payment', reference }
    : { kind: 'irrelevant' };
}
