/**
 * Limits the calls to one account of an upstream: how many run at once, how many start a second,
 * and how they are shared. Each HTTP call passes through it once. Guarantees:
 * - Purchases go before queries, and a caller's purchase before one of the worker. Queries have
 *   reserved slots and one start in ten. They never get the slots that are reserved for purchases.
 * - A call of kind `spare` runs only while no other call waits.
 * - The last slots are for merchants that have no call running, and waiting merchants take turns.
 *   So one merchant never has all slots.
 * - A call that cannot start in time is refused, and never starts late.
 * - If a slot is free, a call starts synchronously, without a timer, promise or closure. An account
 *   serves one environment, so test calls never take slots of live ones.
 */
import { systemClock } from '../../core/clock.ts';

/** `purchase`: a caller waits for it; `queued`: the worker sends it. */
export type Kind = 'purchase' | 'queued' | 'query' | 'spare';

/** A call's request for a slot at a limiter. Made by `newTurn`; only limiters change it. */
export type Turn = {
  readonly kind: Kind;
  /** The merchant of the call; undefined for the gateway's own calls. */
  readonly merchantId: number | undefined;
  /** The limiter at which it has a slot. */
  limiter: Limiter | undefined;
  /** Whether it has a slot and may start. */
  isIn: boolean;
  /** The milliseconds that it has waited. */
  waitedMs: number;
};

export type LimiterSettings = {
  readonly callsMax: number;
  /** The calls that may start each second. Absent, or 0: no limit. */
  readonly perSecond?: number;
  /** Whether `perSecond` limits every call, or purchases only. */
  readonly paces?: 'all' | 'purchases';
  /**
   * The fraction of the slots that queries may take. A tenth is kept for queries, and another for
   * merchants that have no call running. Absent: all calls are alike.
   */
  readonly queryShare?: number;
  /** The number of calls of each kind that may wait. */
  readonly waitingMax: number;
};

/** `callsMax` is the share of this process. */
export type LimiterUse = Readonly<Record<'calls' | 'callsMax' | 'waiting', number>>;

/** `full`: too many wait; `late`: it could not start in time, or its signal aborted. */
export type Entry = 'in' | 'full' | 'late';

type Waiter = { readonly turn: Turn; readonly untilMs: number; settle(entry: Entry): void };

/** Stands for the gateway's own calls among the merchants in a queue. */
const OWN = -1;
const KEPT_SHARE = 0.1;
const SPARE_SHARE = 0.25;
/** The fill level of a queue beyond which merchants that already wait in it may add no calls. */
const WAITING_SHARE = 0.75;
/** One start in this many goes to queries first. */
const LAST_EVERY = 10;
/** How late a timer may be without reducing the rate. */
const LATE_MS = 5;
/** The worker reserves only calls that can start within this time. */
const AHEAD_MS = 1_000;
const LATENCY_WEIGHT = 0.2;

const firstFirst = ['purchase', 'queued', 'query', 'spare'] as const;
const lastFirst = ['query', 'queued', 'purchase', 'spare'] as const;

export function newTurn(kind: Kind, merchantId?: number): Turn {
  return { kind, merchantId, limiter: undefined, isIn: false, waitedMs: 0 };
}

export class Limiter {
  readonly #settings: LimiterSettings;
  readonly #elapsedMs: () => number;
  readonly #lines = { purchase: new Line(), queued: new Line(), query: new Line(), spare: new Line() };
  /** The number of slots that each merchant has, for merchants that have any. */
  readonly #held = new Map<number, number>();
  #purchases = 0;
  #queries = 0;
  /** The slots that are reserved for rate-limited calls which have not started. */
  #unstarted = 0;
  #callsMax = 0;
  #kept = 0;
  #sharedBy: readonly [processes: number, position: number] = [1, 0];
  #stepMs = 0;
  #nextAtMs = Number.NEGATIVE_INFINITY;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #starts = 0;
  #timer: NodeJS.Timeout | undefined;
  #latencyMs = 0;
  #onLeave: (() => void) | undefined;

