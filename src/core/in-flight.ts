/** Work that has begun and not ended. */
export class InFlight {
  #count = 0;
  #over: PromiseWithResolvers<void> | undefined;

  get count(): number {
    return this.#count;
  }

  /** Counts work that calls `end` itself, which is cheaper than `add`. */
  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#over?.resolve();
    this.#over = undefined;
  }

  /** Counts the work until the promise settles. */
  add(work: Promise<unknown>): void {
    this.begin();
    const end = (): void => this.end();
    work.then(end, end);
  }

  /** Resolves when all of it has ended. */
  async over(): Promise<void> {
    while (this.#count > 0) {
      this.#over ??= Promise.withResolvers();
      await this.#over.promise;
    }
  }
}
