/**
 * Counts answers and their times. Times are counted in buckets, so that a long run costs no more
 * memory than a short one.
 */
import type { LoadResult } from './job.ts';

const FINE_MS = 0.01;
const FINE_BUCKETS = 20_000;
const COARSE_MS = 1;
const COARSE_BUCKETS = 120_000;
/** There are few different errors, and an unusual failure must not fill the memory. */
const ERROR_KINDS_MAX = 20;

export class Tally {
  good = 0;
  readonly #expect: string;
  readonly #fine = new Uint32Array(FINE_BUCKETS);
  readonly #coarse = new Uint32Array(COARSE_BUCKETS);
  readonly #errors: Record<string, number> = {};
  #maxMs = 0;

  constructor(expect: string) {
    this.#expect = expect;
  }

  add(answer: string | undefined, latencyMs: number): void {
    if (answer?.startsWith('HTTP/1.1 200 ') && answer.includes(this.#expect)) {
      this.good += 1;
      this.#note(latencyMs);
    } else {
      this.#refuse(answer === undefined ? 'connection lost' : describe(answer));
    }
  }

  /** Requests without an answer in time. */
  addSilent(count: number): void {
    if (count > 0) this.#errors['no answer'] = count;
  }

  result(sent: number, seconds: number): Omit<LoadResult, 'stoodStillMs'> {
    return {
      sent,
      good: this.good,
      seconds,
      latencyMs: { p50: this.#quantile(0.5), p99: this.#quantile(0.99), max: this.#maxMs },
      errors: this.#errors,
    };
  }

  #note(latencyMs: number): void {
    this.#maxMs = Math.max(this.#maxMs, latencyMs);
    const fine = Math.floor(latencyMs / FINE_MS);
    if (fine < FINE_BUCKETS) {
      this.#fine[fine] = (this.#fine[fine] ?? 0) + 1;
    } else {
      const coarse = Math.min(COARSE_BUCKETS - 1, Math.floor(latencyMs / COARSE_MS));
      this.#coarse[coarse] = (this.#coarse[coarse] ?? 0) + 1;
    }
  }

  #refuse(what: string): void {
    const kind =
      what in this.#errors || Object.keys(this.#errors).length < ERROR_KINDS_MAX ? what : 'other errors';
    this.#errors[kind] = (this.#errors[kind] ?? 0) + 1;
  }

  /** The upper edge of its bucket. */
  #quantile(share: number): number {
    let left = Math.ceil(this.good * share);
    if (left === 0) return 0;
    for (const [buckets, widthMs] of [
      [this.#fine, FINE_MS],
      [this.#coarse, COARSE_MS],
    ] as const) {
      for (let bucket = 0; bucket < buckets.length; bucket += 1) {
        left -= buckets[bucket] ?? 0;
        if (left <= 0) return (bucket + 1) * widthMs;
      }
    }
    return this.#maxMs;
  }
}

/** The status line and the start of the body: without ids, so that equal errors count as one. */
function describe(answer: string): string {
  const status = answer.slice(0, answer.indexOf('\r\n'));
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const message = /"(?:message|response_message)":"[^"]*"/.exec(body)?.[0] ?? body.slice(0, 60);
  return `${status} ${message}`;
}
