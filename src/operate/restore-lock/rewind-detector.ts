/**
 * Detects a rewound or copied database and then sets the restore lock: when a process starts, once
 * a second while it runs, and on each new connection before its first use. A failover to a standby
 * with every commit, or a restart, triggers nothing.
 *
 * A running process compares its own last heartbeat and the last purchases that it stored. Both are
 * recorded only after their commit, so a synchronous standby has them. At start, a process compares
 * the records of all processes in the data folder.
 */

import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Database, Sql, Tx } from '../../db/database.ts';
import { sqlState } from '../../db/database-errors.ts';
import { lockRestoreLock } from '../../purchases/engine/restore-lock-store.ts';
import type { LastAccepted } from './last-accepted.ts';
import {
  forgetSeen,
  openSeen,
  readSeen,
  removeSeen,
  type SeenFile,
  type SeenRecord,
  writeSeen,
} from './rewind-record.ts';
import {
  type Beat,
  type DatabaseIdentity,
  deleteOldBeats,
  findLack,
  findLastBeat,
  isLockedSince,
  makeBeat,
  readIdentity,
  readLife,
  type Seen,
  storeIdentity,
} from './rewind-store.ts';
import { setRestoreLock } from './set-restore-lock.ts';

/** PostgreSQL's code for insufficient privilege. */
const forbidden = '42501';
/** The shortest interval between two writes of the record. */
const WRITE_MS = 100;
const actor = 'oja';

/**
 * Checks the database when a process starts, before anything is sold. Rejects if the data folder
 * cannot be written, because the next start could not detect a rewind.
 */
export async function checkRewind(database: Database, dataDir: string): Promise<void> {
  const identity = await identityOf(database);
  await openSeen(dataDir);
  await database.transaction(async (tx) => {
    // Processes that start together are serialized.
    await lockRestoreLock(tx);
    const life = await readLife(tx);
    if (life !== undefined && !isSame(life, identity)) await raiseCopied(tx, life, identity);
    if (life === undefined || !isSame(life, identity)) await storeIdentity(tx, identity);
    await deleteOldBeats(tx);
  });
  await compareRecords(database, dataDir, identity);
  await forgetSeen(dataDir, new Date());
}

/** Compares the database with the records of all processes that share this data folder. */
async function compareRecords(
  database: Database,
  dataDir: string,
  identity: DatabaseIdentity,
): Promise<void> {
  // Records cannot be matched to a server without an identifier.
  if (identity.systemIdentifier === '') return;
  const records = await readSeen(dataDir, identity);
  const lacking = await database.transaction(async (tx) => {
    await lockRestoreLock(tx);
    const found: SeenFile[] = [];
    for (const seen of records) {
      const lack = await findLack(tx, seen);
      if (lack === undefined) continue;
      await raiseWentBack(tx, seen, lack);
      found.push(seen);
    }
    return found;
  });
  // The lock is committed, so the records are no longer needed.
  for (const seen of lacking) await removeSeen(seen);
}

async function raiseWentBack(tx: Tx, { beat }: Seen, lack: string): Promise<void> {
  const seenAt = beat?.at ?? new Date();
  // Other processes may have continued after the rewind, so only earlier heartbeats count.
  const lostFrom = (await findLastBeat(tx, seenAt)) ?? seenAt;
  // Another process has detected it, and it may already be reconciled.
  if (beat !== undefined && (await isLockedSince(tx, seenAt, lostFrom))) return;
  const reason = 'the database was rewound to an earlier state';
  await setRestoreLock(tx, { cause: 'went_back', source: `went_back:${lack}`, reason, lostFrom }, actor);
}

async function raiseCopied(tx: Tx, life: DatabaseIdentity, identity: DatabaseIdentity): Promise<void> {
  const lostFrom = (await findLastBeat(tx, new Date())) ?? new Date();
  const [from, to] = [life, identity].map((one) => `${one.systemIdentifier}/${one.databaseOid}`);
  const source = `copied:${to}:${from}:${lostFrom.getTime()}`;
  const reason = 'the database is a copy of another, or was moved to another server';
  await setRestoreLock(tx, { cause: 'copied', source, reason, lostFrom }, actor);
}

