/**
 * Reads the facts about the health of a process from the database, by a few short statements. They
 * use the connection of the heartbeat, so they never wait for purchases or reports.
 */

import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { sqlState } from '../../db/database-errors.ts';
import { type DatabaseState, readDatabaseState } from '../../db/database-state-store.ts';
import { opensPepper } from '../../operate/keys/secrets.ts';
import { explainCommit } from '../../purchases/engine/commit-store.ts';
import { DEAD_AFTER_MS } from '../../purchases/engine/gateway-store.ts';
import { readStates } from '../../purchases/health/health-store.ts';
import type { LiveState } from '../../purchases/health/provider-state.ts';

export type DatabaseSeen = DatabaseState & {
  /** Why the statement of purchases cannot run, as PostgreSQL's SQLSTATE; undefined: it can. */
  readonly commitFault: string | undefined;
  /** Whether the keys of this process decrypt the sealed values of the installation. */
  readonly isReadable: boolean;
  /** The reports of each live process about each provider. */
  readonly providers: readonly LiveState[];
};

/** Rejects if the database does not answer. */
export async function readDatabase(sql: Sql, sealer: Sealer): Promise<DatabaseSeen> {
  const state = await readDatabaseState(sql);
  const commitFault = await explainCommit(sql).then(() => undefined, faultState);
  return {
    ...state,
    commitFault,
    isReadable: await opensPepper(sql, sealer),
    providers: await readStates(sql, DEAD_AFTER_MS),
  };
}

function faultState(error: unknown): string {
  const state = sqlState(error);
  if (state === undefined) throw error;
  return state;
}
