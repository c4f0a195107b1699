/**
 * Measures each account's last 30 days, for routes with a strategy and for lists. A background job:
 * it reads sums by day, the few purchases with a contradiction, and floats. Any number of processes
 * may run it: one measures at a time, and once a minute.
 */
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../db/database.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { type FloatStatus, readFloats } from '../floats/float-status.ts';
import { claimMeasuring, forgetOldDays, type MeasuredFloat, replaceMeasures } from './measure-write-store.ts';

/** Less than the interval of the job. */
const FRESH_MS = 50_000;
/** Older readings of a float are ignored. */
const FLOAT_MS = 15 * 60_000;
/** Longer runways make no difference. */
const HOURS_MAX = 336;

type Measuring = {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly providers: readonly ProviderFacts[];
};

/** Returns false if another process measures, or has just measured. */
export async function measureProviders({ database, clock, providers }: Measuring): Promise<boolean> {
  const floats = (await readFloats(database, providers, clock.now())).map(measuredFloat);
  return await database.transaction(async (tx) => {
    if (!(await claimMeasuring(tx, FRESH_MS))) return false;
    await replaceMeasures(tx, floats);
    await forgetOldDays(tx);
    return true;
  });
}

/** Before a top-up is booked, the books do not know the money of an account. */
function measuredFloat(status: FloatStatus): MeasuredFloat {
  const { provider, environment, reportedKobo, reportedAgeMs, expected, isOpened, runway } = status;
  const isRead = reportedAgeMs !== undefined && reportedAgeMs < FLOAT_MS;
  const left = isRead && reportedKobo !== undefined ? reportedKobo : isOpened ? expected : null;
  const hours = runway.hours === undefined || left === null ? null : Math.min(runway.hours, HOURS_MAX);
  return { provider, environment, left, hours };
}
