/**
 * A request under a used reference, as far as it is compared with the first purchase under it: what
 * was sent for each field, however malformed, and what comparing one field gives.
 */
import type { PurchaseRole } from '../../kernel/request-fault.ts';

/**
 * For each field that the route has, what was sent under its name and its alias; empty where
 * nothing was sent.
 */
export type SentPurchase = { readonly [Role in PurchaseRole]?: readonly unknown[] };

/** `unknown`: what the first purchase had there is not stored, or not any more. */
export type Verdict = 'same' | 'differs' | 'unknown';

/** Judges one field; undefined where nothing was sent for it. */
export type JudgeField = (text: string | undefined) => Verdict;

/** What was sent twice must mean the same both times. What is no text means nothing. */
export function judgeSent(sent: readonly unknown[], judge: JudgeField): Verdict {
  if (sent.length === 0) return judge(undefined);
  const verdicts = sent.map((value) => {
    const text = textOf(value);
    return text === undefined ? 'differs' : judge(text);
  });
  return verdicts.find((verdict) => verdict === 'differs') ?? verdicts[0] ?? 'unknown';
}

/** Clients send numbers as text and text as numbers. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

export function sameOr(isSame: boolean, otherwise: Verdict = 'differs'): Verdict {
  return isSame ? 'same' : otherwise;
}

export function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
