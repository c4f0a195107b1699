/** A turn of a provider's lane for a question that nobody must wait for. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lane } from './lane.ts';

/** How often it looks whether the lane is free. */
const LOOK_MS = 20;

/**
 * Takes a place that nobody waits for. False where the provider is away, or `untilMs` of
 * `performance.now()` comes first.
 */
export async function freeTurn(lane: Lane, untilMs: number): Promise<boolean> {
  while (!lane.enterAtOnce('query')) {
    if (!lane.isOpen() || performance.now() >= untilMs) return false;
    await sleep(LOOK_MS);
  }
  return true;
}
