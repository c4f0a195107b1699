/** Waits for the background work that purchases leave to a gateway and its database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readGrowth } from './bench-store.ts';
import { parentOf, processorSeconds } from './processes.ts';
import type { Shop } from './shop.ts';

const LOOK_S = 2;
/** In percent of one processor, for gateway and PostgreSQL: the cost of idle jobs. */
const REST_SHARE = 0.25;
const PATIENCE_S = 180;

/**
 * Waits until the jobs behind the purchases are idle, by their processor time. Returns the seconds
 * that took. Returns undefined at once if processor time is not available, and after three minutes
 * of work.
 */
export async function untilAtRest(shop: Shop): Promise<number | undefined> {
  const { backendPid } = await readGrowth(shop.database);
  const server = await parentOf(backendPid);
  if (server === undefined) return undefined;
  const spent = async (): Promise<number> =>
    ((await processorSeconds(shop.gateway.pid)) ?? 0) + ((await processorSeconds(server)) ?? 0);
  const startMs = performance.now();
  let before = await spent();
  for (;;) {
    await sleep(LOOK_S * 1_000);
    const after = await spent();
    const waitedS = (performance.now() - startMs) / 1_000;
    if (after - before < REST_SHARE * LOOK_S) return waitedS;
    if (waitedS > PATIENCE_S) return undefined;
    before = after;
  }
}
