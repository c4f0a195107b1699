/** Whether the database takes purchases, and whether it is the one that this process knows. */
import { type Finding, type HealthCheck, ok } from './health-check.ts';
import type { DatabaseSeen } from './read-database.ts';

/** A heartbeat is written every second. */
const WRITES_REFUSED_MS = 5_000;

export type HeartbeatState = { readonly lastOkAt: Date | undefined; readonly lastError: string | undefined };

export function databaseChecks(parts: {
  /** Of the database when this process had brought it up to date. */
  readonly schemaVersion: number;
  readonly heartbeat: () => HeartbeatState | undefined;
  readonly now: () => Date;
}): readonly HealthCheck[] {
  return [
    { name: 'database', isOfReadiness: true, look: (database) => checkDatabase(database, parts) },
    { name: 'schema', isOfReadiness: true, look: (database) => checkSchema(database, parts.schemaVersion) },
    { name: 'keys', look: checkKeys },
  ];
}

function checkDatabase(
  database: DatabaseSeen | undefined,
  { heartbeat, now }: { readonly heartbeat: () => HeartbeatState | undefined; readonly now: () => Date },
): Finding {
  if (database === undefined) return { state: 'down' };
  if (database.isReadOnly) return { state: 'down', why: 'it is read-only' };
  const beat = heartbeat();
  const silentMs = now().getTime() - (beat?.lastOkAt?.getTime() ?? Number.NaN);
  // A disk that is full refuses what is written, and answers what is read.
  if (beat?.lastError !== undefined && silentMs > WRITES_REFUSED_MS) {
    return { state: 'down', why: `it takes no writes (${beat.lastError})` };
  }
  return ok;
}

function checkSchema(database: DatabaseSeen | undefined, own: number): Finding {
  if (database === undefined) return { state: 'unknown' };
  const { commitFault, schemaVersion } = database;
  if (commitFault !== undefined) {
    return { state: 'down', why: `its functions do not fit this version (${commitFault})` };
  }
  if (schemaVersion < own) return { state: 'down', why: 'it is older than this version' };
  // While an upgrade goes on, processes of the version before sell on.
  if (schemaVersion > own) return { state: 'degraded', why: 'it is newer than this version' };
  return ok;
}

function checkKeys(database: DatabaseSeen | undefined): Finding {
  if (database === undefined) return { state: 'unknown' };
  if (database.isReadable) return ok;
  return { state: 'down', why: 'what is sealed was sealed under a key that this process lacks' };
}
