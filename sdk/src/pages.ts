/**
 * Paginated lists: awaiting one returns the first page, and `for await` iterates over all items.
 */

export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>;

type Reading<Page, Item> = {
  /** Undefined: the first page. */
  readonly read: (cursor: string | undefined) => Promise<Page>;
  readonly items: (page: Page) => readonly Item[];
  /** Null or undefined on the last page. */
  readonly next: (page: Page) => string | null | undefined;
};

export function paged<Page, Item>({ read, items, next }: Reading<Page, Item>): Paged<Page, Item> {
  const first = read(undefined);
  // The iteration throws it, possibly a moment later.
  first.catch(() => undefined);
  const iterate = async function* (): AsyncGenerator<Item, void, undefined> {
    let page = await first;
    for (;;) {
      yield* items(page);
      const cursor = next(page);
      if (cursor === null || cursor === undefined) return;
      page = await read(cursor);
    }
  };
  return Object.assign(first, { [Symbol.asyncIterator]: iterate });
}
