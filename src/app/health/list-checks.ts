/**
 * Every check of the health of a gateway process, in one list. If you add a check, add its name and
 * the affected parts to docs/operators/running.md.
 */

import type { Routes } from '../../catalog/routes/routes.ts';
import type { JobState } from '../../core/job.ts';
import { limits } from '../../core/limits.ts';
import type { LiveState } from '../../purchases/health/provider-state.ts';
import type { PurchaseGauges } from '../../purchases/purchases.ts';
import type { DatabaseSeen } from './read-database.ts';

type ProcessParts = {
  readonly role: 'api' | 'worker' | 'all';
  readonly isStopping: () => boolean;
  readonly gauges: () => Pick<PurchaseGauges, 'acceptQueue' | 'purchases'>;
  /** Jobs that have not succeeded for too long. */
  readonly lateJobs: () => readonly Pick<JobState, 'name' | 'lastError'>[];
};

/** The job without which a process of the role `worker` does nothing. */
const workerJob = 'purchases';

function processChecks({ role, isStopping, gauges, lateJobs }: ProcessParts): readonly HealthCheck[] {
  return [
    {
      name: 'process',
      isOfReadiness: true,
      look: () => (isStopping() ? { state: 'down', why: 'it is stopping' } : ok),
    },
    {
      name: 'queues',
      look: () => {
        const { acceptQueue, purchases } = gauges();
        const isFull =
          acceptQueue >= limits.acceptQueueMax || purchases.live >= limits.purchases.pools.live.places;
        return isFull ? { state: 'degraded', why: 'full: one more is refused' } : ok;
      },
    },
    {
      name: 'jobs',
      // The cause of a late job (an unavailable provider or mail server) affects all processes at
      // once. So a late job is reported, but the process is not marked as down.
      look: () => {
        const late = lateJobs();
        if (late.length === 0) return ok;
        const state = role === 'worker' && late.some(({ name }) => name === workerJob) ? 'down' : 'degraded';
        return { state, why: `late: ${late.map(jobText).join(', ')}` };
      },
    },
  ];
}

/** `deposits (ECONNREFUSED)`, `deliveries`. */
function jobText({ name, lastError }: Pick<JobState, 'name' | 'lastError'>): string {
  return lastError === undefined ? name : `${name} (${lastError})`;
}

/** A heartbeat is written every second. */
const WRITES_REFUSED_MS = 5_000;

type HeartbeatState = { readonly lastOkAt: Date | undefined; readonly lastError: string | undefined };

function databaseChecks(parts: {
  /** The version of the database when this process had migrated it. */
  readonly schemaVersion: number;
  readonly heartbeat: () => HeartbeatState | undefined;
  readonly now: () => Date;
  /** True while a cell on another server answers. Absent: there are no such cells. */
  readonly reachesCells?: () => boolean;
}): readonly HealthCheck[] {
  return [
    { name: 'database', isOfReadiness: true, look: (database) => checkDatabase(database, parts) },
    { name: 'schema', isOfReadiness: true, look: (database) => checkSchema(database, parts.schemaVersion) },
    { name: 'keys', look: checkKeys },
  ];
}

function checkDatabase(
  database: DatabaseSeen | undefined,
  {
    heartbeat,
    now,
    reachesCells,
  }: {
    readonly heartbeat: () => HeartbeatState | undefined;
    readonly now: () => Date;
    readonly reachesCells?: () => boolean;
  },
): Finding {
  if (database === undefined) {
    if (reachesCells?.() !== true) return { state: 'down' };
    return { state: 'degraded', why: 'the coordinator does not answer, and only known keys can buy' };
  }
  if (database.isReadOnly) return { state: 'down', why: 'it is read-only' };
  const beat = heartbeat();
  const silentMs = now().getTime() - (beat?.lastOkAt?.getTime() ?? Number.NaN);
  // A full disk refuses writes, and still serves reads.
  if (beat?.lastError !== undefined && silentMs > WRITES_REFUSED_MS) {
    return { state: 'down', why: `it refuses writes (${beat.lastError})` };
  }
  return ok;
}

