/**
 * Sees whether the database is an earlier state of itself, or a copy, and then raises the fence: at
 * the start of a process, once a second while it runs, and on each new connection before that is
 * used. A fail-over to a standby that has every commit, and a restart, change nothing of what it
 * looks at.
 *
 * A process compares what it saw itself: the last beat that it made, by its count and its token,
 * and the last purchases that it stored. Both are remembered only when their commit was
 * acknowledged, so a synchronous standby has them. What another process made may be visible before
 * that, and is not remembered. At a start, all is compared that processes wrote down in the data
 * folder.
 */

import type { Database, Sql, Tx } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import { lockFence } from '../vending/path/fence-store.ts';
import {
  type DatabaseSeen,
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
  beatLife,
  type DatabaseIdentity,
  type DatabaseLife,
  findLastBeat,
  findLostPurchase,
  findToken,
  isFencedSince,
  type LifeLook,
  readIdentity,
  readLife,
  storeIdentity,
} from './life-store.ts';
import { raiseFence } from './raise-fence.ts';

/** PostgreSQL's word for a function that one may not call. */
const forbidden = '42501';
/** How often what was seen is written down, at most. */
const WRITE_MS = 100;
/** A process whose others always count first counts too: it must see the database live. */
const OWN_BEAT_MS = 900;
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
    if (life === undefined) return await storeIdentity(tx, identity);
    if (!isSame(life, identity)) {
      await raiseFence(tx, copied(life, identity), actor);
      return await storeIdentity(tx, identity);
    }
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
  if (!isKnown(identity)) return;
  const records = (await readSeen(dataDir)).filter((record) => isSame(record, identity));
  const lacking = await database.transaction(async (tx) => {
    await lockFence(tx);
    const life = await readLife(tx);
    const found: SeenFile[] = [];
    for (const seen of life === undefined ? [] : records) {
      const lack = life && (await findLack(tx, seen, life));
      if (life === undefined || lack === undefined) continue;
      await raiseWentBack(tx, seen, lack, life.at);
      found.push(seen);
    }
    return found;
  });
  // The fence is stored: later, nothing more is to be learnt from them.
  for (const seen of lacking) await removeSeen(seen);
}

/** What the database lacks of what was seen, as the source of a fence; undefined: nothing. */
async function findLack(sql: Sql, seen: SeenRecord, life: DatabaseLife): Promise<string | undefined> {
  const found = { beats: life.beats, token: await findToken(sql, seen.beats) };
  if (isBehind(seen, found)) return sourceOf(seen, found);
  const lost = await findLostPurchase(sql, seen.purchases);
  return lost && `purchase ${lost}`;
}

/**
 * Whether the database lacks a beat that was seen: it counted less, or has another beat in the
 * place of that one. Nothing is said where no token is known: older versions count without.
 */
function isBehind(
  seen: DatabaseSeen,
  found: { readonly beats: bigint; readonly token: string | undefined },
): boolean {
  if (found.beats < seen.beats) return true;
  return seen.token !== undefined && found.token !== undefined && found.token !== seen.token;
}

function sourceOf(seen: DatabaseSeen, { beats }: { readonly beats: bigint }): string {
  // With its token: another rewind to the same copy is another one.
  const place = `${seen.beats}/${seen.token}`;
  return beats < seen.beats ? `${place}>${beats}` : place;
}

/** `at`: when the database lived last, as it was found. */
async function raiseWentBack(tx: Tx, seen: DatabaseSeen, source: string, at: Date): Promise<boolean> {
  const { systemIdentifier, databaseOid, at: seenAt = at } = seen;
  // Others may have counted on since it went back: what it kept is of before it was seen.
  const keptAt = await findLastBeat(tx, seenAt);
  const lostFrom = new Date(Math.min(at.getTime(), seenAt.getTime(), keptAt?.getTime() ?? at.getTime()));
  // Another process noticed, and it may be reconciled by now.
  if (seen.at !== undefined && (await isFencedSince(tx, seenAt, lostFrom))) return false;
  const fence = {
    cause: 'went_back',
    source: `went_back:${systemIdentifier}/${databaseOid}:${source}`,
    reason: 'the database is in an earlier state than it was',
    lostFrom,
  } as const;
  return await raiseFence(tx, fence, actor);
}

