/**
 * Works on all items of a claim at the same time; gives how many there were. One that fails does
 * not keep the others from their end. Rejects with the first failure when all have ended. The lease
 * of what failed runs out, and it is claimed again.
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
