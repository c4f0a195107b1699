/**
 * Group commit: items that arrive while a batch is in the database wait and go together in the next
 * one. A batch is one round trip, one lock for each wallet and one commit, with a verdict for each
 * item, in order of arrival. A batch of one runs the same code. Guarantees: every item settles. An
 * item that the database refuses does not fail the others: the refused batch was rolled back, so it
 * is run again item by item. Items with a contended lock are quarantined, and the others do not
 * wait for them.
 */
import { Bag } from '../../core/bag.ts';
import { GatewayError } from '../../core/errors.ts';
import { type Locks, Quarantine, type Waiting } from './quarantine.ts';

export type GroupCommitOptions<Item, Verdict> = {
  readonly batchMax: number;
  /** The number of batches that may be in the database at once. */
  readonly inFlightMax: number;
  /**
   * The number of items that are sent while another batch is running. Fewer items wait until that
   * batch returns, and go together with items that it causes.
   */
  readonly besideMin: number;
  /**
   * A small batch stops waiting for a batch that has been running for longer than this, in
   * milliseconds.
   */
  readonly besideAfterMs: number;
  /**
   * How long fewer than `besideMin` items wait for more, after a batch that took the given number
   * of milliseconds.
   */
  readonly gatherMs?: (tookMs: number) => number;
  /**
   * The number of items that may wait. Further items are refused before they are stored. Absent:
   * the caller limits them.
   */
  readonly queueMax?: number;
  /** Runs one transaction. Returns the verdicts in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Verdict[]>;
  /**
   * Whether the error concerns the connection and would fail every item. Then items are not run
   * again.
   */
  readonly isShared: (error: unknown) => boolean;
  /** Absent if items lock nothing. */
  readonly locks?: Locks<Item>;
};

type Batch<Item, Verdict> = readonly Waiting<Item, Verdict>[];

export class GroupCommit<Item, Verdict> {
  readonly #options: GroupCommitOptions<Item, Verdict>;
  readonly #aside: Quarantine<Item, Verdict> | undefined;
  #queue: Waiting<Item, Verdict>[] = [];
  /** The time at which each running batch was sent. */
  readonly #inFlight = new Bag<{ readonly sentAtMs: number }>();
  #timer: NodeJS.Timeout | undefined;
  #gatherUntilMs = 0;

  constructor(options: GroupCommitOptions<Item, Verdict>) {
    this.#options = options;
    this.#aside =
      options.locks &&
      new Quarantine({
        ...options.locks,
        batchMax: options.batchMax,
        settle: async (batch) => (await this.#settlement(batch))(),
        giveBack: (waiting) => this.#takeBack(waiting),
      });
  }

  /**
   * Rejects with `purchases_full` when the queue is full, or with the database's error for this
   * item.
   */
  submit(item: Item): Promise<Verdict> {
    if (this.#queue.length >= (this.#options.queueMax ?? Number.POSITIVE_INFINITY)) {
      return Promise.reject(new GatewayError({ code: 'purchases_full' }));
    }
    return new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject, since: performance.now() };
      if (this.#aside?.takes(waiting)) return;
      this.#queue.push(waiting);
      if (this.#queue.length === 1 || this.#queue.length === this.#options.besideMin) {
        setImmediate(() => this.#fill());
      }
    });
  }

