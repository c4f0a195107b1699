/**
 * Sees whether the database is an earlier state of itself, or a copy, and then raises the fence: at
 * the start of a process, and all the while it runs. A fail-over to a standby that has every
 * commit, and a restart, change nothing of what it looks at.
 *
 * A process compares what it saw itself: the last beat that it made, by its count and its token,
 * and the last purchases that it stored. Both are remembered only when their commit was
 * acknowledged, so a synchronous standby has them. What another process made may be visible before
 * that, and is not remembered.
 */

import type { Database, Tx } from '../db/database.ts';
import { sqlState } from '../db/database-errors.ts';
import type { Logger } from '../kernel/log.ts';
import { type DatabaseSeen, readSeen, writeSeen } from './database-seen.ts';
import { readFenceRequest, removeFenceRequest } from './fence-request.ts';
import { lockFence } from './fence-store.ts';
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
/** How often it is written down how far the database has lived. */
const WRITE_MS = 5_000;
/** A process whose others always count first counts on all the same, so often. */
const OWN_BEAT_MS = 5_000;
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
    if (seen === undefined || !isKnown(identity) || !isSame(seen, identity)) return;
    const found = { beats: life.beats, token: await findToken(tx, seen.beats) };
    if (isBehind(seen, found)) await raiseWentBack(tx, seen, sourceOf(seen, found), life.at);
  });
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
  return beats < seen.beats ? `${seen.beats}>${beats}` : `${seen.beats}/${seen.token}`;
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
  /** The last beat of this process. */
  #seen: DatabaseSeen | undefined;
  #beatAtMs = performance.now();
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #cannotWrite = false;

  constructor(database: Database, dataDir: string, log: Logger, accepted: LastAccepted) {
    this.#database = database;
    this.#dataDir = dataDir;
    this.#log = log;
    this.#accepted = accepted;
  }

  async look(): Promise<void> {
    const seen = this.#seen;
    const inAnyCase = performance.now() - this.#beatAtMs > OWN_BEAT_MS;
    const look = await beatLife(this.#database, { beats: seen?.beats, inAnyCase });
    if (look === undefined) return;
    const identity = seen ?? (await identityOf(this.#database));
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

  async #compareBeats(seen: DatabaseSeen, { before, token }: LifeLook): Promise<void> {
    const found = { beats: before.beats, token };
    if (!isBehind(seen, found)) return;
    await this.#raise(seen, sourceOf(seen, found), before.at);
    this.#seen = undefined;
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
