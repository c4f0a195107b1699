/**
 * Shares the pages of a panel's list among look-ups that run at the same time. After an outage
 * thousands of orders wait, and each look-up would read the same pages.
 *
 * A page is read after the one before it, so records that arrive meanwhile move rows to later
 * pages, and no row is missed. A look-up may join a walk that began shortly before it: a record
 * that is newer is absent, which proves nothing, and a later look-up finds it.
 */
import type { CallResult } from '../http/call.ts';

/** The age at which no more look-ups join a walk. */
const JOIN_MS = 2_000;

type Walk = {
  readonly beganMs: number;
  readonly pages: Map<number, Promise<CallResult>>;
  users: number;
};

export class SharedWalks {
  readonly #walks = new Map<string, Walk>();
  readonly #joinMs: number;
  readonly #nowMs: () => number;

  constructor({ timeScale, nowMs }: { readonly timeScale: number; readonly nowMs: () => number }) {
    this.#joinMs = JOIN_MS * timeScale;
    this.#nowMs = nowMs;
  }

  /** Runs a look-up, which reads pages by `page`. Look-ups with the same `list` share pages. */
  async run<T>(list: string, lookUp: (page: PageReader) => Promise<T>): Promise<T> {
    const nowMs = this.#nowMs();
    let walk = this.#walks.get(list);
    // A clock that was set back ends a walk too.
    if (walk === undefined || nowMs < walk.beganMs || nowMs - walk.beganMs > this.#joinMs) {
      walk = { beganMs: nowMs, pages: new Map(), users: 0 };
      this.#walks.set(list, walk);
    }
    const { pages } = walk;
    walk.users += 1;
    try {
      return await lookUp((number, read) => {
        const known = pages.get(number);
        if (known !== undefined) return known;
        const reading = read();
        pages.set(number, reading);
        const forget = (): boolean => pages.delete(number);
        void reading.then((result) => isPage(result) || forget(), forget);
        return reading;
      });
    } finally {
      walk.users -= 1;
      if (walk.users === 0 && this.#walks.get(list) === walk) this.#walks.delete(list);
    }
  }
}

/** Tells whether a call returned a page, or 404 past the last one. Other calls are repeated. */
function isPage(result: CallResult): boolean {
  return result.kind === 'reply' && (result.status < 300 || result.status === 404);
}

/** Reads a page, from 1 on and in order, unless a look-up of the same walk has. */
export type PageReader = (number: number, read: () => Promise<CallResult>) => Promise<CallResult>;
