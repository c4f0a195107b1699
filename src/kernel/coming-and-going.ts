/**
 * What comes and goes thousands of times a second. A `Set` of it would be a burden: each time it
 * grows or shrinks V8 leaves its table behind, which points to the next one. Once one of them is
 * old, the collections of what is young keep all later ones, and all that was in them: the process
 * fills with what is gone, and the whole heap is collected every few seconds.
 */

/** A few things in no order. To take one out looks through them. */
export class Bag<Item> implements Iterable<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Once, where it is in it several times. */
  delete(item: Item): void {
    const place = this.#items.indexOf(item);
    const last = this.#items.at(-1);
    if (place === -1 || last === undefined) return;
    this.#items[place] = last;
    this.#items.pop();
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.values();
  }
}

/** Work that has begun and not ended, however much: it is only counted. */
export class WorkUnderWay {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  add(work: Promise<unknown>): void {
    this.#count += 1;
    void work.finally(() => this.#end());
  }

  /** Resolves when nothing is under way. */
  async over(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    const told = this.#waiting;
    this.#waiting = [];
    for (const tell of told) tell();
  }
}
