/**
 * Group commit: what arrives while a batch is in the database waits, and goes together in the next
 * one. One round trip, one lock per wallet, one commit, and a verdict of its own for each item, in
 * arrival order. A batch of one is the same code.
 *
 * Guarantees: every submitted item settles; an item the database refuses does not fail its
 * neighbours (a refused batch is run again item by item, which is safe because a refusal undid it
 * whole); items whose lock somebody holds are set aside, and the others do not wait for them.
 */
import { Bag } from '../../core/bag.ts';
import { GatewayError } from '../../core/errors.ts';
import { type Locks, Quarantine, type Waiting } from './quarantine.ts';

export type GroupCommitOptions<Item, Verdict> = {
  readonly batchMax: number;
  /** Batches in the database at the same time. */
  readonly inFlightMax: number;
  /**
   * How many items it takes to send a batch beside another; fewer wait for that one's return and
   * for what comes of it.
   */
  readonly besideMin: number;
  /** Fewer do not wait for a batch that has been in the database for longer, in milliseconds. */
  readonly besideAfterMs: number;
  /** How long fewer than `besideMin` wait for more after a batch that took so many milliseconds. */
  readonly gatherMs?: (tookMs: number) => number;
  /**
   * Items that may wait; one more is refused before anything is stored. Absent: whoever submits
   * them sees to it.
   */
  readonly queueMax?: number;
  /** Runs one transaction; verdicts in the order of the items. */
  readonly run: (items: readonly Item[]) => Promise<readonly Verdict[]>;
  /**
   * True for an error of the connection, which would meet every item alike: then nothing is run
   * again.
   */
  readonly isShared: (error: unknown) => boolean;
  /** Absent where items lock nothing. */
  readonly locks?: Locks<Item>;
};

type Batch<Item, Verdict> = readonly Waiting<Item, Verdict>[];

export class GroupCommit<Item, Verdict> {
  readonly #options: GroupCommitOptions<Item, Verdict>;
  readonly #aside: Quarantine<Item, Verdict> | undefined;
  #queue: Waiting<Item, Verdict>[] = [];
  /** When each batch in the database was sent. */
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
   * Rejects with `purchases_full` when the queue is full, else with whatever the database said of
   * this item.
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

  /** What came before its lock was known to be held. The next batch would wait for it again. */
  #quarantineQueued(aside: Quarantine<Item, Verdict>): void {
    this.#queue = this.#queue.filter((waiting) => !aside.takes(waiting));
  }

  /** Those of a wallet that is free again, before what has come since. */
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
   * A small batch beside another would only wait for the same wallet, and be closed to what comes
   * meanwhile. Beside one that takes long it does not: that one may wait for somebody.
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

  /** Fills again when the batch in the database has become old, for the few that wait. */
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
      // The next batch leaves before this one is told: the database works while the process
      // answers.
      this.#fill();
      settle();
    } else {
      // A small one waits for what this one brings about, such as the answers of what it accepted:
      // they would miss it by a hair.
      settle();
      this.#fillSoon(performance.now() - sent.sentAtMs);
    }
  }

  /** Once what a batch has brought about is there, and what callers send because of it. */
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
   * Runs a batch, without those whose lock is held and item by item if need be; gives what tells
   * those who wait.
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
      // Whoever held it may have let go of it. Should it happen again, it is another kind of lock.
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