function copied(life: DatabaseLife, { systemIdentifier, databaseOid }: DatabaseIdentity) {
  return {
    cause: 'copied',
    source: `copied:${systemIdentifier}/${databaseOid}:${life.systemIdentifier}/${life.databaseOid}:${life.beats}`,
    reason: 'the database is a copy of another, or was moved to another server',
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
  readonly #accepted: LastAccepted;
  /** The name of this process's file. */
  readonly #name = newId();
  #identity: DatabaseIdentity | undefined;
  /** The last beat of this process. */
  #seen: DatabaseSeen | undefined;
  #beatAtMs = performance.now();
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
    const identity = this.#identity;
    if (identity === undefined) return false;
    const written = await readSeen(this.#dataDir);
    const life = await readLife(sql);
    for (const seen of [this.#record(identity), ...written.filter((record) => isSame(record, identity))]) {
      if (life !== undefined && (await findLack(sql, seen, life)) === undefined) continue;
      this.#isSuspected = true;
      return true;
    }
    return false;
  }

  async look(): Promise<void> {
    if (this.#isSuspected) await this.#lookIntoRecords();
    const seen = this.#seen;
    const inAnyCase = performance.now() - this.#beatAtMs > OWN_BEAT_MS;
    const look = await beatLife(this.#database, { beats: seen?.beats, inAnyCase });
    if (look === undefined) return;
    this.#identity ??= await identityOf(this.#database);
    const identity = this.#identity;
    if (seen !== undefined) await this.#compareBeats(seen, look);
    await this.#compareAccepted({ ...identity, ...look.before });
    // A beat of another may not be acknowledged yet; should this one be lost, it is told again.
    if (look.made === undefined) return;
    this.#beatAtMs = performance.now();
    this.#seen = {
      ...look.made,
      systemIdentifier: identity.systemIdentifier,
      databaseOid: identity.databaseOid,
    };
    await this.#write();
  }

  async #lookIntoRecords(): Promise<void> {
    const identity = this.#identity ?? (await identityOf(this.#database));
    await compareRecords(this.#database, this.#dataDir, identity);
    this.#isSuspected = false;
  }

  async #compareBeats(seen: DatabaseSeen, { before, token }: LifeLook): Promise<void> {
    const found = { beats: before.beats, token };
    if (!isBehind(seen, found)) return;
    await this.#raise(seen, sourceOf(seen, found), before.at);
    this.#seen = undefined;
    this.#identity = undefined;
  }

  /** What was stored after the last beat is lost although no beat is. */
  async #compareAccepted(found: DatabaseSeen & { readonly at: Date }): Promise<void> {
    const purchases = this.#accepted.list();
    if (purchases.length === 0) return;
    const lost = await findLostPurchase(this.#database, purchases);
    if (lost === undefined) return;
    await this.#raise(this.#seen ?? found, `purchase ${lost}`, found.at);
    this.#accepted.forget(purchases);
  }

  async #raise(seen: DatabaseSeen, source: string, at: Date): Promise<void> {
    this.#log.error('the database went back to an earlier state: nothing is sold until it is reconciled');
    await this.#database.transaction((tx) => raiseWentBack(tx, seen, source, at));
  }

  /** Purchases also before this process has made a beat. */
  #record(identity: DatabaseIdentity): SeenRecord {
    const { systemIdentifier, databaseOid } = identity;
    const purchases = this.#accepted.list();
    return { systemIdentifier, databaseOid, beats: 0n, ...this.#seen, purchases };
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
      await writeSeen(this.#dataDir, this.#name, this.#record(this.#identity));
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