  /**
   * Items that arrived before their lock was known to be held. The next batch would have to wait
   * for it again.
   */
  #quarantineQueued(aside: Quarantine<Item, Verdict>): void {
    this.#queue = this.#queue.filter((waiting) => !aside.takes(waiting));
  }

  /** The items of a wallet that is free again go before newer items. */
  #takeBack(waiting: Batch<Item, Verdict>): void {
    this.#queue = [...waiting, ...this.#queue];
    this.#fill();
  }

  #fill(): void {
    if (this.#queue.length < this.#options.besideMin && performance.now() < this.#gatherUntilMs) return;
    while (
      this.#inFlight.size < this.#options.inFlightMax &&
      this.#queue.length > 0 &&
      this.#queue.length >= this.#leastBatch()
    ) {
      const batch =
        this.#queue.length <= this.#options.batchMax
          ? this.#queue
          : this.#queue.slice(0, this.#options.batchMax);
      this.#queue = this.#queue.slice(batch.length);
      void this.#run(batch);
    }
    this.#fillLater();
  }

  /**
   * A small batch next to another would only wait for the same wallet, and could not take items
   * that arrive meanwhile. If the other one is slow the small batch is sent, because the slow one
   * may be waiting for a lock.
   */
  #leastBatch(): number {
    if (this.#inFlight.size === 0) return 1;
    return this.#youngestAgeMs() >= this.#options.besideAfterMs ? 1 : this.#options.besideMin;
  }

  #youngestAgeMs(): number {
    let sentAtMs = 0;
    for (const batch of this.#inFlight) sentAtMs = Math.max(sentAtMs, batch.sentAtMs);
    return performance.now() - sentAtMs;
  }

  /** Runs again when the running batch has become old, for the few items that wait. */
  #fillLater(): void {
    const { inFlightMax, besideAfterMs } = this.#options;
    if (this.#timer !== undefined || this.#inFlight.size === 0 || this.#inFlight.size >= inFlightMax) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#queue.length > 0) this.#fill();
      },
      Math.max(1, Math.ceil(besideAfterMs - this.#youngestAgeMs())),
    );
    // The batch that it waits for keeps the process alive.
    this.#timer.unref();
  }

  async #run(batch: Batch<Item, Verdict>): Promise<void> {
    const sent = { sentAtMs: performance.now() };
    this.#inFlight.add(sent);
    const settle = await this.#settlement(batch);
    this.#inFlight.delete(sent);
    if (this.#queue.length >= this.#options.besideMin) {
      // The next batch is sent before callers are answered, so the database works while the process
      // answers.
      this.#fill();
      settle();
    } else {
      // A small batch waits for the items that this one causes, such as the answers to its accepted
      // purchases, which would otherwise just miss it.
      settle();
      this.#fillSoon(performance.now() - sent.sentAtMs);
    }
  }

  /**
   * Runs once the effects of a batch, and the requests that callers send because of it, have
   * arrived.
   */
  #fillSoon(tookMs: number): void {
    const gatherMs = Math.floor(this.#options.gatherMs?.(tookMs) ?? 0);
    if (gatherMs === 0) {
      setImmediate(() => this.#fill());
      return;
    }
    this.#gatherUntilMs = performance.now() + gatherMs;
    setTimeout(() => {
      this.#gatherUntilMs = 0;
      this.#fill();
    }, gatherMs);
  }

  /**
   * Runs a batch without the items whose lock is held, item by item if need be. Returns a function
   * that answers its callers.
   */
  async #settlement(batch: Batch<Item, Verdict>, again = true): Promise<() => void> {
    let failure: unknown;
    try {
      const verdicts = await this.#options.run(batch.map((waiting) => waiting.item));
      return () => {
        for (const [index, waiting] of batch.entries()) waiting.resolve(verdicts[index] as Verdict);
      };
    } catch (error) {
      failure = error;
    }
    if (this.#aside !== undefined && this.#options.locks?.isHeld(failure)) {
      const free = await this.#aside.keepHeld(batch).catch((error: unknown) => {
        failure = error;
        return batch;
      });
      this.#quarantineQueued(this.#aside);
      if (free.length === 0) return () => undefined;
      // The lock may be free by now. If it happens again, it is another kind of lock.
      if (free.length < batch.length || (again && batch.length > 1))
        return await this.#settlement(free, false);
    }
    if (batch.length === 1 || this.#options.isShared(failure)) {
      return () => {
        for (const waiting of batch) waiting.reject(failure);
      };
    }
    for (const waiting of batch) (await this.#settlement([waiting]))();
    return () => undefined;
  }
}
