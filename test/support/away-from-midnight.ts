/** For tests of a single day: Oja's days are those of Lagos, an hour ahead of UTC. */
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
const LAGOS_AHEAD_MS = 3_600_000;
/** Longer than a file takes. */
const CLEAR_MS = 120_000;

/**
 * Resolves when no day ends within the next two minutes, or otherwise once the next day has begun.
 * The day is then at least `sinceMs` old.
 */
export async function awayFromMidnight({ sinceMs = 0 } = {}): Promise<void> {
  const passedMs = (Date.now() + LAGOS_AHEAD_MS) % DAY_MS;
  const leftMs = DAY_MS - passedMs;
  if (leftMs < CLEAR_MS) await sleep(leftMs + sinceMs + 100);
  else if (passedMs < sinceMs) await sleep(sinceMs - passedMs);
}
