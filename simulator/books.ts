/**
 * The books of the simulated providers: every accepted order and every delivery. Comparisons with
 * the gateway use them as the reference. Guarantees: an order or outcome is on disk before it is
 * reported; a reference is accepted once, unless its provider itself accepts it again; a delivery
 * appears once.
 */
import { join } from 'node:path';
import { Journal } from './journal.ts';
import { nairaText, parseNaira } from './naira.ts';

type Status = 'pending' | 'delivered' | 'failed';

export type Order = {
  readonly provider: string;
  readonly reference: string;
  /**
   * The second, third … order under one reference, at a provider that does not always refuse
   * such an order.
   */
  readonly copy?: number;
  /** No order: money that came to the account, or was taken from it. */
  readonly movement?: 'top_up' | 'charge';
  readonly product: string;
  readonly recipient: string;
  /** Face value in kobo; of gift cards in minor units of their currency. */
  readonly amount: bigint;
  /** The cost to the float, in kobo. */
  readonly cost: bigint;
  readonly acceptedAt: Date;
  readonly status: Status;
  /** When `status` became final. */
  readonly finalAt?: Date;
  /** The time and the next state: of a pending order, and of a delivered one that is reversed. */
  readonly settles?: { readonly at: Date; readonly to: 'delivered' | 'failed'; readonly callbacks: number };
  /** Requeries before this time have never heard of it. */
  readonly visibleAt?: Date;
  /** Replies before this time leave out the goods. */
  readonly goodsAt?: Date;
  /** Fields that the provider's own replies need too. */
  readonly detail: Readonly<Record<string, string>>;
};

export class Books {
  readonly #orders = new Map<string, Order>();
  /** Orders whose latest line is not on disk yet. They are not shown until it is. */
  readonly #storing = new Map<string, Promise<void>>();
  readonly #delivered: Order[] = [];
  readonly #spent = new Map<string, bigint>();
  #journal: Journal | undefined;

  /** Opens the books in a folder, with all entries of earlier processes. */
  static async open(folder: string): Promise<Books> {
    const books = new Books();
    books.#journal = await Journal.open(join(folder, 'journal.ndjson'), (entry) =>
      books.#note(fromLine(entry)),
    );
    return books;
  }

  /**
   * Accepts an order. False if its reference was used before. In both cases it resolves when that
   * is on disk.
   */
  async accept(order: Order): Promise<boolean> {
    if (this.#orders.has(keyOf(order))) {
      await this.#storing.get(keyOf(order));
      return false;
    }
    await this.#store(order);
    return true;
  }

  /** Makes a pending order final, or reverses a delivered one: its delivery stays listed. */
  async settle(order: Order, status: 'delivered' | 'failed', at: Date): Promise<Order> {
    const { settles: _, ...rest } = order;
    const final: Order = { ...rest, status, finalAt: at };
    await this.#store(final);
    return final;
  }

  /** Other details of an order. */
  async change(order: Order): Promise<void> {
    await this.#store(order);
  }

  async find(provider: string, reference: string, copy?: number): Promise<Order | undefined> {
    const key = keyOf({ provider, reference, ...(copy !== undefined && { copy }) });
    await this.#storing.get(key);
    return this.#orders.get(key);
  }

  /** Deliveries on disk, oldest first. */
  deliveries(): readonly Order[] {
    return this.#delivered;
  }

  /** All orders that one provider ever accepted. */
  orders(provider: string): readonly Order[] {
    return [...this.#orders.values()].filter((order) => order.provider === provider);
  }

  /**
   * The same, resolved when all of it is on disk: an answer must not report more than the books.
   */
  async storedOrders(provider: string): Promise<readonly Order[]> {
    const orders = this.orders(provider);
    await Promise.all(this.#storing.values());
    return orders;
  }

  /** The fields that change. */
  unsettled(): readonly Order[] {
    return [...this.#orders.values()].filter((order) => order.settles !== undefined);
  }

  /** The cost of delivered and pending orders to the provider's float, in kobo. */
  spent(provider: string): bigint {
    return this.#spent.get(provider) ?? 0n;
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  async #store(order: Order): Promise<void> {
    const key = keyOf(order);
    const isDelivery = this.#isDelivery(order);
    this.#remember(order);
    const stored = this.#journal?.append(toLine(order)) ?? Promise.resolve();
    this.#storing.set(key, stored);
    await stored;
    if (this.#storing.get(key) === stored) this.#storing.delete(key);
    if (isDelivery) this.#delivered.push(order);
  }

  #note(order: Order): void {
    const isDelivery = this.#isDelivery(order);
    this.#remember(order);
    if (isDelivery) this.#delivered.push(order);
  }

  /** It was not delivered before. */
  #isDelivery(order: Order): boolean {
    if (order.movement !== undefined) return false;
    return order.status === 'delivered' && this.#orders.get(keyOf(order))?.status !== 'delivered';
  }

  #remember(order: Order): void {
    const before = this.#orders.get(keyOf(order));
    const change = held(order) - (before === undefined ? 0n : held(before));
    this.#spent.set(order.provider, this.spent(order.provider) + change);
    this.#orders.set(keyOf(order), order);
  }
}

/** A failed order returns its money. */
function held(order: Order): bigint {
  return order.status === 'failed' ? 0n : order.cost;
}

function keyOf({ provider, reference, copy }: Pick<Order, 'provider' | 'reference' | 'copy'>): string {
  return copy === undefined ? `${provider} ${reference}` : `${provider} ${reference} ${copy}`;
}

/** The line that the books show for a delivery; `currency` where the amount is not in naira. */
export function deliveryLine(order: Order): string {
  const { provider, reference, product, recipient } = order;
  const amount = nairaText(order.amount);
  const { currency } = order.detail;
  return JSON.stringify({
    provider,
    reference,
    product,
    recipient,
    amount,
    ...(currency !== undefined && { currency }),
    delivered_at: order.finalAt,
  });
}

function toLine(order: Order): Record<string, unknown> {
  return { ...order, amount: nairaText(order.amount), cost: String(order.cost) };
}

/**
 * The journal's own lines are read back unchanged: only values that JSON cannot hold are converted.
 */
function fromLine(entry: unknown): Order {
  const line = entry as Record<string, unknown> & Pick<Order, 'settles'>;
  const date = (value: unknown): Date => new Date(String(value));
  return {
    ...(line as unknown as Order),
    amount: parseNaira(line.amount) ?? 0n,
    cost: costOf(line.cost),
    acceptedAt: date(line.acceptedAt),
    ...(line.finalAt === undefined ? {} : { finalAt: date(line.finalAt) }),
    ...(line.visibleAt === undefined ? {} : { visibleAt: date(line.visibleAt) }),
    ...(line.goodsAt === undefined ? {} : { goodsAt: date(line.goodsAt) }),
    ...(line.settles === undefined ? {} : { settles: { ...line.settles, at: date(line.settles.at) } }),
  };
}

/** In kobo, with a sign where money came in; earlier journals have it in naira. */
function costOf(value: unknown): bigint {
  const text = String(value);
  return text.includes('.') ? (parseNaira(text) ?? 0n) : BigInt(text);
}
