/**
 * Sees whether the database is an earlier state of itself, or a copy, and then raises the fence: at
 * the start of a process, once a second while it runs, and on each new connection before that is
 * used. A fail-over to a standby that has every commit, and a restart, change nothing of what it
 * looks at.
 *
 * A process compares what it saw itself: its own last beat, by its count, and the last
 * purchases that it stored. Both are remembered only when their commit was acknowledged, so a
 * synchronous standby has them. At a start, all is compared that processes wrote down in the data
 * folder.
 */

import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Database, Sql, Tx } from '../../db/database.ts';
import { sqlState } from '../../db/database-errors.ts';
import { lockFence } from '../../purchases/engine/fence-store.ts';
import {
  forgetSeen,
  openSeen,
  readSeen,
  removeSeen,
  type SeenFile,
  type SeenRecord,
  writeSeen,
} from './database-seen.ts';
import type { LastAccepted } from './last-accepted.ts';
import {
  type Beat,
  type DatabaseIdentity,
  deleteOldBeats,
  findLack,
  findLastBeat,
  isFencedSince,
  makeBeat,
  readIdentity,
  readLife,
  type Seen,
  storeIdentity,
} from './life-store.ts';
import { raiseFence } from './raise-fence.ts';

/** PostgreSQL's word for a function that one may not call. */
const forbidden = '42501';
/** How often what was seen is written down, at most. */
const WRITE_MS = 100;
const actor = 'oja';

/**
 * To be called at the start, before anything is sold. Rejects where the data folder cannot be
 * written: the next start would not know what this process saw.
 */
export async function settleLife(database: Database, dataDir: string): Promise<void> {
  const identity = await identityOf(database);
  await openSeen(dataDir);
  await database.transaction(async (tx) => {
    // Processes that start together see to it one after the other.
    await lockFence(tx);
    const life = await readLife(tx);
    if (life !== undefined && !isSame(life, identity)) await raiseCopied(tx, life, identity);
    if (life === undefined || !isSame(life, identity)) await storeIdentity(tx, identity);
    await deleteOldBeats(tx);
  });
  await compareRecords(database, dataDir, identity);
  await forgetSeen(dataDir, new Date());
}

/** With what all processes wrote down that have this data folder. */
async function compareRecords(
  database: Database,
  dataDir: string,
  identity: DatabaseIdentity,
): Promise<void> {
  // A server that does not tell its own name is not compared by it.
  if (identity.systemIdentifier === '') return;
  const records = await readSeen(dataDir, identity);
  const lacking = await database.transaction(async (tx) => {
    await lockFence(tx);
    const found: SeenFile[] = [];
    for (const seen of records) {
      const lack = await findLack(tx, seen);
      if (lack === undefined) continue;
      await raiseWentBack(tx, seen, lack);
      found.push(seen);
    }
    return found;
  });
  // The fence is stored: later, nothing more is to be learnt from them.
  for (const seen of lacking) await removeSeen(seen);
}

async function raiseWentBack(tx: Tx, { beat }: Seen, lack: string): Promise<void> {
  const seenAt = beat?.at ?? new Date();
  // Others may have gone on since it went back: what it kept is of before it was seen.
  const lostFrom = (await findLastBeat(tx, seenAt)) ?? seenAt;
  // Another process noticed, and it may be reconciled by now.
  if (beat !== undefined && (await isFencedSince(tx, seenAt, lostFrom))) return;
  const reason = 'the database is in an earlier state than it was';
  await raiseFence(tx, { cause: 'went_back', source: `went_back:${lack}`, reason, lostFrom }, actor);
}

async function raiseCopied(tx: Tx, life: DatabaseIdentity, identity: DatabaseIdentity): Promise<void> {
  const lostFrom = (await findLastBeat(tx, new Date())) ?? new Date();
  const [from, to] = [life, identity].map((one) => `${one.systemIdentifier}/${one.databaseOid}`);
  const source = `copied:${to}:${from}:${lostFrom.getTime()}`;
  const reason = 'the database is a copy of another, or was moved to another server';
  await raiseFence(tx, { cause: 'copied', source, reason, lostFrom }, actor);
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

/** Makes beats, and remembers the last one: here, and in the data folder. */
export class LifeWatch {
  readonly #database: Database;
  readonly #dataDir: string;
  readonly #log: Logger;
  readonly #accepted: LastAccepted;
  /** The name of this process's file. */
  readonly #name = newId();
  #identity: DatabaseIdentity | undefined;
  /** The last one of this process. */
  #beat: Beat | undefined;
  #written: Promise<void> = Promise.resolve();
  #pause: NodeJS.Timeout | undefined;
  #isDue = false;
  #isSuspected = false;
  #fault: unknown;

  constructor(database: Database, dataDir: string, log: Logger, accepted: LastAccepted) {
    this.#database = database;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#accepted = accepted;
    accepted.onNote(() => this.#writeSoon());
  }

  /** Whether the last thing that was seen could be written down. */
  get isRecorded(): boolean {
    return this.#fault === undefined;
  }

  /**
   * Whether the database behind a new connection lacks what this process saw, or another one that
   * wrote it down. The next look raises the fence.
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
      this.#log.error('the database went back to an earlier state: nothing is sold until it is reconciled');
      await this.#database.transaction((tx) => raiseWentBack(tx, seen, lack));
      this.#accepted.forget(seen.purchases);
      this.#identity = await identityOf(this.#database);
    }
    this.#beat = await makeBeat(this.#database, this.#name, (this.#beat?.count ?? 0) + 1);
    await this.#write();
  }

  /** Purchases also before this process has made a beat. */
  #seen(): Seen {
    return { beat: this.#beat, purchases: this.#accepted.list() };
  }

  /** At once, and what comes within a moment together. */
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

  /** One after the other. Never rejects. */
  #write(): Promise<void> {
    this.#written = this.#written.then(() => this.#writeNow());
    return this.#written;
  }

  async #writeNow(): Promise<void> {
    if (this.#identity === undefined) return;
    try {
      const record: SeenRecord = { ...this.#identity, ...this.#seen() };
      await writeSeen(this.#dataDir, this.#name, record);
      if (this.#fault !== undefined) this.#log.info('what is seen of the database is written down again');
      this.#fault = undefined;
    } catch (error) {
      if (this.#fault === undefined) this.#log.error({ err: error }, unwritten);
      this.#fault = error;
    }
  }
}

const unwritten =
  'cannot write to the data folder what is seen of the database: a start would not notice that it went back';
