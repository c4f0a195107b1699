/**
 * The gateway's account at one simulated provider: its float, its orders in the books, the timers
 * that settle pending ones and the callbacks that report it.
 */
import type { Books, Order } from './books.ts';
import { type Callback, callBack } from './callbacks.ts';
import { type Fault, type Faults, lastTen, type Operation, type ProviderName } from './faults.ts';
import type { Lies, Told } from './lies.ts';
import type { Settings } from './settings.ts';

/** The shared parts of every simulated provider. */
export type Simulation = {
  readonly books: Books;
  readonly faults: Faults;
  readonly lies: Lies;
  readonly settings: Settings;
};

/** The callback that reports a settled order. */
export type Report = (order: Order) => Callback;

export class Account {
  readonly provider: ProviderName;
  readonly settings: Settings;
  readonly #books: Books;
  readonly #faults: Faults;
  readonly #lies: Lies;
  readonly #report: Report;
  readonly #stop = new AbortController();
  /** By the order that each settles. */
  readonly #timers = new Map<Order, NodeJS.Timeout>();

  /** Also takes up the orders that an earlier process left unsettled. */
  constructor(provider: ProviderName, { books, faults, lies, settings }: Simulation, report: Report) {
    this.provider = provider;
    this.settings = settings;
    this.#books = books;
    this.#faults = faults;
    this.#lies = lies;
    this.#report = report;
    faults.onRelease((recipient) => this.#release(recipient));
    for (const order of books.unsettled()) if (order.provider === provider) this.#settleLater(order);
  }

  /** In kobo. */
  balance(): bigint {
    return this.settings.balance - this.#books.spent(this.provider);
  }

  fault(operation: Operation, recipient: string): Fault | undefined {
    return this.#faults.take(this.provider, operation, recipient);
  }

  find(reference: string, copy?: number): Promise<Order | undefined> {
    return this.#books.find(this.provider, reference, copy);
  }

  /** All orders that it ever accepted, oldest first. */
  orders(): readonly Order[] {
    return this.#books.orders(this.provider);
  }

  /** The same, for an answer: resolves when all of it is on disk. */
  storedOrders(): Promise<readonly Order[]> {
    return this.#books.storedOrders(this.provider);
  }

  /** As the provider lists them in a period, with movements of money. */
  async toldOrders(): Promise<readonly Told[]> {
    return this.#lies.tell(this.provider, await this.storedOrders());
  }

  /** Accepts an order. It is on disk when this resolves. */
  async take(order: Order): Promise<'taken' | 'used' | 'float_out'> {
    if (order.cost > this.balance()) return 'float_out';
    if (!(await this.#books.accept(order))) return 'used';
    this.#settleLater(order);
    return 'taken';
  }

  /** Makes an order final now. */
  async settle(order: Order, status: 'delivered' | 'failed'): Promise<void> {
    await this.#books.settle(order, status, new Date());
  }

  /** Stores its new details. */
  async change(order: Order): Promise<void> {
    await this.#books.change(order);
  }

  /** Settles an order when it is due, and sends the callback. */
  #settleLater(order: Order): void {
    const { settles } = order;
    if (settles === undefined) return;
    const inMs = Math.max(0, settles.at.getTime() - Date.now());
    this.#timers.set(
      order,
      setTimeout(() => void this.#settleNow(order), inMs),
    );
  }

  async #settleNow(order: Order): Promise<void> {
    const { settles } = order;
    clearTimeout(this.#timers.get(order));
    if (settles === undefined || !this.#timers.delete(order)) return;
    const final = await this.#books.settle(order, settles.to, new Date());
    const { hooksUrl } = this.settings;
    const url = hooksUrl && `${hooksUrl}/${this.provider}`;
    for (let calls = 0; calls < settles.callbacks; calls += 1)
      void callBack(url, this.#report(final), this.#stop.signal);
  }

  /** Applies the later effects of a recipient's orders now. */
  async #release(recipient: string): Promise<number> {
    const isOf = (order: Order): boolean =>
      lastTen(order.recipient || (order.detail.productId ?? order.detail.slug ?? '')) === lastTen(recipient);
    const pending = [...this.#timers.keys()].filter(isOf);
    await Promise.all(pending.map((order) => this.#settleNow(order)));
    let changed = pending.length;
    const now = new Date();
    for (const order of this.orders().filter(isOf)) {
      const { visibleAt = now, goodsAt = now } = order;
      if (visibleAt <= now && goodsAt <= now) continue;
      changed += 1;
      await this.#books.change({
        ...order,
        ...(order.visibleAt && { visibleAt: now }),
        ...(order.goodsAt && { goodsAt: now }),
      });
    }
    return changed;
  }

  /** Stops settling and sending callbacks. Pending orders stay pending for the next process. */
  close(): void {
    this.#stop.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}
