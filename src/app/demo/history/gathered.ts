/** Collects what is asked for one by one, to do it at once. */
export class Gathered<Item, Verdict> {
  #waiting: { readonly item: Item; readonly resolve: (verdict: Verdict) => void }[] = [];

  add(item: Item): Promise<Verdict> {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    this.#waiting.push({ item, resolve });
    return promise;
  }

  async flush(run: (items: readonly Item[]) => Promise<readonly Verdict[]>): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length === 0) return;
    const verdicts = await run(waiting.map(({ item }) => item));
    for (const [index, { resolve }] of waiting.entries()) {
      const verdict = verdicts[index];
      if (verdict === undefined) throw new Error('each has its verdict');
      resolve(verdict);
    }
  }
}
