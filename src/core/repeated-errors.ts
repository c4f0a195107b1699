/**
 * Limits the log lines of a repeated error. A full disk makes every job fail many times a second,
 * each time with the same stack.
 *
 * Guarantees: an error is logged with its stack once a minute. In between it is logged without a
 * stack at most every ten seconds, or ten times a second if the lines have a subject, such as a
 * purchase. Each line counts those left out before it. Memory is bounded, and no timer runs.
 */
import { LRUCache } from 'lru-cache';

const WHOLE_EVERY_MS = 60_000;
const BRIEF_EVERY_MS = 10_000;
const SECOND_MS = 1_000;
const BRIEF_PER_S = 10;
/** Kinds of errors that are remembered at one time. */
const KNOWN_MAX = 500;

type Seen = { wholeAtMs: number; windowAtMs: number; lines: number; omitted: number };

/** `omitted`: how many of its kind were left out since its last line. */
export type ErrorLine = { readonly form: 'whole' | 'brief'; readonly omitted: number };

export class RepeatedErrors {
  readonly #now: () => number;
  readonly #seen = new LRUCache<string, Seen>({ max: KNOWN_MAX });

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the line for an error of the kind, or undefined if it gets no line. */
  take(kind: string, { hasSubject }: { readonly hasSubject: boolean }): ErrorLine | undefined {
    const nowMs = this.#now();
    const seen = this.#seen.get(kind);
    if (seen === undefined) {
      this.#seen.set(kind, { wholeAtMs: nowMs, windowAtMs: nowMs, lines: 1, omitted: 0 });
      return { form: 'whole', omitted: 0 };
    }
    const windowMs = hasSubject ? SECOND_MS : BRIEF_EVERY_MS;
    if (nowMs - seen.windowAtMs >= windowMs) {
      seen.windowAtMs = nowMs;
      seen.lines = 0;
    }
    if (seen.lines >= (hasSubject ? BRIEF_PER_S : 1)) {
      seen.omitted += 1;
      return undefined;
    }
    const { omitted } = seen;
    seen.lines += 1;
    seen.omitted = 0;
    if (nowMs - seen.wholeAtMs < WHOLE_EVERY_MS) return { form: 'brief', omitted };
    seen.wholeAtMs = nowMs;
    return { form: 'whole', omitted };
  }
}
