/**
 * The rate of purchases in normal operation, and the time until it returns after a fault: at least
 * half of the rate, hardly any refused or lost, and a p99 near the normal one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../../bench/pressure/client.ts';
import type { ClientAnswer } from '../../test/support/load.ts';

const WINDOW_MS = 1_000;
const STEP_MS = 100;
/** A clock that ticks this late was paused with the machine. */
const STOOD_STILL_MS = 1_000;
const BAD_SHARE_MAX = 0.01;

type Sample = {
  readonly startedAt: number;
  ms: number | undefined;
  isBad: boolean;
  isTaken: boolean;
};

export type Baseline = { readonly perSecond: number; readonly p99Ms: number; readonly boundMs: number };

export class Calm {
  #samples: Sample[] = [];
  #baseline: Baseline | undefined;

  /** For the clients: see `onSend` of their options. */
  readonly onSend = (): ((answer: ClientAnswer) => void) => {
    const sample: Sample = { startedAt: performance.now(), ms: undefined, isBad: false, isTaken: false };
    this.#samples.push(sample);
    return ({ status }) => {
      sample.ms = performance.now() - sample.startedAt;
      sample.isBad = typeof status === 'string' || status >= 500;
      sample.isTaken = status === 200;
    };
  };

  /** Observes purchases during normal operation. Rejects when none was accepted. */
  async learn(seconds: number): Promise<Baseline> {
    this.#samples = [];
    await sleep(seconds * 1_000);
    const times = this.#samples.flatMap(({ ms, isTaken }) => (isTaken && ms !== undefined ? [ms] : []));
    if (times.length === 0) throw new Error('no purchase was taken while nothing was wrong');
    const p99Ms = quantile(times, 0.99);
    this.#baseline = {
      perSecond: times.length / seconds,
      p99Ms,
      boundMs: Math.max(2 * p99Ms, p99Ms + 100),
    };
    return this.#baseline;
  }

  /**
   * Resolves with the milliseconds from now until the first normal second; undefined when none came
   * in time. Time in which the machine was paused is not counted.
   */
  async untilCalm(withinMs: number): Promise<number | undefined> {
    const since = performance.now();
    this.#samples = this.#samples.filter(({ ms, startedAt }) => ms === undefined || startedAt > since);
    let from = since;
    let excusedMs = 0;
    while (from - since - excusedMs <= withinMs) {
      const before = performance.now();
      const verdict = this.#judge(from, before);
      if (verdict === 'calm') return from - since - excusedMs;
      if (verdict === 'troubled') from += STEP_MS;
      else await sleep(STEP_MS);
      const passedMs = performance.now() - before;
      if (passedMs > STOOD_STILL_MS) excusedMs += passedMs;
    }
    return undefined;
  }

  /** The second that begins at `from`. */
  #judge(from: number, now: number): 'calm' | 'troubled' | 'open' {
    if (this.#baseline === undefined) throw new Error('nobody knows what calm is');
    const { perSecond, boundMs } = this.#baseline;
    if (now < from + WINDOW_MS) return 'open';
    const sent = this.#samples.filter(({ startedAt }) => startedAt >= from && startedAt < from + WINDOW_MS);
    const times = sent.map(({ ms, startedAt }) => ms ?? now - startedAt);
    const isSlow = quantile(times, 0.99) > boundMs;
    const isBad = sent.filter((sample) => sample.isBad).length > sent.length * BAD_SHARE_MAX;
    if (isSlow || isBad || sent.length < perSecond / 2) return 'troubled';
    return sent.some(({ ms }) => ms === undefined) ? 'open' : 'calm';
  }
}
