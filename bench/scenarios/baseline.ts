/**
 * The baseline: the rate of one transaction for each movement of one wallet, through the gateway's
 * driver.
 */
import type { Database } from '../../src/db/database.ts';
import type { Bench } from '../bench.ts';
import { createBaseline, moveInFourTrips, moveInOneTrip } from '../bench-store.ts';
import { openBenchDatabase } from '../cluster.ts';

export const BASELINE_CONNECTIONS = 16;

export type Baseline = {
  /** Transactions per second in one round: begin, update, insert and commit, each awaited. */
  fourTrips(seconds: number): Promise<{ good: number; seconds: number }>;
  /** The same movement as one prepared statement. */
  oneTrip(seconds: number): Promise<{ good: number; seconds: number }>;
};

export async function openBaseline(bench: Bench): Promise<Baseline> {
  const url = await bench.cluster.createDatabase('baseline');
  const database = bench.stack.use(openBenchDatabase(url, BASELINE_CONNECTIONS));
  await createBaseline(database);
  return {
    fourTrips: (seconds) => repeatFor(seconds, database, moveInFourTrips),
    oneTrip: (seconds) => repeatFor(seconds, database, moveInOneTrip),
  };
}

async function repeatFor(
  seconds: number,
  database: Database,
  move: (database: Database) => Promise<void>,
): Promise<{ good: number; seconds: number }> {
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  let good = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < endMs) {
      await move(database);
      good += 1;
    }
  };
  await Promise.all(Array.from({ length: BASELINE_CONNECTIONS }, client));
  return { good, seconds: (performance.now() - startMs) / 1_000 };
}
