/**
 * The lane of one provider in this process: all its purchases and questions pass it, those of
 * requests and those of the worker. It knows how much the provider takes at once and a second, and
 * this process's share of that.
 *
 * Guarantees: no more calls at once than the share; a few places are left to questions, so that a
 * long queue of purchases does not keep them out; a request that waits goes before the worker, and
 * a purchase before a question.
 */

import { systemClock } from '../../kernel/clock.ts';
import type { ProviderCapacity } from '../../providers/provider.ts';
import { createPace, type Pace, type Rank } from '../../upstream/pace.ts';

export type Step = 'send' | 'query';

export type LaneOptions = {
  /** Absent where nothing is called: then only `placesMax` counts. */
  readonly capacity: ProviderCapacity | undefined;
  /** Whether calls are held back at the moment. */
  readonly state: () => 'closed' | 'open' | 'half_open';
  /** Places where the provider says nothing. */
  readonly placesMax: number;
  /**
   * Resolves once calls can leave at once, undefined where they can now: turns are given from then
   * on. Calls that had their turns before would leave together.
   */
  readonly untilReady?: () => Promise<unknown> | undefined;
  /** Whether purchases are kept from the provider; questions go on. */
  readonly isPaused?: () => boolean;
  /** Told among how many processes the provider is divided. */
  readonly onShare?: (processes: number) => void;
};

export type LaneUse = {
  /** Calls under way, or with a place and waiting for their turn. */
  readonly calls: number;
  readonly places: number;
  /** Purchases and questions of requests that wait for a place. */
  readonly waiting: number;
};

/** The worker takes what comes to its turn within so many milliseconds. */
const AHEAD_MS = 1_000;
const LATENCY_WEIGHT = 0.2;
/** Somebody waits for a request; and a purchase goes before a question. */
const requestRank = { send: 0, query: 2 } as const satisfies Record<Step, Rank>;
const workerRank = { send: 1, query: 2 } as const satisfies Record<Step, Rank>;

export class Lane {
  readonly #options: LaneOptions;
  readonly #pace: Pace;
  readonly #waiting: (() => void)[] = [];
  readonly #running = { send: 0, query: 0 };
  /** One call goes to see whether the provider is well again. */
  #probing = false;
  #places: number;
  #latencyMs = 0;
  #onLeave: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#places = options.capacity?.callsAtOnce ?? options.placesMax;
    this.#pace = createPace(options.capacity?.perSecond ?? 0);
  }

  /**
   * Divides what the provider takes among `processes`, of which this is the one at `position`, from
   * 0. Whole calls are divided: a share of 3.75 a second would be four in some seconds.
   */
  share(processes: number, position: number): void {
    const { capacity, onShare } = this.#options;
    onShare?.(processes);
    if (capacity === undefined) return;
    const { callsAtOnce, perSecond } = capacity;
    const wholeShare = (of: number): number =>
      Math.floor(of / processes) + (position < of % processes ? 1 : 0);
    this.#places = Math.max(1, wholeShare(callsAtOnce));
    // More processes than calls: each has less than one a second.
    this.#pace.set(perSecond < processes ? perSecond / processes : wholeShare(perSecond));
  }

  /** How many more calls the worker may take from the queue. */
  room(step: Step): number {
    const state = this.#options.state();
    if (state === 'open' || (step === 'send' && this.isPaused())) return 0;
    const free = this.#free(step) - this.#waiting.length;
    const paced = this.#isPaced(step) ? this.#pace.turnsWithin(AHEAD_MS) : free;
    const room = Math.max(0, Math.min(free, paced));
    if (state === 'closed') return room;
    return this.#probing ? 0 : Math.min(room, 1);
  }

  /** For the worker: takes a place that `room` showed, and waits for its turn. */
  async take(step: Step): Promise<void> {
    this.#running[step] += 1;
    this.#probing = this.#options.state() === 'half_open';
    if (!this.#isPaced(step)) return;
    await this.#options.untilReady?.();
    await this.#pace.turn(Number.POSITIVE_INFINITY, { rank: workerRank[step] });
  }

  /** For a request: takes a place whose turn is now; false where it would have to wait. */
  enterAtOnce(step: Step): boolean {
    if (this.#waiting.length > 0 || this.#free(step) <= 0) return false;
    if (this.#isPaced(step) && (this.#options.untilReady?.() !== undefined || !this.#pace.takeNow()))
      return false;
    this.#running[step] += 1;
    return true;
  }

  /**
   * For a request: takes a place, waiting for it and for its turn; false where that takes too long.
   */
  async enter(step: Step, withinMs: number): Promise<boolean> {
    if (this.enterAtOnce(step)) return true;
    const untilMs = systemClock.elapsedMs() + withinMs;
    if (this.#free(step) > 0 && this.#waiting.length === 0) this.#running[step] += 1;
    else if (!(await this.#wait(step, withinMs))) return false;
    if (!this.#isPaced(step)) return true;
    await this.#options.untilReady?.();
    const rank = requestRank[step];
    if (await this.#pace.turn(untilMs - systemClock.elapsedMs(), { rank })) return true;
    this.leave(step);
    return false;
  }

  /** Gives the place back. `latencyMs` of a call that was made. */
  leave(step: Step, latencyMs?: number): void {
    this.#running[step] -= 1;
    this.#probing = false;
    if (latencyMs !== undefined) {
      this.#latencyMs += (latencyMs - this.#latencyMs) * (this.#latencyMs === 0 ? 1 : LATENCY_WEIGHT);
    }
    if (this.#waiting.length > 0 && this.#free('send') > 0) this.#waiting.shift()?.();
    this.#onLeave?.();
  }

  /** How long a purchase that comes now waits, as far as can be told. */
  waitMs(): number {
    const ahead = this.#waiting.length + 1 - this.#free('send');
    const placeMs = ahead <= 0 ? 0 : (ahead / this.#sendPlaces()) * this.#latencyMs;
    return Math.max(placeMs, this.#pace.waitMs(requestRank.send, this.#waiting.length));
  }

  /** Whether a purchase that comes now leaves within `ms`. */
  takesWithin(ms: number): boolean {
    return this.isOpen() && this.waitMs() <= ms;
  }

  /** Whether purchases are kept from the provider. */
  isPaused(): boolean {
    return this.#options.isPaused?.() === true;
  }

  /** How much it has to do, against what this process may call at once. */
  use(): LaneUse {
    const { send, query } = this.#running;
    return { calls: send + query, places: this.#places, waiting: this.#waiting.length };
  }

  /** Whether calls leave at all at the moment. */
  isOpen(): boolean {
    return this.#options.state() !== 'open';
  }

  /** The next time a place becomes free, or after `ms`. */
  async change(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onLeave = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onLeave = undefined;
  }

  #isPaced(step: Step): boolean {
    return step === 'send' || this.#options.capacity?.pacesQuestions === true;
  }

  #free(step: Step): number {
    const { send, query } = this.#running;
    const free = this.#places - send - query;
    return step === 'send' ? Math.min(free, this.#sendPlaces() - send) : free;
  }

  /** A tenth is left to questions. */
  #sendPlaces(): number {
    return this.#places - (this.#places > 1 ? Math.max(1, Math.floor(this.#places / 10)) : 0);
  }

  async #wait(step: Step, withinMs: number): Promise<boolean> {
    return await new Promise<boolean>((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#running[step] += 1;
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        resolve(false);
      }, withinMs);
      this.#waiting.push(go);
    });
  }
}