async function identityOf(database: Database): Promise<DatabaseIdentity> {
  const unknown = { systemIdentifier: '', databaseOid: '0' };
  try {
    return (await readIdentity(database)) ?? unknown;
  } catch (error) {
    if (sqlState(error) !== forbidden) throw error;
    return unknown;
  }
}

function isSame(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  return one.systemIdentifier === other.systemIdentifier && one.databaseOid === other.databaseOid;
}

/** Stores heartbeats, and records the last one in memory and in the data folder. */
export class RewindDetector {
  readonly #database: Database;
  readonly #dataDir: string;
  readonly #log: Logger;
  readonly #accepted: LastAccepted;
  readonly #acceptedOfCells: readonly LastAccepted[];
  /** The name of this process's file. */
  readonly #name = newId();
  #identity: DatabaseIdentity | undefined;
  /** The last heartbeat of this process. */
  #beat: Beat | undefined;
  #written: Promise<void> = Promise.resolve();
  #pause: NodeJS.Timeout | undefined;
  #isDue = false;
  #isSuspected = false;
  #fault: unknown;

  /** `acceptedOfCells` is recorded only: `CellRewinds` compares it. */
  constructor(
    database: Database,
    dataDir: string,
    log: Logger,
    accepted: LastAccepted,
    acceptedOfCells: readonly LastAccepted[] = [],
  ) {
    this.#database = database;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#accepted = accepted;
    this.#acceptedOfCells = acceptedOfCells;
    for (const one of [accepted, ...acceptedOfCells]) one.onNote(() => this.#writeSoon());
  }

  /** Whether the last write of the record succeeded. */
  get isRecorded(): boolean {
    return this.#fault === undefined;
  }

  /**
   * Whether the database of a new connection lacks data that this or another recorded process saw.
   * The next check sets the restore lock.
   */
  async isBehindOn(sql: Sql): Promise<boolean> {
    if (this.#identity === undefined) return false;
    for (const seen of [this.#seen(), ...(await readSeen(this.#dataDir, this.#identity))]) {
      if ((await readLife(sql)) !== undefined && (await findLack(sql, seen)) === undefined) continue;
      this.#isSuspected = true;
      return true;
    }
    return false;
  }

  async look(): Promise<void> {
    this.#identity ??= await identityOf(this.#database);
    if (this.#isSuspected) await compareRecords(this.#database, this.#dataDir, this.#identity);
    this.#isSuspected = false;
    const seen = this.#seen();
    const lack = await findLack(this.#database, seen);
    if (lack !== undefined) {
      this.#log.error('the database was rewound: live purchases are paused until it is reconciled');
      await this.#database.transaction((tx) => raiseWentBack(tx, seen, lack));
      this.#accepted.forget(seen.purchases);
      this.#identity = await identityOf(this.#database);
    }
    this.#beat = await makeBeat(this.#database, this.#name, (this.#beat?.count ?? 0) + 1);
    await this.#write();
  }

  /**
   * Returns the newest data that this process saw. Purchases count even before its first heartbeat.
   */
  #seen(): Seen {
    return { beat: this.#beat, purchases: this.#accepted.list() };
  }

  /** Writes the record now, or together with others within `WRITE_MS`. */
  #writeSoon(): void {
    if (this.#pause !== undefined) {
      this.#isDue = true;
      return;
    }
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isDue) this.#writeSoon();
    }, WRITE_MS).unref();
    this.#isDue = false;
    void this.#write();
  }

  /** Writes one at a time. Never rejects. */
  #write(): Promise<void> {
    this.#written = this.#written.then(() => this.#writeNow());
    return this.#written;
  }

  async #writeNow(): Promise<void> {
    if (this.#identity === undefined) return;
    try {
      const cells = this.#acceptedOfCells.map((one) => one.list());
      const record: SeenRecord = { ...this.#identity, ...this.#seen(), cells };
      await writeSeen(this.#dataDir, this.#name, record);
      if (this.#fault !== undefined) this.#log.info('the rewind record is written again');
      this.#fault = undefined;
    } catch (error) {
      if (this.#fault === undefined) this.#log.error({ err: error }, unwritten);
      this.#fault = error;
    }
  }
}

const unwritten =
  'cannot write the rewind record to the data folder: the next start could not detect a rewound database';
