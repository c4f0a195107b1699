/**
 * Works on all items of a claim at the same time, and gives their number. One that fails does not
 * stop the others. Rejects with the first failure when all have ended. The lease of an item that
 * failed runs out, and the item is claimed again.
 */
export async function workAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const results = await Promise.allSettled(items.map(work));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return items.length;
}
