/**
 * Sees whether the database is an earlier state of itself, or a copy, and then raises the fence: at
 * the start of a process, and all the while it runs. A fail-over to a standby that has every
 * commit, and a restart, change nothing of what it looks at.
 */

import type { Database, Sql } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import type { Logger } from '../kernel/log.ts';
import { type DatabaseSeen, readSeen, writeSeen } from './database-seen.ts';
import { readFenceRequest, removeFenceRequest } from './fence-request.ts';
import {
  beatLife,
  type DatabaseIdentity,
  type DatabaseLife,
  lockFence,
  readIdentity,
  readLife,
  storeIdentity,
} from './fence-store.ts';
import { raiseFence } from './raise-fence.ts';

/** PostgreSQL's word for a function that one may not call. */
const forbidden = '42501';
/** How often it is written down how far the database has lived. */
const WRITE_MS = 5_000;
const actor = 'oja';

/** Of Oja's own server: what a restore left beside its files is taken into the database. */
export async function takeFenceRequest(database: Database, dataDir: string): Promise<void> {
  const request = await readFenceRequest(dataDir);
  if (request === undefined) return;
  const { backup, restored_at: restoredAt, taken_at: takenAt, until } = request;
  await database.transaction(async (tx) => {
    const fence = {
      cause: 'restored',
      source: `restored:${backup}:${restoredAt}`,
      reason: `restored from backup ${backup}`,
      lostFrom: new Date(until ?? takenAt),
    } as const;
    await raiseFence(tx, fence, actor);
  });
  await removeFenceRequest(dataDir);
}

/** To be called at the start, before anything is sold. */
export async function settleLife(database: Database, dataDir: string): Promise<void> {
  const identity = await identityOf(database);
  const seen = await readSeen(dataDir);
  await database.transaction(async (tx) => {
    // Processes that start together see to it one after the other.
    await lockFence(tx);
    const life = await readLife(tx);
    if (life === undefined) return await storeIdentity(tx, identity);
    if (!isSame(life, identity)) {
      await raiseFence(tx, copied(life, identity), actor);
      return await storeIdentity(tx, identity);
    }
    if (seen !== undefined && isKnown(identity) && isSame(seen, identity) && seen.beats > life.beats) {
      await raiseFence(tx, wentBack(life, seen.beats), actor);
    }
  });
}

function copied(life: DatabaseLife, { systemIdentifier, databaseOid }: DatabaseIdentity) {
  return {
    cause: 'copied',
    source: `copied:${systemIdentifier}/${databaseOid}:${life.systemIdentifier}/${life.databaseOid}:${life.beats}`,
    reason: 'the database is a copy of another, or was moved to another server',
    lostFrom: life.at,
  } as const;
}

function wentBack(life: DatabaseLife, seenBeats: bigint) {
  return {
    cause: 'went_back',
    source: `went_back:${life.systemIdentifier}/${life.databaseOid}:${seenBeats}>${life.beats}`,
    reason: 'the database is in an earlier state than it was',
    lostFrom: life.at,
  } as const;
}

/** A server that does not tell its own name is not compared by it. */
async function identityOf(database: Database): Promise<DatabaseIdentity> {
  try {
    return await readIdentity(database);
  } catch (error) {
    if (sqlState(error) !== forbidden) throw error;
    return { systemIdentifier: '', databaseOid: 0n };
  }
}

function isKnown({ systemIdentifier }: DatabaseIdentity): boolean {
  return systemIdentifier !== '';
}

function isSame(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.databaseOid === other.databaseOid;
}

/** Counts on with the database, and remembers how far it has come: here, and in the data folder. */
export class LifeWatch {
  readonly #database: Database;
  readonly #dataDir: string;
  readonly #log: Logger;
  #seen: DatabaseSeen | undefined;
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #cannotWrite = false;

  constructor(database: Database, dataDir: string, log: Logger) {
    this.#database = database;
    this.#dataDir = dataDir;
    this.#log = log;
  }

  async look(): Promise<void> {
    const beats = await beatLife(this.#database);
    if (beats === undefined) return;
    const seen = this.#seen;
    if (seen !== undefined && beats < seen.beats) await this.#raise(seen.beats);
    const identity = seen ?? (await identityOf(this.#database));
    this.#seen = { ...identity, beats };
    await this.#write();
  }

  async #raise(seenBeats: bigint): Promise<void> {
    const life = await readLife(this.#database as Sql);
    if (life === undefined) return;
    this.#log.error('the database went back to an earlier state: nothing is sold until it is reconciled');
    await this.#database.transaction((tx) => raiseFence(tx, wentBack(life, seenBeats), actor));
  }

  async #write(): Promise<void> {
    if (this.#seen === undefined || performance.now() - this.#writtenAtMs < WRITE_MS) return;
    this.#writtenAtMs = performance.now();
    try {
      await writeSeen(this.#dataDir, this.#seen);
    } catch (error) {
      if (!this.#cannotWrite) {
        this.#log.warn({ err: error }, 'cannot note in the data folder how far the database has lived');
      }
      this.#cannotWrite = true;
    }
  }
}
