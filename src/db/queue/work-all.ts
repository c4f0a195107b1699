/**
 * Processes all items of a claim at the same time, and returns their number. A failing item does
 * not stop the others. Rejects with the first failure when all have ended.
 */
import { isLasting } from '../database-errors.ts';
import type { ItemAlarm, Settlement } from './queue-store.ts';

/** How long a quarantined item waits, in milliseconds. */
export const AGAIN_MS = 3_600_000;

/**
 * Quarantines an item that failed: it waits for an hour, and one alarm is raised. The message has
 * no personal data and no secret.
 */
export function aside(alarm: Omit<ItemAlarm, 'kind'>): Settlement {
  return { pauseMs: AGAIN_MS, alarm: { ...alarm, kind: 'quarantined' } };
}

/**
 * `quarantine` is called for an item whose work would fail again. Any other failed item is claimed
 * again when its lease expires.
 */
export async function workAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  quarantine: (item: Item) => Promise<unknown>,
): Promise<number> {
  const results = await Promise.allSettled(
    items.map(async (item) => {
      try {
        await work(item);
      } catch (error) {
        if (isLasting(error)) await quarantine(item);
        throw error;
      }
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return items.length;
}
