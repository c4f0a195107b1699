/**
 * A few things in no order, for things that come and go thousands of times a second. A `Set` makes
 * them outlive the collections of young objects: V8 gives it a new table each time the table is
 * full, and the old table points to the new one. Once a table is old, all later tables stay, with
 * all that was in them, until the whole heap is collected. That cost a gateway 2 collections of the
 * whole heap for 15,000 purchases, and a bag 0 (test/proof/young-heap.test.ts).
 */
export class Bag<Item> implements Iterable<Item> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Takes the item out once. It looks through all of them. */
  delete(item: Item): void {
    const place = this.#items.indexOf(item);
    if (place === -1) return;
    const last = this.#items.pop();
    if (place < this.#items.length) this.#items[place] = last as Item;
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.values();
  }
}
