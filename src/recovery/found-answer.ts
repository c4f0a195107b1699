/** An order that a provider lists and that was not known here, as operations answer it. */
import { type Static, Type } from 'typebox';
import { oneOf } from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { leftWords } from './left-words.ts';

export const foundVerdicts = ['entered', 'attempt', 'left', 'dismissed'] as const;

export const foundOutput = Type.Object({
  provider: Type.String(),
  /** Ours at the provider. */
  reference: Type.String(),
  verdict: oneOf(foundVerdicts),
  /** Of what is left: why, and what mends it. */
  reason: textOrNull,
  merchant: textOrNull,
  vend: textOrNull,
  state: textOrNull,
  at: textOrNull,
  product: textOrNull,
  network: textOrNull,
  recipient: textOrNull,
  amount: textOrNull,
  currency: textOrNull,
});

export function foundAnswer(found: {
  readonly provider: string;
  readonly reference: string;
  readonly verdict: (typeof foundVerdicts)[number];
  readonly reason: string;
  readonly merchant: string | null;
  readonly vend_id: string | null;
  readonly listed: Readonly<Record<string, unknown>>;
}): Static<typeof foundOutput> {
  const { listed } = found;
  const told = (name: string): string | null => {
    const value = listed[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    provider: found.provider,
    reference: found.reference,
    verdict: found.verdict,
    reason: found.reason === '' ? null : leftWords(found.reason),
    merchant: found.merchant,
    vend: found.vend_id,
    state: told('state'),
    at: told('at'),
    product: told('product'),
    network: told('network'),
    recipient: told('recipient'),
    amount: told('amount'),
    currency: told('amount_currency') ?? told('currency'),
  };
}
