/**
 * Keeps items whose lock is held elsewhere, such as a wallet that an operator's transaction has
 * locked, so that other items need not wait with them. Guarantees: an item leaves as soon as its
 * lock is found to be free. The quarantine waits for one lock at a time, in turn, so a lock that is
 * free only for moments is acquired as well; other locks are looked at meanwhile. An item that
 * waited too long is rejected without being stored.
 */

/** The locks that items need, and their known state. */
export type Locks<Item> = {
  readonly keyOf: (item: Item) => bigint;
  /** Whether an error means that a lock was held for too long. */
  readonly isHeld: (error: unknown) => boolean;
  /** Returns the keys whose lock is free now, without waiting. */
  readonly findFree: (keys: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
  /** How long an item may wait, in milliseconds. */
  readonly waitMs: number;
  /** The error with which it is then rejected. */
  readonly refuse: () => Error;
};

export type Waiting<Item, Verdict> = {
  readonly item: Item;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
  /** When it arrived, by `performance.now`. */
  readonly since: number;
};

export type QuarantineOptions<Item, Verdict> = Locks<Item> & {
  readonly batchMax: number;
  /**
   * Runs the items of one key alone and answers them. Items whose lock is still held return to the
   * quarantine.
   */
  readonly settle: (batch: readonly Waiting<Item, Verdict>[]) => Promise<void>;
  /** Receives items whose lock is free. */
  readonly giveBack: (waiting: readonly Waiting<Item, Verdict>[]) => void;
};

const PAUSE_MS = 50;

export class Quarantine<Item, Verdict> {
  readonly #options: QuarantineOptions<Item, Verdict>;
  /** In the order of their turns. */
  readonly #held = new Map<bigint, Waiting<Item, Verdict>[]>();
  #working = false;
  /** The key whose lock is being waited for. */
  #turn: bigint | undefined;

  constructor(options: QuarantineOptions<Item, Verdict>) {
    this.#options = options;
  }

  /** Accepts an item whose lock is known to be held. Returns false if the caller must handle it. */
  takes(waiting: Waiting<Item, Verdict>): boolean {
    const held = this.#held.get(this.#options.keyOf(waiting.item));
    held?.push(waiting);
    return held !== undefined;
  }

  /**
   * For a batch that was refused because of a lock: keeps the items whose lock is held and returns
   * the others.
   */
  async keepHeld(batch: readonly Waiting<Item, Verdict>[]): Promise<readonly Waiting<Item, Verdict>[]> {
    const keyOf = ({ item }: Waiting<Item, Verdict>): bigint => this.#options.keyOf(item);
    const free = await this.#options.findFree([...new Set(batch.map(keyOf))]);
    const held = batch.filter((waiting) => !free.has(keyOf(waiting)));
    for (const [key, waiting] of Map.groupBy(held, keyOf)) {
      this.#held.set(key, [...waiting, ...(this.#held.get(key) ?? [])]);
    }
    if (held.length > 0) void this.#work();
    return batch.filter((waiting) => free.has(keyOf(waiting)));
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    while (this.#held.size > 0) {
      this.#refuseLate();
      await this.#releaseFree();
      // Not awaited: it takes as long as the wait for a lock may take.
      if (this.#turn === undefined) void this.#waitForNext();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#working = false;
  }

  #refuseLate(): void {
    const latest = performance.now() - this.#options.waitMs;
    for (const [key, waiting] of this.#held) {
      const late = waiting.filter(({ since }) => since <= latest);
      if (late.length === 0 || key === this.#turn) continue;
      this.#put(
        key,
        waiting.filter(({ since }) => since > latest),
      );
      for (const { reject } of late) reject(this.#options.refuse());
    }
  }

  async #releaseFree(): Promise<void> {
    // While the database is unreachable no lock is known to be free. Items that wait too long are
    // rejected. Later items of the lock whose turn it is wait behind those that hold the turn.
    const keys = [...this.#held.keys()].filter((key) => key !== this.#turn);
    if (keys.length === 0) return;
    const free = await this.#options.findFree(keys).catch(() => new Set<bigint>());
    for (const key of free) this.#release(key);
  }

  #release(key: bigint): void {
    const waiting = this.#held.get(key) ?? [];
    this.#held.delete(key);
    this.#options.giveBack(waiting);
  }

  /**
   * Waits for the lock whose turn it is, with the first items of its queue. Later items wait behind
   * them.
   */
  async #waitForNext(): Promise<void> {
    const [next] = this.#held;
    if (next === undefined) return;
    const [key, waiting] = next;
    // Moves to the end of the turns.
    this.#held.delete(key);
    this.#held.set(key, waiting.slice(this.#options.batchMax));
    const batch = waiting.slice(0, this.#options.batchMax);
    const before = this.#held.get(key);
    this.#turn = key;
    await this.#options.settle(batch);
    this.#turn = undefined;
    // No item came back, so the lock was acquired.
    if (this.#held.get(key) === before) this.#release(key);
  }

  #put(key: bigint, waiting: Waiting<Item, Verdict>[]): void {
    if (waiting.length === 0) this.#held.delete(key);
    else this.#held.set(key, waiting);
  }
}
