/**
 * Refusals of an order that do not prove that nothing was executed: the provider documents the same
 * words for orders that it took. Such a refusal fails an order only together with the provider's
 * word, some time later, that it has never heard of it. Until then the answer is `unknown`, and its
 * code says that it was a refusal. Pure.
 */
import type { CallResult } from './http/call.ts';
import type { CustomerAnswer, ProviderAnswer, ProviderOrder } from './provider.ts';

type Refused = Extract<ProviderAnswer, { kind: 'failed' }>;
type Unknown = Extract<ProviderAnswer, { kind: 'unknown' }>;

const PREFIXES = { order: 'refused_', provider: 'not_served_' } as const;

/** As it is stored until it is known. The words are kept for the customer. */
export function doubtRefusal({ fault, code, message, telcoMessage }: Refused): Unknown {
  return { kind: 'unknown', code: `${PREFIXES[fault]}${code}`, message: telcoMessage ?? message };
}

/** Whether a stored answer to an order is one. */
export function isDoubtedRefusal({ code }: Pick<ProviderAnswer, 'code'>): boolean {
  return Object.values(PREFIXES).some((prefix) => code.startsWith(prefix));
}

/**
 * The answer to a question about an order. "Never heard of it" confirms a refusal that is so old.
 */
export function confirmRefusal(
  { refusal }: Pick<ProviderOrder, 'refusal'>,
  answer: ProviderAnswer,
  graceMs: number,
): ProviderAnswer {
  if (answer.kind !== 'not_found' || refusal === undefined || refusal.ageMs < graceMs) return answer;
  const { code, message: words } = refusal;
  const message = `refused (${words}), and not known since`;
  return code.startsWith(PREFIXES.provider)
    ? { kind: 'failed', fault: 'provider', code, message }
    : { kind: 'failed', fault: 'order', code, message, telcoMessage: words };
}

type NotSent = Pick<Extract<CallResult, { kind: 'not_sent' }>, 'reason' | 'unreachable'>;

/** To an order. */
export function notSent({ reason, unreachable }: NotSent): ProviderAnswer {
  return { kind: 'not_sent', code: unreachable ? 'unreachable' : 'not_sent', message: reason };
}

/** To a question, of which nothing follows for the order. */
export function notAsked({ reason, unreachable }: NotSent): ProviderAnswer & { readonly kind: 'unknown' } {
  return { kind: 'unknown', code: unreachable ? 'unreachable' : 'not_asked', message: reason };
}

type Scrubber = {
  answer(answer: ProviderAnswer): ProviderAnswer;
  customer(answer: CustomerAnswer): CustomerAnswer;
};

/** `secrets` is called at every use, since keys can change. */
export function createScrubber(secrets: () => readonly string[]): Scrubber {
  const scrub = (text: string): string =>
    secrets()
      .filter((secret) => secret !== '')
      .reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text);
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
