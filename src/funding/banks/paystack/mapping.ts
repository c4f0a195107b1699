/**
 * Translates between Paystack's interface and the contract: customers with their dedicated
 * accounts, transactions, notices. Pure.
 */
import type { Currency } from '../../../core/money.ts';
import type { CallResult } from '../../../providers/http/call.ts';
import { type Body, isBody, readUtcTime, word } from '../../../providers/http/reply-fields.ts';
import type { AccountAnswer, AccountOrder, Notice, PaymentAnswer } from '../funding-provider.ts';
import { scrubPerson, wordOfCode } from '../scrub-person.ts';
import { isSigned, readObject } from '../signature.ts';

/** The channel of transfers to a dedicated account. */
const CHANNEL = 'dedicated_nuban';

export function assignRequest({ identity }: AccountOrder, preferredBank: string): Body {
  return {
    email: identity.email,
    first_name: identity.firstName,
    last_name: identity.lastName,
    phone: `+${identity.phone}`,
    preferred_bank: preferredBank,
    country: 'NG',
    ...(identity.bvn !== undefined && { bvn: identity.bvn }),
  };
}

type Read =
  | { readonly kind: 'good'; readonly data: unknown; readonly meta: unknown }
  | {
      readonly kind: 'no';
      readonly status: number;
      readonly message: string;
      /** `type` of the error, which not every one has. */
      readonly type: string | undefined;
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Reads the envelope of a reply. */
export function readReply(result: CallResult): Read {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: result.reason };
  const { status, body } = result;
  if (!isBody(body) || status >= 500 || status === 429 || status === 401 || status === 403) {
    return { kind: 'unavailable', reason: `HTTP ${status}` };
  }
  if (body.status === true && status < 300) return { kind: 'good', data: body.data, meta: body.meta };
  return body.status === false && status >= 400
    ? { kind: 'no', status, message: word(body.message) ?? '', type: word(body.type) }
    : { kind: 'unavailable', reason: `HTTP ${status} of an unknown shape` };
}

/** Tells whether nothing was found, which Paystack answers with 404 or 400. */
function isNotFound({ status, message }: Extract<Read, { kind: 'no' }>): boolean {
  return status === 404 || /not found|could not find/i.test(message);
}

/** Reads the reply to an assign call. The account is opened later. */
export function assigned(result: CallResult): AccountAnswer {
  const read = readReply(result);
  if (read.kind === 'good') return { kind: 'pending' };
  if (read.kind === 'unavailable') return read;
  // An error of Paystack or of its bank proves nothing about the data.
  const isOfData = read.type === undefined || read.type === 'validation_error';
  return isOfData && (read.status === 400 || read.status === 422)
    ? {
        kind: 'refused',
        message: `the bank refused the data: ${read.message || 'no reason given'}`,
        ours: false,
      }
    : { kind: 'unavailable', reason: `HTTP ${read.status}` };
}

/** Reads the reply to a look-up. `none`: no such customer, or no account. */
export function customerAccount(
  result: CallResult,
  email: string,
): AccountAnswer | { readonly kind: 'none' } {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') {
    return isNotFound(read) ? { kind: 'none' } : { kind: 'unavailable', reason: `HTTP ${read.status}` };
  }
  const customer = isBody(read.data) ? read.data : {};
  if (word(customer.email)?.toLowerCase() !== email.toLowerCase()) {
    return { kind: 'unavailable', reason: 'an answer about another customer' };
  }
  const account = isBody(customer.dedicated_account) ? customer.dedicated_account : undefined;
  const number = word(account?.account_number) ?? '';
  if (account === undefined || !/^\d{10}$/.test(number) || account.active === false) return { kind: 'none' };
  const id = word(customer.id);
  return {
    kind: 'active',
    account: {
      number,
      name: word(account.account_name) ?? '',
      bankName: (isBody(account.bank) ? word(account.bank.name) : undefined) ?? 'unknown',
      ...(id !== undefined && { providerId: id }),
    },
  };
}

