/** Reads Acme's answers and callbacks. Pure: no call and no clock. */
import { notSent, unknown } from '../../../../src/providers/answers.ts';
import type { CallResult } from '../../../../src/providers/http/call.ts';
import { isBody, isSameText, word } from '../../../../src/providers/http/reply-fields.ts';
import type { ProviderAnswer } from '../../../../src/providers/provider.ts';
import type { Callback } from '../../../../src/providers/provider-definition.ts';

/** Reads the answer to an order or a query. Only documented final statuses are final. */
export function readOrder(result: CallResult, amount: bigint): ProviderAnswer {
  if (result.kind === 'not_sent') return notSent(result);
  if (result.kind === 'lost') return unknown('no_answer', result.reason);
  const code = word(isBody(result.body) ? result.body.state : undefined) ?? `http_${result.status}`;
  const evidence = { code, message: `HTTP ${result.status}` };
  switch (code) {
    case 'done':
      return { ...evidence, kind: 'success', cost: amount, telcoMessage: 'Acme delivered' };
    case 'working':
      return { ...evidence, kind: 'accepted' };
    case 'refused':
      return { ...evidence, kind: 'failed', fault: 'order', telcoMessage: 'Acme refused' };
    case 'never_heard':
      return { ...evidence, kind: 'not_found' };
    default:
      return { ...evidence, kind: 'unknown' };
  }
}

/** Reads a callback. Undefined if it is not Acme's or names no order. */
export function readCallback(
  { body, headers }: Callback,
  key: string,
): { readonly reference: string } | undefined {
  if (!isSameText(String(headers['x-key']), key)) return undefined;
  const reference = isBody(body) ? word(body.id) : undefined;
  return reference === undefined ? undefined : { reference };
}
