/**
 * The answers for a call that did not leave. Their code says whether it was tried and there was no
 * connection, or was held back here: only the first shows anything of the provider. Pure.
 */
import type { CallResult } from '../upstream/call.ts';
import type { ProviderAnswer } from './provider.ts';

type NotSent = Pick<Extract<CallResult, { kind: 'not_sent' }>, 'reason' | 'unreachable'>;

/** To an order. */
export function notSent({ reason, unreachable }: NotSent): ProviderAnswer {
  return { kind: 'not_sent', code: unreachable ? 'unreachable' : 'not_sent', message: reason };
}

/** To a question, of which nothing follows for the order. */
export function notAsked({ reason, unreachable }: NotSent): ProviderAnswer & { readonly kind: 'unknown' } {
  return { kind: 'unknown', code: unreachable ? 'unreachable' : 'not_asked', message: reason };
}
