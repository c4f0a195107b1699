/**
 * Shares the pages of a panel's list among look-ups. After an outage thousands of orders wait, and
 * each look-up would read the same pages.
 *
 * A page is read after the one before it, so records that arrive meanwhile move rows to later
 * pages, and no row is missed. A lookup joins a reading of the list that began after its order was
 * sent and that it has not used before, so two lookups of one order never use the same reading. A
 * record that came late is absent, which proves nothing, and a later look-up finds it.
 */
import type { CallResult } from '../http/call.ts';

/**
 * A reading can be joined while its pages are read, then for as long as it took, and in any case
 * until this age.
 */
const JOIN_MS = 2_000;

type Walk = {
  readonly beganMs: number;
  /** When the last page was read. */
  readMs: number;
  /** The number of pages that are being read. */
  reading: number;
  readonly pages: Map<number, Promise<CallResult>>;
  /** The references of the orders that were looked up. */
  readonly orders: Set<string>;
};

type LookedUp = { readonly reference: string; readonly sentAtMs: number };

export class SharedWalks {
  /** The latest of each list. */
  readonly #walks = new Map<string, Walk>();
  readonly #joinMs: number;
  readonly #nowMs: () => number;

  constructor({ timeScale, nowMs }: { readonly timeScale: number; readonly nowMs: () => number }) {
    this.#joinMs = JOIN_MS * timeScale;
    this.#nowMs = nowMs;
  }

  /**
   * Runs a lookup, which reads pages with `page`. Lookups with the same `list` share pages, none of
   * which is older than `sinceMs`.
   */
  async run<T>(
    list: string,
    order: LookedUp,
    lookUp: (page: PageReader, sinceMs: number) => Promise<T>,
  ): Promise<T> {
    const walk = this.#walkFor(list, order);
    walk.orders.add(order.reference);
    return await lookUp((number, read) => {
      const known = walk.pages.get(number);
      if (known !== undefined) return known;
      const reading = this.#read(walk, read);
      walk.pages.set(number, reading);
      const forget = (): boolean => walk.pages.delete(number);
      void reading.then((result) => isPage(result) || forget(), forget);
      return reading;
    }, walk.beganMs);
  }

  #walkFor(list: string, { reference, sentAtMs }: LookedUp): Walk {
    const nowMs = this.#nowMs();
    const latest = this.#walks.get(list);
    if (latest !== undefined && sentAtMs <= latest.beganMs && !latest.orders.has(reference)) {
      const ageMs = nowMs - latest.beganMs;
      const isFresh =
        latest.reading > 0 || ageMs <= Math.max(this.#joinMs, 2 * (latest.readMs - latest.beganMs));
      // A clock that was set back also ends a reading.
      if (isFresh && ageMs >= 0) return latest;
    }
    const walk: Walk = { beganMs: nowMs, readMs: nowMs, reading: 0, pages: new Map(), orders: new Set() };
    this.#walks.set(list, walk);
    return walk;
  }

  async #read(walk: Walk, read: () => Promise<CallResult>): Promise<CallResult> {
    walk.reading += 1;
    try {
      return await read();
    } finally {
      walk.reading -= 1;
      walk.readMs = this.#nowMs();
    }
  }
}

/** Tells whether a call returned a page, or 404 past the last one. Other calls are repeated. */
function isPage(result: CallResult): boolean {
  return result.kind === 'reply' && (result.status < 300 || result.status === 404);
}

/**
 * Reads a page, from 1 on and in order, unless another lookup of the same reading has already read
 * it.
 */
export type PageReader = (number: number, read: () => Promise<CallResult>) => Promise<CallResult>;
