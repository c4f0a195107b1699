/** What every call of the simulated VTpass works with. */
import type { Books, Order } from '../books.ts';
import type { Faults } from '../faults.ts';
import type { Settings } from '../settings.ts';
import { type Callbacks, createCallbacks } from './callbacks.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { requeryReply } from './replies.ts';

export const PROVIDER = 'vtpass';

export class Vtpass {
  readonly books: Books;
  readonly faults: Faults;
  readonly settings: Settings;
  readonly catalog: Catalog;
  /** When a service and recipient last came together, for the near-duplicate rule. */
  readonly lastOrders = new Map<string, number>();
  readonly #callbacks: Callbacks;
  readonly #stop = new AbortController();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(books: Books, faults: Faults, settings: Settings, catalog: Catalog) {
    this.books = books;
    this.faults = faults;
    this.settings = settings;
    this.catalog = catalog;
    this.#callbacks = createCallbacks(settings.callbackUrl, this.#stop.signal);
  }

  /** Also takes up the orders that an earlier process left pending. */
  static async open(books: Books, faults: Faults, settings: Settings): Promise<Vtpass> {
    const vtpass = new Vtpass(books, faults, settings, await loadCatalog());
    for (const order of books.pending()) if (order.provider === PROVIDER) vtpass.settleLater(order);
    return vtpass;
  }

  /** Our float, in kobo. */
  balance(): bigint {
    return this.settings.balance - this.books.spent(PROVIDER);
  }

  /** Makes a pending order final when its time has come, and calls back. */
  settleLater(order: Order): void {
    const { settles } = order;
    if (settles === undefined) return;
    const settle = async (): Promise<void> => {
      this.#timers.delete(timer);
      const final = await this.books.settle(order, settles.to, new Date());
      const calls = Array.from({ length: settles.callbacks }, () =>
        this.#callbacks.send(requeryReply(final)),
      );
      await Promise.all(calls);
    };
    const timer = setTimeout(() => void settle(), Math.max(0, settles.at.getTime() - Date.now()));
    this.#timers.add(timer);
  }

  /** Stops settling and calling back; what is pending stays so for the next process. */
  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
