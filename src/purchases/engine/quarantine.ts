/**
 * Items whose lock somebody holds, such as a wallet that an operator's transaction has locked, wait
 * here, so that the others need not wait with them.
 *
 * Guarantees: an item leaves as soon as its lock is seen to be free; one lock at a time is waited
 * for, in turn, so that a lock which is never free for long is had as well; an item that has waited
 * for too long is rejected, and nothing of it was stored.
 */

/** What items lock, and what is known of the locks. */
export type Locks<Item> = {
  readonly keyOf: (item: Item) => bigint;
  /** True for a refusal because somebody held a lock for too long. */
  readonly isHeld: (error: unknown) => boolean;
  /** Those of the keys whose lock nobody holds now. Waits for none. */
  readonly findFree: (keys: readonly bigint[]) => Promise<ReadonlySet<bigint>>;
  /** How long an item may wait, in milliseconds. */
  readonly waitMs: number;
  /** What it is rejected with then. */
  readonly refuse: () => Error;
};

export type Waiting<Item, Verdict> = {
  readonly item: Item;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
  /** When it came, as `performance.now` counts. */
  readonly since: number;
};

export type QuarantineOptions<Item, Verdict> = Locks<Item> & {
  readonly batchMax: number;
  /** Runs items of one key by themselves, and tells them; those still held come back here. */
  readonly settle: (batch: readonly Waiting<Item, Verdict>[]) => Promise<void>;
  /** Takes items whose lock is free. */
  readonly giveBack: (waiting: readonly Waiting<Item, Verdict>[]) => void;
};

const PAUSE_MS = 50;

export class Quarantine<Item, Verdict> {
  readonly #options: QuarantineOptions<Item, Verdict>;
  /** In the order of their turns. */
  readonly #held = new Map<bigint, Waiting<Item, Verdict>[]>();
  #working = false;

  constructor(options: QuarantineOptions<Item, Verdict>) {
    this.#options = options;
  }

  /** Takes an item whose lock is known to be held; false leaves it to the caller. */
  takes(waiting: Waiting<Item, Verdict>): boolean {
    const held = this.#held.get(this.#options.keyOf(waiting.item));
    held?.push(waiting);
    return held !== undefined;
  }

  /**
   * Of a batch that was refused because a lock was held: keeps the items whose lock is, and gives
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
      await this.#waitForNext();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    this.#working = false;
  }

  #refuseLate(): void {
    const latest = performance.now() - this.#options.waitMs;
    for (const [key, waiting] of this.#held) {
      const late = waiting.filter(({ since }) => since <= latest);
      if (late.length === 0) continue;
      this.#put(
        key,
        waiting.filter(({ since }) => since > latest),
      );
      for (const { reject } of late) reject(this.#options.refuse());
    }
  }

  async #releaseFree(): Promise<void> {
    // While the database is away nobody is told anything: who waits too long is refused.
    const free = await this.#options.findFree([...this.#held.keys()]).catch(() => new Set<bigint>());
    for (const key of free) this.#release(key);
  }

  #release(key: bigint): void {
    const waiting = this.#held.get(key) ?? [];
    this.#held.delete(key);
    this.#options.giveBack(waiting);
  }

  /**
   * Waits for the lock whose turn it is, with the first items of its queue. Who comes meanwhile
   * waits behind them.
   */
  async #waitForNext(): Promise<void> {
    const [next] = this.#held;
    if (next === undefined) return;
    const [key, waiting] = next;
    // To the end of the turns.
    this.#held.delete(key);
    this.#held.set(key, waiting.slice(this.#options.batchMax));
    const batch = waiting.slice(0, this.#options.batchMax);
    const before = this.#held.get(key);
    await this.#options.settle(batch);
    // Nothing came back: the lock was had.
    if (this.#held.get(key) === before) this.#release(key);
  }

  #put(key: bigint, waiting: Waiting<Item, Verdict>[]): void {
    if (waiting.length === 0) this.#held.delete(key);
    else this.#held.set(key, waiting);
  }
}