  constructor(settings: LimiterSettings, elapsedMs: () => number = () => systemClock.elapsedMs()) {
    this.#settings = settings;
    this.#elapsedMs = elapsedMs;
    this.share(1, 0);
  }

  /** The rate of the whole installation; 0: no limit. */
  get perSecond(): number {
    return this.#settings.perSecond ?? 0;
  }

  /** The milliseconds for which no call starts. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#elapsedMs());
  }

  /**
   * Sets the share of this process: one of `processes`, at `position` from 0. Shares are whole
   * calls, because a share of 3.75 a second would start four calls in some seconds.
   */
  share(processes: number, position: number): void {
    const part = (of: number): number => Math.floor(of / processes) + (position < of % processes ? 1 : 0);
    this.#sharedBy = [processes, position];
    this.#callsMax = Math.max(1, part(this.#settings.callsMax));
    const keeps = this.#settings.queryShare !== undefined && this.#callsMax > 1;
    this.#kept = keeps ? Math.max(1, Math.floor(KEPT_SHARE * this.#callsMax)) : 0;
    const rate = this.perSecond < processes ? this.perSecond / processes : part(this.perSecond);
    this.#stepMs = rate === 0 ? 0 : 1_000 / rate;
    this.#serve();
  }

  /** Takes the share of a limiter that this one replaces. */
  shareLike(other: Limiter): void {
    this.share(...other.#sharedBy);
  }

  /** Starts the call if it can start now. Returns whether it started. */
  tryEnter(turn: Turn): boolean {
    if (turn.isIn && turn.limiter === this) return true;
    // Calls that are due go first, even if the timer has not fired yet.
    if (this.#timer !== undefined && this.#startsInMs() === 0) this.#serve();
    if (!this.#canStart(turn)) return false;
    this.#start(turn);
    return true;
  }

  /** Starts the call, and waits up to `withinMs` until it can start. */
  async enter(turn: Turn, withinMs: number, signal?: AbortSignal): Promise<Entry> {
    if (signal?.aborted) return 'late';
    if (this.tryEnter(turn)) return 'in';
    const line = this.#lines[turn.kind];
    const ofOthers = turn.kind === 'purchase' ? 0 : this.#waiting - line.size;
    const before = ofOthers + line.before(turn.merchantId);
    const startsInMs = this.#isPaced(turn.kind) ? this.#startsInMs() + before * this.#stepMs : this.pausedMs;
    if (startsInMs > withinMs) return 'late';
    const most = Math.ceil((line.has(turn) ? WAITING_SHARE : 1) * this.#settings.waitingMax);
    return line.size >= most ? 'full' : await this.#wait(line, turn, withinMs, signal);
  }

  /**
   * Reserves a slot that `room` counted, for a call that starts later and may wait for the rate.
   */
  reserve(turn: Turn): void {
    this.#takePlace(turn);
    if (this.#isPaced(turn.kind)) this.#unstarted += 1;
  }

  /** Releases the slot of a call. `latencyMs` is how long the call took, if it was made. */
  leave(turn: Turn, latencyMs?: number): void {
    if (turn.limiter !== this) return;
    if (!turn.isIn && this.#isPaced(turn.kind)) this.#unstarted -= 1;
    turn.limiter = undefined;
    turn.isIn = false;
    this.#count(turn, -1);
    if (latencyMs !== undefined) {
      this.#latencyMs += (latencyMs - this.#latencyMs) * (this.#latencyMs === 0 ? 1 : LATENCY_WEIGHT);
    }
    if (this.#waiting > 0) this.#serve();
    this.#onLeave?.();
  }

  /** Starts no calls for a while, because the upstream requested fewer calls. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#elapsedMs() + ms);
  }

  /**
   * Returns how many more calls the worker may reserve. Waiting purchases take no slots that are
   * kept for queries. At a rate they leave one start in ten to others, for which one call may be
   * reserved.
   */
  room(kind: 'queued' | 'query'): number {
    if (this.pausedMs > 0) return 0;
    const own = Math.min(this.#free, this.#most(kind, true) - this.#countOf(kind));
    const waiting = this.#lines.purchase.size;
    const wanted = Math.max(0, Math.min(waiting, this.#most('purchase', true) - this.#purchases));
    const free = Math.min(own, this.#free - wanted);
    if (!this.#isPaced(kind)) return Math.max(0, free);
    const leftMs = AHEAD_MS - this.#startsInMs() - (this.#unstarted + waiting) * this.#stepMs;
    const room = Math.max(0, Math.min(free, Math.floor(leftMs / this.#stepMs) + 1));
    return waiting > 0 && own > 0 && this.#unstarted === 0 ? Math.max(1, room) : room;
  }

  /** Estimates how long a new purchase of a merchant would wait before it starts. */
  waitMs(merchantId?: number): number {
    if (this.#hasSlot('purchase', merchantId) && this.#startsInMs() === 0) return 0;
    const before = this.#lines.purchase.before(merchantId);
    const most = this.#most('purchase', true);
    const ahead = before + 1 - Math.min(this.#free, most - this.#purchases);
    const placeMs = ahead <= 0 ? 0 : (ahead / most) * this.#latencyMs;
    return Math.max(placeMs, this.#startsInMs() + before * this.#stepMs);
  }

  use(): LimiterUse {
    const calls = this.#purchases + this.#queries;
    return { calls, callsMax: this.#callsMax, waiting: this.#waiting };
  }

  /** Resolves when a call ends, or after `ms`. For one caller. */
  async freed(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onLeave = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onLeave = undefined;
  }

  get #free(): number {
    return this.#callsMax - this.#purchases - this.#queries;
  }

  get #waiting(): number {
    const { purchase, queued, query, spare } = this.#lines;
    return purchase.size + queued.size + query.size + spare.size;
  }

  #isPaced(kind: Kind): boolean {
    return this.#stepMs > 0 && (this.#settings.paces === 'all' || isPurchase(kind));
  }

  /** Returns the milliseconds until the rate and a pause allow the next call. */
  #startsInMs(): number {
    return Math.max(0, this.#nextAtMs - this.#elapsedMs(), this.pausedMs);
  }

  #countOf(kind: Kind): number {
    return isPurchase(kind) ? this.#purchases : this.#queries;
  }

  /** Returns the maximum number of slots that calls of a kind may have. */
  #most(kind: Kind, holdsNone: boolean): number {
    const { queryShare } = this.#settings;
    if (queryShare === undefined) return this.#callsMax;
    const ofKind = isPurchase(kind)
      ? this.#callsMax - this.#kept
      : Math.floor((kind === 'query' ? queryShare : SPARE_SHARE) * this.#callsMax);
    return Math.max(1, kind === 'queued' || !holdsNone ? ofKind - this.#kept : ofKind);
  }

  #canStart(turn: Turn): boolean {
    const { kind, merchantId } = turn;
    if (turn.limiter !== this && !this.#hasSlot(kind, merchantId)) return false;
    if (kind === 'spare' && this.#waiting > this.#lines.spare.size) return false;
    return (this.#isPaced(kind) ? this.#startsInMs() : this.pausedMs) === 0;
  }

  #hasSlot(kind: Kind, merchantId: number | undefined): boolean {
    if (this.#free <= 0) return false;
    const holdsNone = merchantId === undefined || !this.#held.has(merchantId);
    return this.#countOf(kind) < this.#most(kind, holdsNone);
  }

  #start(turn: Turn): void {
    const isPaced = this.#isPaced(turn.kind);
    if (turn.limiter !== this) this.#takePlace(turn);
    else if (isPaced) this.#unstarted -= 1;
    turn.isIn = true;
    this.#starts += 1;
    // After the process was suspended, calls still start one step apart.
    if (isPaced) this.#nextAtMs = Math.max(this.#nextAtMs, this.#elapsedMs() - LATE_MS) + this.#stepMs;
  }

  #takePlace(turn: Turn): void {
    turn.limiter?.leave(turn);
    turn.limiter = this;
    this.#count(turn, 1);
  }

  #count({ kind, merchantId }: Turn, by: 1 | -1): void {
    if (isPurchase(kind)) this.#purchases += by;
    else this.#queries += by;
    if (merchantId === undefined) return;
    const held = (this.#held.get(merchantId) ?? 0) + by;
    if (held === 0) this.#held.delete(merchantId);
    else this.#held.set(merchantId, held);
  }

  #wait(line: Line, turn: Turn, withinMs: number, signal: AbortSignal | undefined): Promise<Entry> {
    const sinceMs = this.#elapsedMs();
    return new Promise((resolve) => {
      const settle = (entry: Entry): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        line.remove(waiter);
        turn.waitedMs += this.#elapsedMs() - sinceMs;
        resolve(entry);
      };
      const waiter: Waiter = { turn, untilMs: sinceMs + withinMs, settle };
      const giveUp = (): void => settle('late');
      const timer = setTimeout(giveUp, withinMs);
      signal?.addEventListener('abort', giveUp);
      line.add(waiter);
      this.#serve();
    });
  }

  /** Starts every waiting call that can start, and runs again when the next call may start. */
  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (;;) {
      // Read before the look: a time that comes during it is looked at again.
      const ms = this.#startsInMs();
      const next = this.#next();
      if (next === undefined) {
        if (ms > 0 && this.#waiting > 0) this.#timer = setTimeout(() => this.#serve(), Math.ceil(ms));
        return;
      }
      // When a suspended process resumes, slots become free before timers run.
      const isLate = this.#elapsedMs() > next.untilMs;
      if (!isLate) this.#start(next.turn);
      next.settle(isLate ? 'late' : 'in');
    }
  }

  #next(): Waiter | undefined {
    const order = this.#starts % LAST_EVERY === LAST_EVERY - 1 ? lastFirst : firstFirst;
    for (const kind of order) {
      const next = this.#lines[kind].next((turn) => this.#canStart(turn));
      if (next !== undefined) return next;
    }
    return undefined;
  }
}

function isPurchase(kind: Kind): boolean {
  return kind === 'purchase' || kind === 'queued';
}

/** The waiting calls of one kind. The merchant whose turn is next comes first. */
class Line {
  size = 0;
  readonly #merchants = new Map<number, Waiter[]>();

  /** Tells whether the merchant of a call already waits here. */
  has({ merchantId }: Turn): boolean {
    return merchantId !== undefined && this.#merchants.has(merchantId);
  }

  /** How many waiting calls start before a new one of the merchant. Merchants take turns. */
  before(merchantId: number = OWN): number {
    if (this.size === 0) return 0;
    const own = this.#merchants.get(merchantId)?.length ?? 0;
    let before = own;
    for (const [merchant, { length }] of this.#merchants) {
      if (merchant !== merchantId) before += Math.min(length, own + 1);
    }
    return before;
  }

  add(waiter: Waiter): void {
    const { merchantId = OWN } = waiter.turn;
    const waiters = this.#merchants.get(merchantId);
    if (waiters === undefined) this.#merchants.set(merchantId, [waiter]);
    else waiters.push(waiter);
    this.size += 1;
  }

  /** Returns the first call that can start, and moves its merchant to the end. */
  next(canStart: (turn: Turn) => boolean): Waiter | undefined {
    for (const [merchant, waiters] of this.#merchants) {
      const [waiter] = waiters;
      if (waiter === undefined || !canStart(waiter.turn)) continue;
      this.#merchants.delete(merchant);
      this.#merchants.set(merchant, waiters);
      return waiter;
    }
    return undefined;
  }

  remove(waiter: Waiter): void {
    const { merchantId = OWN } = waiter.turn;
    const waiters = this.#merchants.get(merchantId);
    const at = waiters?.indexOf(waiter) ?? -1;
    if (waiters === undefined || at === -1) return;
    waiters.splice(at, 1);
    if (waiters.length === 0) this.#merchants.delete(merchantId);
    this.size -= 1;
  }
}
