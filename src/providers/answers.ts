/**
 * The answers that connectors share. Pure.
 *
 * Some refusals do not prove that nothing was executed, because the provider documents the same
 * text for accepted orders. Such a refusal is *unconfirmed*: the answer is `unknown`, and its code
 * marks it as a refusal. It fails the order once the provider also answers, some time later, that
 * it does not know the order.
 */
import { formatAmount } from '../core/money.ts';
import type { CallResult } from './http/call.ts';
import type { CustomerAnswer, CustomerQuery, ProviderAnswer, ProviderOrder } from './provider.ts';

export type Failed = Extract<ProviderAnswer, { kind: 'failed' }>;
export type Unknown = Extract<ProviderAnswer, { kind: 'unknown' }>;

export function unknown(code: string, message: string): Unknown {
  return { kind: 'unknown', code, message };
}

const OUR_ACCOUNT = /wallet|balance|fund|account|token|\bkey\b|\bip\b|authori[sz]/i;

/** Returns a provider's text as the text for the merchant, unless it may be about our account. */
export function wordsForMerchant(text: string): { readonly telcoMessage?: string } {
  return text === '' || OUR_ACCOUNT.test(text) ? {} : { telcoMessage: text };
}

/** Returned if the reply names an order other than ours. */
export function otherOrder(): Unknown {
  return unknown('other_order', 'the reply names another order');
}

/**
 * Answers for an order that the connector refuses without a call, because the provider cannot serve
 * it. Another provider may serve it.
 */
export function refusedWithoutCall(code: string, message: string): Failed {
  return { kind: 'failed', fault: 'provider', isUncalled: true, code, message };
}

/** Why an order cannot be sent to a provider. `amountDue` is in kobo. */
type Unsendable = { readonly lacks: 'code' | 'phone' | 'whole naira' } | { readonly amountDue: bigint };

/** Returned for an order that is not sent. An amount other than the amount due is final. */
export function refuseUnsent(provider: string, order: ProviderOrder, reason: Unsendable): ProviderAnswer {
  if ('amountDue' in reason) {
    const message = `The amount due is ${formatAmount(reason.amountDue)}`;
    return { ...refusedWithoutCall('amount_due', message), telcoMessage: message, fault: 'order' };
  }
  switch (reason.lacks) {
    case 'code':
      return refusedWithoutCall('no_plan_code', withoutCode(provider, order));
    case 'phone':
      return refusedWithoutCall('no_phone', `${provider} accepts no such order without a phone`);
    case 'whole naira':
      return refusedWithoutCall('fractional_amount', `${provider} is sent whole naira only`);
  }
}

/** Returned if a reply neither verifies nor rejects the customer. */
export function unverified(code: string, message: string): CustomerAnswer {
  return { kind: 'unavailable', code, message };
}

/** Returned if the customer's network or plan has no code at the provider. */
export function unverifiable(provider: string, query: CustomerQuery): CustomerAnswer {
  return { kind: 'unavailable', code: 'no_plan_code', message: withoutCode(provider, query) };
}

function withoutCode(provider: string, { product, network }: CustomerQuery): string {
  return `no ${provider} code for this ${network} ${product}`;
}

type NotSent = Pick<Extract<CallResult, { kind: 'not_sent' }>, 'reason' | 'unreachable'>;

/** Returned if the call of an order was not sent. */
export function notSent({ reason, unreachable }: NotSent): ProviderAnswer {
  return { kind: 'not_sent', code: unreachable ? 'unreachable' : 'not_sent', message: reason };
}

/** Returned if a query was not sent. It proves nothing about the order. */
export function notQueried({ reason, unreachable }: NotSent): Unknown {
  return unknown(unreachable ? 'unreachable' : 'not_queried', reason);
}

const PREFIXES = { order: 'refused_', provider: 'not_served_' } as const;

/** Turns a refusal into an unconfirmed one. Its message keeps the words for the customer. */
export function unconfirmed({ fault, code, message, telcoMessage }: Failed): Unknown {
  return unknown(`${PREFIXES[fault]}${code}`, telcoMessage ?? message);
}

/** Tells whether a stored answer to an order is an unconfirmed refusal. */
export function isUnconfirmedRefusal({ code }: Pick<ProviderAnswer, 'code'>): boolean {
  return Object.values(PREFIXES).some((prefix) => code.startsWith(prefix));
}

/**
 * Decides an unproven refusal by the lookup right after it. If the order is not found, a refusal
 * that concerns our account is final, so that another provider serves the purchase without delay. A
 * refusal of the order itself stays unconfirmed for `graceMs`.
 */
export function decideRefusal(refused: Failed, found: ProviderAnswer, graceMs: number): ProviderAnswer {
  if (found.kind !== 'not_found' && (found.kind !== 'unknown' || found.delivered)) return found;
  const stands = refused.fault === 'provider' || graceMs === 0;
  return found.kind === 'not_found' && stands ? refused : unconfirmed(refused);
}

/**
 * Returns the answer to a query. An order that is not found fails when its unconfirmed refusal is
 * at least `graceMs` old.
 */
export function confirmRefusal(
  { refusal }: Pick<ProviderOrder, 'refusal'>,
  answer: ProviderAnswer,
  graceMs: number,
): ProviderAnswer {
  if (answer.kind !== 'not_found' || refusal === undefined || refusal.ageMs < graceMs) return answer;
  const { code, message: words } = refusal;
  const message = `refused (${words}), and not found since`;
  return code.startsWith(PREFIXES.provider)
    ? { kind: 'failed', fault: 'provider', code, message }
    : { kind: 'failed', fault: 'order', code, message, telcoMessage: words };
}

type Scrubber = {
  answer(answer: ProviderAnswer): ProviderAnswer;
  customer(answer: CustomerAnswer): CustomerAnswer;
};

/** A shorter part of a secret is not removed, because it could be part of a common word. */
const SECRET_PART_MIN = 8;

/** Creates a function that removes secrets from answers. Reads `secrets` again for each answer. */
export function createScrubber(secrets: () => readonly string[]): Scrubber {
  const scrub = (text: string): string => {
    const hidden = secrets().filter((secret) => secret !== '');
    // Longer secrets first, because one spelling of a secret may begin like another.
    const clean = hidden.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
    return hidden.reduce(removeSecret, clean);
  };
  return {
    answer: (answer) => ({
      ...answer,
      message: scrub(answer.message),
      ...(answer.telcoMessage !== undefined && { telcoMessage: scrub(answer.telcoMessage) }),
    }),
    customer: (answer) =>
      answer.kind === 'verified' ? answer : { ...answer, message: scrub(answer.message) },
  };
}

/**
 * Also removes the beginning of a secret: replies are limited in size, so a reply may end inside
 * the secret.
 */
function removeSecret(text: string, secret: string): string {
  if (secret.length <= SECRET_PART_MIN) return text;
  const [before = '', ...parts] = text.split(secret.slice(0, SECRET_PART_MIN));
  const rest = secret.slice(SECRET_PART_MIN);
  const withoutRest = (part: string): string => {
    let length = 0;
    while (length < rest.length && part[length] === rest[length]) length += 1;
    return part.slice(length);
  };
  return [before, ...parts.map((part) => `[key]${withoutRest(part)}`)].join('');
}
