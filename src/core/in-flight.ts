/** Work that has begun and not ended. */
export class InFlight {
  readonly #work = new Set<Promise<unknown>>();

  get count(): number {
    return this.#work.size;
  }

  add(work: Promise<unknown>): void {
    this.#work.add(work);
    void work.finally(() => this.#work.delete(work));
  }

  /** Resolves when all of it has ended. */
  async over(): Promise<void> {
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }
}