/** Reads a verified transaction. Only this answer moves money. HTTP 200 does not mean paid. */
export function paymentOf(result: CallResult, reference: string): PaymentAnswer {
  const read = readReply(result);
  if (read.kind === 'unavailable') return read;
  if (read.kind === 'no') {
    return { kind: isNotFound(read) ? 'not_paid' : 'unavailable', reason: `HTTP ${read.status}` };
  }
  const data = isBody(read.data) ? read.data : {};
  if (word(data.reference) !== reference) {
    return { kind: 'unavailable', reason: 'an answer about another transaction' };
  }
  if (data.status !== 'success') return { kind: 'not_paid', reason: `status ${wordOfCode(data.status)}` };
  const channel = word(data.channel);
  // A missing channel does not mean another channel.
  if (channel === undefined) return { kind: 'unavailable', reason: 'a paid transaction of no channel' };
  if (channel !== CHANNEL) return { kind: 'other' };
  const account = receiverOf(data);
  const amount = minor(data.amount);
  const currency = word(data.currency);
  if (account === undefined || amount === undefined || amount === 0n || currency !== 'NGN') {
    return { kind: 'unavailable', reason: 'a paid transaction without an account or an amount in naira' };
  }
  const fees = minor(data.fees);
  return {
    kind: 'paid',
    payment: {
      reference,
      paidTo: { kind: 'number', value: account },
      amount,
      currency: currency satisfies Currency,
      paidAt: readUtcTime(data.paid_at ?? data.paidAt) ?? new Date(),
      ...(fees !== undefined && fees <= amount && { settled: amount - fees }),
    },
  };
}

export function receiverOf(data: Body): string | undefined {
  const authorization = isBody(data.authorization) ? data.authorization : {};
  const metadata = typeof data.metadata === 'string' ? readObject(Buffer.from(data.metadata)) : data.metadata;
  const named = [
    authorization.receiver_bank_account_number,
    isBody(metadata) ? metadata.receiver_account_number : undefined,
  ];
  return named.map(word).find((text) => text !== undefined && /^\d{10}$/.test(text));
}

/** Reads kobo: a whole number or its digits, also as `500000.00`. */
export function minor(value: unknown): bigint | undefined {
  const digits = /^(\d{1,15})(?:\.0+)?$/.exec(word(value) ?? '')?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

export function mayBeTransfer({ channel }: Body): boolean {
  return channel === undefined || channel === null || channel === CHANNEL;
}

const REFERENCE = /^[\x21-\x7e]{1,100}$/;

/** Reads a notice. `x-paystack-signature` covers the raw bytes, keyed with the secret key. */
export function noticeOf(bytes: Uint8Array, signature: unknown, secretKey: string): Notice | undefined {
  if (!isSigned(bytes, signature, secretKey)) return undefined;
  const body = readObject(bytes);
  const data = isBody(body?.data) ? body.data : {};
  const customer = isBody(data.customer) ? data.customer : data;
  const email = word(customer.email);
  switch (body?.event) {
    case 'charge.success': {
      const reference = word(data.reference) ?? '';
      return mayBeTransfer(data) && REFERENCE.test(reference)
        ? { kind: 'payment', reference }
        : { kind: 'irrelevant' };
    }
    case 'dedicatedaccount.assign.success':
      return email === undefined ? { kind: 'irrelevant' } : { kind: 'account', email, refusal: undefined };
    case 'dedicatedaccount.assign.failed':
    case 'customeridentification.failed': {
      const person = [customer.first_name, customer.last_name, data.first_name, data.last_name].map(word);
      const refusal = scrubPerson(
        word(data.reason) ?? 'the bank could not identify you by these data',
        person,
      );
      return email === undefined ? { kind: 'irrelevant' } : { kind: 'account', email, refusal };
    }
    default:
      return { kind: 'irrelevant' };
  }
}
