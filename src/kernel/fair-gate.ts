/**
 * Lets so many pieces of work run at once, of all that merchants ask for, and shares that out.
 *
 * Guarantees: one merchant never has all places, nor all of the queue. Merchants go in turn. A live
 * credential goes before every test credential that waits. All test credentials together have
 * places and a queue of their own, so that whatever they ask for, no live request is refused.
 */
import type { Environment } from './environment.ts';

/** Whose share it is taken from. */
export type Sharer = { readonly merchantId: number; readonly environment: Environment };

/** How much of something: of all merchants of the environment together, and of one of them. */
type Share = { readonly all: number; readonly each: number };

export type GateLimits = {
  /** Running at once, of both environments together. */
  readonly atOnce: number;
  readonly running: Readonly<Record<Environment, Share>>;
  readonly waiting: Readonly<Record<Environment, Share>>;
};

export type GateWait = {
  /** How long it may wait for its turn. Default: without end. */
  readonly withinMs?: number;
  /** It goes before what merchants only look up: a purchase waits for it. */
  readonly first?: boolean;
};

type Waiter = { readonly sharer: Sharer; readonly go: (place: Place) => void };

/** Gives the place back. Only the first call counts. */
export type Place = () => void;

class Count {
  all = 0;
  readonly #each = new Map<number, number>();

  has(share: Share, { merchantId }: Sharer): boolean {
    return this.all < share.all && (this.#each.get(merchantId) ?? 0) < share.each;
  }

  add({ merchantId }: Sharer, change: 1 | -1): void {
    this.all += change;
    const count = (this.#each.get(merchantId) ?? 0) + change;
    if (count === 0) this.#each.delete(merchantId);
    else this.#each.set(merchantId, count);
  }
}

/** Those who wait, by merchant: the one whose turn is next comes first. */
type Line = Map<number, Waiter[]>;

export class FairGate {
  #limits: GateLimits;
  readonly #running = { live: new Count(), test: new Count() };
  readonly #waiting = { live: new Count(), test: new Count() };
  /** In the order in which they are served. */
  readonly #lines = { first: new Map() as Line, live: new Map() as Line, test: new Map() as Line };

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** From the next turn on. */
  setLimits(limits: GateLimits): void {
    this.#limits = limits;
    this.#serve();
  }

  /** Running now. */
  get running(): number {
    return this.#running.live.all + this.#running.test.all;
  }

  /** A place, or undefined where the queue is full, or the turn did not come in time. */
  async enter(sharer: Sharer, { withinMs, first = false }: GateWait = {}): Promise<Place | undefined> {
    const { environment } = sharer;
    const line = this.#lines[environment === 'live' && first ? 'first' : environment];
    const own = line.get(sharer.merchantId);
    // Whoever waits although a place is free has his share already.
    if (own === undefined && this.#isFree(sharer)) return this.#take(sharer);
    if (!this.#waiting[environment].has(this.#limits.waiting[environment], sharer)) return undefined;
    return await this.#wait(line, sharer, withinMs);
  }

  /** What `work` gives, done in a place; `full` is called for the error where there is none. */
  async run<T>(sharer: Sharer, wait: GateWait, full: () => Error, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(sharer, wait);
    if (place === undefined) throw full();
    try {
      return await work();
    } finally {
      place();
    }
  }

  #isFree(sharer: Sharer): boolean {
    const { environment } = sharer;
    return (
      this.running < this.#limits.atOnce &&
      this.#running[environment].has(this.#limits.running[environment], sharer)
    );
  }

  #take(sharer: Sharer): Place {
    const count = this.#running[sharer.environment];
    count.add(sharer, 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      count.add(sharer, -1);
      this.#serve();
    };
  }

  #wait(line: Line, sharer: Sharer, withinMs: number | undefined): Promise<Place | undefined> {
    const count = this.#waiting[sharer.environment];
    count.add(sharer, 1);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        sharer,
        go: (place) => {
          clearTimeout(timer);
          count.add(sharer, -1);
          resolve(place);
        },
      };
      const own = line.get(sharer.merchantId);
      if (own === undefined) line.set(sharer.merchantId, [waiter]);
      else own.push(waiter);
      const timer =
        withinMs === undefined
          ? undefined
          : setTimeout(() => {
              leave(line, waiter);
              count.add(sharer, -1);
              resolve(undefined);
            }, withinMs);
    });
  }

  #serve(): void {
    for (const line of [this.#lines.first, this.#lines.live, this.#lines.test]) {
      for (let next = this.#next(line); next !== undefined; next = this.#next(line)) {
        next.go(this.#take(next.sharer));
      }
    }
  }

  /** Takes the next one who may go out of the line; his merchant's other ones go to its end. */
  #next(line: Line): Waiter | undefined {
    for (const [merchantId, own] of line) {
      const [waiter] = own;
      if (waiter === undefined || !this.#isFree(waiter.sharer)) continue;
      own.shift();
      line.delete(merchantId);
      if (own.length > 0) line.set(merchantId, own);
      return waiter;
    }
    return undefined;
  }
}

function leave(line: Line, waiter: Waiter): void {
  const { merchantId } = waiter.sharer;
  const rest = (line.get(merchantId) ?? []).filter((other) => other !== waiter);
  if (rest.length === 0) line.delete(merchantId);
  else line.set(merchantId, rest);
}
