/** Writes Depot's requests, and reads its replies and notices. Pure: no call and no clock. */
import type {
  AccountAnswer,
  AccountOrder,
  Notice,
  PaymentAnswer,
} from '../../../../src/funding/banks/funding-provider.ts';
import { wordOfCode } from '../../../../src/funding/banks/scrub-person.ts';
import { isSigned, readObject } from '../../../../src/funding/banks/signature.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { type Body, isBody, readUtcTime, word } from '../../../../src/providers/http/reply-fields.ts';

export function accountRequest({ reference, identity }: AccountOrder): Body {
  return { reference, email: identity.email, name: `${identity.firstName} ${identity.lastName}` };
}

/** Reads the reply to a registration or a look-up. */
export function accountOf(result: CallResult, reference: string): AccountAnswer {
  const read = bodyOf(result, reference);
  if (read === undefined) return unreadable(result);
  switch (read.state) {
    case 'open': {
      const number = word(read.number) ?? '';
      return /^\d{10}$/.test(number)
        ? { kind: 'active', account: { number, name: word(read.name) ?? '', bankName: 'Depot' } }
        : { kind: 'unavailable', reason: 'an open account without a number' };
    }
    case 'opening':
      return { kind: 'pending' };
    case 'refused':
      return { kind: 'refused', message: 'the bank refused the data', ours: false };
    default:
      return { kind: 'unavailable', reason: `state ${wordOfCode(read.state)}` };
  }
}

/** Reads a payment. Only this reply moves money. */
export function paymentOf(result: CallResult, reference: string): PaymentAnswer {
  const read = bodyOf(result, reference);
  if (read === undefined) return unreadable(result);
  if (read.state === 'pending') return { kind: 'not_paid', reason: 'state pending' };
  const kobo = /^[1-9]\d{0,14}$/.exec(word(read.kobo) ?? '')?.[0];
  const account = word(read.account);
  const paidAt = readUtcTime(read.paid_at);
  if (read.state !== 'paid' || kobo === undefined || account === undefined || paidAt === undefined)
    return { kind: 'unavailable', reason: `state ${wordOfCode(read.state)}` };
  const paidTo = { kind: 'reference', value: account } as const;
  return { kind: 'paid', payment: { reference, paidTo, amount: BigInt(kobo), currency: 'NGN', paidAt } };
}

/** Returns the body of HTTP 200 about this reference. Undefined for anything else. */
function bodyOf(result: CallResult, reference: string): Body | undefined {
  if (result.kind !== 'reply' || result.status !== 200 || !isBody(result.body)) return undefined;
  return word(result.body.reference) === reference ? result.body : undefined;
}

function unreadable(result: CallResult): { readonly kind: 'unavailable'; readonly reason: string } {
  return {
    kind: 'unavailable',
    reason: result.kind === 'reply' ? `HTTP ${result.status} that says nothing of it` : result.reason,
  };
}

/** Reads a notice, which only names a payment. Undefined when its signature is wrong. */
export function noticeOf(bytes: Uint8Array, signature: unknown, key: string): Notice | undefined {
  if (!isSigned(bytes, signature, key)) return undefined;
  const reference = word(readObject(bytes)?.reference) ?? '';
  return /^[\x21-\x7e]{1,100}$/.test(reference) ? { kind: 'payment', reference } : { kind: 'irrelevant' };
}
