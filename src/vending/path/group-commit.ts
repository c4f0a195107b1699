/**
 * Group commit: what arrives while a batch is in the database waits, and goes together in the next
 * one. One round trip, one lock per wallet, one commit, and a verdict of its own for each item, in
 * arrival order. A batch of one is the same code.
 *
 * Guarantees: every submitted item settles; an item the database refuses does not fail its
 * neighbours (a refused batch is run again item by item, which is safe because a refusal undid it
 * whole); the queue is bounded.
 */
import { GatewayError } from '../../kernel/errors.ts';

export type GroupCommitOptions<Item, Verdict> = {
  readonly batchMax: number;
  /** Batches in the database at the same time. */
  readonly inFlightMax: number;
  /**
   * How many items it takes to send a batch beside another; fewer wait for that one's return and
   * for what comes of it.
   */
  readonly besideMin: number;
  /** Items that may wait; one more is refused before anything is stored. */
  readonly queueMax: number;
  /** Runs one transaction; verdicts in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Verdict[]>;
  /**
   * True for an error of the connection, which would meet every item alike: then nothing is run
   * again.
   */
  readonly isShared: (error: unknown) => boolean;
};

type Waiting<Item, Verdict> = {
  readonly item: Item;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
};

export class GroupCommit<Item, Verdict> {
  readonly #options: GroupCommitOptions<Item, Verdict>;
  #queue: Waiting<Item, Verdict>[] = [];
  #inFlight = 0;

  constructor(options: GroupCommitOptions<Item, Verdict>) {
    this.#options = options;
  }

  /**
   * Rejects with `purchases_full` when the queue is full, else with whatever the database said of
   * this item.
   */
  submit(item: Item): Promise<Verdict> {
    if (this.#queue.length >= this.#options.queueMax) {
      return Promise.reject(new GatewayError({ code: 'purchases_full' }));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      if (this.#queue.length === 1 || this.#queue.length === this.#options.besideMin) {
        setImmediate(() => this.#fill());
      }
    });
  }

  #fill(): void {
    while (this.#inFlight < this.#options.inFlightMax && this.#queue.length >= this.#leastBatch()) {
      const batch =
        this.#queue.length <= this.#options.batchMax
          ? this.#queue
          : this.#queue.slice(0, this.#options.batchMax);
      this.#queue = this.#queue.slice(batch.length);
      this.#inFlight += 1;
      void this.#run(batch);
    }
  }

  /**
   * A small batch beside another would only wait for the same wallet, and be closed to what comes
   * meanwhile.
   */
  #leastBatch(): number {
    return this.#inFlight === 0 ? 1 : this.#options.besideMin;
  }

  async #run(batch: readonly Waiting<Item, Verdict>[]): Promise<void> {
    const settle = await this.#settlement(batch);
    this.#inFlight -= 1;
    if (this.#queue.length >= this.#options.besideMin) {
      // The next batch leaves before this one is told: the database works while the process
      // answers.
      this.#fill();
      settle();
    } else {
      // A small one waits for what this one brings about, such as the answers of what it accepted:
      // they would miss it by a hair.
      settle();
      setImmediate(() => this.#fill());
    }
  }

  /** Runs a batch, item by item if need be; gives what tells those who wait. */
  async #settlement(batch: readonly Waiting<Item, Verdict>[]): Promise<() => void> {
    try {
      const verdicts = await this.#options.run(batch.map((waiting) => waiting.item));
      return () => {
        for (const [index, waiting] of batch.entries()) waiting.resolve(verdicts[index] as Verdict);
      };
    } catch (error) {
      if (batch.length === 1 || this.#options.isShared(error)) {
        return () => {
          for (const waiting of batch) waiting.reject(error);
        };
      }
    }
    for (const waiting of batch) (await this.#settlement([waiting]))();
    return () => undefined;
  }
}
