/**
 * Moves purchases that wait for a provider to the next one of their route that can send them
 * sooner: it has capacity, and the current provider is held back or paused, or has had no capacity
 * for a while. Guarantees: only purchases that were never sent, or provably did not reach a
 * provider, are moved. A purchase never goes to a provider that refused it. No provider gets more
 * than it can take now. The queue is read in parts, each from where the last one ended.
 */
import type { Sql } from '../../db/database.ts';
import type { Provider } from '../../providers/provider.ts';
import { type LanePlace, reroutePurchases } from './claim-store.ts';
import { isOpen, roomAt } from './provider-room.ts';

type DiversionOptions = {
  readonly sql: Sql;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly isPaused: (provider: Provider) => boolean;
  /** How long a purchase waits for a healthy provider without capacity. */
  readonly patienceMs: number;
  readonly wake: (provider: string) => void;
};

export class PurchaseDiversion {
  readonly #options: DiversionOptions;
  /** The start of the next scan of a provider's queue. */
  readonly #places = new Map<string, LanePlace>();

  constructor(options: DiversionOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { sql, providers, isPaused, patienceMs, wake } = this.#options;
    const roomOf = (provider: Provider): number => (isPaused(provider) ? 0 : roomAt(provider, 'send'));
    const rooms = new Map([...providers].map(([name, provider]) => [name, roomOf(provider)]));
    const free = [...rooms].filter(([, room]) => room > 0);
    if (free.length === 0) return;
    for (const [from, provider] of providers) {
      if (rooms.get(from) !== 0) continue;
      const { moved, next } = await reroutePurchases(sql, {
        from,
        to: free.map(([to, room]) => ({ provider: to, room })),
        waitedMs: isOpen(provider) && !isPaused(provider) ? patienceMs : 0,
        place: this.#places.get(from),
      });
      if (next === undefined) this.#places.delete(from);
      else this.#places.set(from, next);
      for (const to of moved) wake(to);
    }
  }
}