function checkSchema(database: DatabaseSeen | undefined, own: number): Finding {
  if (database === undefined) return { state: 'unknown' };
  const { commitFault, schemaVersion } = database;
  if (commitFault !== undefined) {
    return { state: 'down', why: `its functions do not match this version (${commitFault})` };
  }
  if (schemaVersion < own) return { state: 'down', why: 'it is older than this version' };
  // During an upgrade, processes of the previous version continue to sell.
  if (schemaVersion > own) return { state: 'degraded', why: 'it is newer than this version' };
  return ok;
}

function checkKeys(database: DatabaseSeen | undefined): Finding {
  if (database === undefined) return { state: 'unknown' };
  if (database.isReadable) return ok;
  return { state: 'down', why: 'this process lacks the key of sealed values' };
}

export type Finding =
  | { readonly state: 'ok' }
  /** Only the database could report this, and it does not answer. */
  | { readonly state: 'unknown' }
  /** The gateway can still sell. `why` must not begin with the name of another state. */
  | { readonly state: 'degraded'; readonly why: string }
  /** The gateway cannot sell. `why` is absent if the check's name is sufficient. */
  | { readonly state: 'down'; readonly why?: string };

export type HealthCheck = {
  readonly name: string;
  /** While it is down, the process is not ready: it should get no traffic. */
  readonly isOfReadiness?: true;
  /** `database`: undefined if it does not answer. Never names a provider or a merchant. */
  look(database: DatabaseSeen | undefined): Finding;
};

const ok: Finding = { state: 'ok' };

type CheckParts = Parameters<typeof databaseChecks>[0] &
  Parameters<typeof sellingCheck>[0] &
  Parameters<typeof restoreLockCheck>[0] &
  Parameters<typeof processChecks>[0];

export function listChecks(parts: CheckParts): readonly HealthCheck[] {
  return [...databaseChecks(parts), sellingCheck(parts), restoreLockCheck(parts), ...processChecks(parts)];
}

type RestoreLockParts = {
  readonly profile: 'demo' | 'production';
  readonly restoreLock: { words(): string | undefined };
  /** Whether the rewind detector records the database, so that the next start can compare it. */
  readonly life: { readonly isRecorded: boolean };
};

/** In production only live purchases count; the demo sells test purchases. */
function restoreLockCheck({ profile, restoreLock, life }: RestoreLockParts): HealthCheck {
  return {
    name: 'restore_lock',
    look: () => {
      const why = restoreLock.words();
      if (why === undefined) {
        return life.isRecorded
          ? ok
          : {
              state: 'degraded',
              why: 'the data folder cannot be written: a restart would not detect a rewind',
            };
      }
      return profile === 'production' ? { state: 'down', why } : { state: 'degraded', why: `up: ${why}` };
    },
  };
}

type SellingParts = {
  readonly profile: 'demo' | 'production';
  readonly routes: Pick<Routes, 'isPaused' | 'places'>;
  readonly providers: ReadonlyMap<string, unknown>;
  readonly findAway: (states: readonly LiveState[]) => ReadonlySet<string>;
};

/** In production only live purchases count. */
function sellingCheck(parts: SellingParts): HealthCheck {
  return {
    name: 'providers',
    look: (database) => (database === undefined ? { state: 'unknown' } : judge(parts, database.providers)),
  };
}

function judge(
  { profile, routes, providers, findAway }: SellingParts,
  states: readonly LiveState[],
): Finding {
  const places = routes
    .places()
    .filter(({ environment }) => profile === 'demo' || environment === 'live')
    .map((place) => ({ ...place, providers: place.providers.filter((name) => providers.has(name)) }));
  const served = places.filter((place) => place.providers.length > 0);
  if (served.length === 0) {
    return { state: 'down', why: 'no route has a provider that is configured' };
  }
  const away = findAway(states);
  const selling = served.filter(({ product, network, providers: names }) =>
    names.some((name) => !away.has(name) && !routes.isPaused(name, product, network)),
  );
  if (selling.length === 0) {
    return { state: 'down', why: 'every provider of every route is paused or unavailable' };
  }
  if (selling.length < served.length) {
    const dry = served.length - selling.length;
    return {
      state: 'degraded',
      why: `${dry} of ${served.length} routes have no available provider`,
    };
  }
  return away.size === 0 ? ok : { state: 'degraded', why: `${away.size} of ${providers.size} are away` };
}
