/**
 * Gives purchases that wait for a provider to the next one of their route as soon as that one is
 * better off: it has room, and the provider that they wait for is held back or paused, or has had
 * no room for them for a while.
 *
 * Guarantees: only what was never sent, or provably did not leave, is moved; none goes to a
 * provider that refused it; no provider is given more than it can take now. The queue is looked at
 * in pieces, each from where the last one ended.
 */
import type { Sql } from '../../db/database.ts';
import { divertVends, type LanePlace } from './claim-store.ts';
import type { Lanes } from './lanes.ts';

export class VendDiversion {
  readonly #sql: Sql;
  readonly #lanes: Lanes;
  readonly #patienceMs: number;
  readonly #wake: (provider: string) => void;
  /** Where the next look at a provider's queue begins. */
  readonly #places = new Map<string, LanePlace>();

  /** `patienceMs`: how long a purchase waits for a provider that is well and only has no room. */
  constructor(sql: Sql, lanes: Lanes, patienceMs: number, wake: (provider: string) => void) {
    this.#sql = sql;
    this.#lanes = lanes;
    this.#patienceMs = patienceMs;
    this.#wake = wake;
  }

  async run(): Promise<void> {
    const rooms = new Map([...this.#lanes].map(([name, lane]) => [name, lane.room('send')]));
    const free = [...rooms].filter(([, room]) => room > 0);
    if (free.length === 0) return;
    for (const [from, lane] of this.#lanes) {
      if (rooms.get(from) !== 0) continue;
      const { moved, next } = await divertVends(this.#sql, {
        from,
        to: free.map(([provider, room]) => ({ provider, room })),
        waitedMs: lane.isOpen() && !lane.isPaused() ? this.#patienceMs : 0,
        place: this.#places.get(from),
      });
      if (next === undefined) this.#places.delete(from);
      else this.#places.set(from, next);
      for (const provider of moved) this.#wake(provider);
    }
  }
}
