/**
 * Rolls up purchases and transfers into reports by Lagos day, totals of money, known costs and
 * sales at a loss. Everything older than the checkpoint is in these sums and never changes.
 *
 * No row may get a time before the checkpoint. A row gets its time (`booking_time()`) from the
 * statement that inserts it, after that statement has locked its table, and the lock is held until
 * the transaction ends. The roll-up therefore reads the clock of the database first and the holders
 * of such locks second. A transaction that locks a table later gets a later time. When all holders
 * have ended, every row with an earlier time is committed and visible. The moment is then settled,
 * and the checkpoint may move up to it. Every role can read locks, behind any pooler, and prepared
 * transactions keep theirs. Readers, such as a dump, hold none and delay nothing. A purchase only
 * reads the checkpoint, so that its time is not before it after the clock was set back.
 *
 * Guarantees: each row is added once, also when several processes roll up at once or one dies,
 * because a slice and the move of the checkpoint are one transaction under the roll-up's lock.
 * Purchases and transfers in the sums are of one moment.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { raiseLossAlarms } from '../../catalog/margins/loss-store.ts';
import { type OnProgress, unwatched } from '../../core/progress.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Database, Queries, Sql } from '../../db/database.ts';
import { collectSlice } from './collect-slice-store.ts';
import {
  listWriters,
  lockRollUp,
  moveCheckpoint,
  readCheckpoint,
  readClock,
  rollUpSlice,
  type Slice,
} from './roll-up-store.ts';

/** A slice of this size takes about 40 ms. Purchases queue behind longer ones. */
const ROWS_PER_SLICE = 3_000;
const SLICE_START_S = 1;
const SLICE_MIN_S = 0.05;
const SLICE_MAX_S = 86_400;
const SLICE_GROWTH_MAX = 4;
/** The pause after a slice, as a multiple of its duration. */
const PAUSE_PER_SLICE = 8;
const PAUSE_MAX_MS = 300;
/** The longest run. The next run continues, so that a stop does not wait for long. */
const RUN_MS = 400;
/** Transactions of purchases take milliseconds and are cancelled after half a minute. */
const SETTLE_MAX_MS = 3_000;
/** More than one whole millisecond. */
const CHECKPOINT_MS = 2;
const SETTLE_POLL_MS = 10;
/** How late this process may receive an answer. */
const CLOCK_JITTER_MS = 250;
/**
 * Planning the statements of a slice takes as long as adding a hundred purchases. Citus has no
 * generic plans.
 */
const plans = { genericPlans: true } as const;

/** A reading of the clock, with the transactions that could still write an earlier time. */
type Moment = { readonly at: Date; readonly steadyMs: number; readonly writers: readonly string[] };

async function readMoment(sql: Sql): Promise<Moment> {
  const at = await readClock(sql);
  const steadyMs = performance.now();
  return { at, steadyMs, writers: await listWriters(sql) };
}

/**
 * Returns whether a moment is settled. A prepared transaction may be one of the writers under
 * another name. After the clock was set back, a transaction that began after the moment may have an
 * earlier time.
 */
function isSettled({ at, steadyMs, writers }: Moment, now: Moment): boolean {
  const isOver = !now.writers.some((writer) => writer.startsWith('-1/') || writers.includes(writer));
  return isOver && !wentBack({ at, steadyMs }, now);
}

async function readMoments(databases: readonly Sql[]): Promise<readonly Moment[]> {
  return await Promise.all(databases.map(readMoment));
}

function areSettled(moments: readonly Moment[], now: readonly Moment[]): boolean {
  return moments.every((moment, index) => {
    const later = now[index];
    return later?.writers.length === 0 || (later !== undefined && isSettled(moment, later));
  });
}

function wentBack(before: Omit<Moment, 'writers'>, now: Moment): boolean {
  return now.at.getTime() - before.at.getTime() < now.steadyMs - before.steadyMs - CLOCK_JITTER_MS;
}

/** Finds moments of one database that are settled. */
class Settling {
  #moment: Moment | undefined;
  #settledAt: Date | undefined;

  /** Returns the last settled moment. A moment with writers is settled by a later call. */
  async settle(sql: Sql): Promise<Date | undefined> {
    const now = await readMoment(sql);
    const before = this.#moment;
    if (now.writers.length === 0) this.#settledAt = now.at;
    else if (before !== undefined && isSettled(before, now)) this.#settledAt = before.at;
    else if (before !== undefined && !wentBack(before, now)) return this.#settledAt;
    this.#moment = now;
    return this.#settledAt;
  }
}

/** The background job. */
export class RollUp {
  readonly #length = new SliceLength();
  readonly #cells: readonly Sql[];
  readonly #settling: readonly Settling[];

  /** `cells`: the servers that hold the purchases, if the rolled-up database does not. */
  constructor(cells: readonly Sql[] = []) {
    this.#cells = cells;
    this.#settling = Array.from({ length: Math.max(cells.length, 1) }, () => new Settling());
  }

  /** Returns how many rows it added. */
  async run(database: Queries): Promise<number> {
    const until = await this.#settle(this.#cells.length === 0 ? [database] : this.#cells);
    if (until === undefined) return 0;
    const startedMs = performance.now();
    let rows = 0;
    for (;;) {
      const sliceStartedMs = performance.now();
      const slice = await rollUpNext(database, until, this.#length, {
        waits: false,
        isOfCells: this.#cells.length > 0,
      });
      rows += slice?.rows ?? 0;
      const nowMs = performance.now();
      if (slice === undefined || slice.isLast || nowMs - startedMs >= RUN_MS) return rows;
      await wait(Math.min(PAUSE_PER_SLICE * (nowMs - sliceStartedMs), PAUSE_MAX_MS));
    }
  }

  /** Returns the moment up to which all databases are settled. */
  async #settle(databases: readonly Sql[]): Promise<Date | undefined> {
    const settled = await Promise.all(databases.map((sql, index) => this.#settling[index]?.settle(sql)));
    const times = settled.flatMap((at) => at ?? []);
    if (times.length < databases.length) return undefined;
    const until = new Date(Math.min(...times.map((at) => at.getTime())));
    // Rows of a cell whose clock is set back later must not be older.
    await Promise.all(this.#cells.map((cell) => moveCheckpoint(cell, until)));
    return until;
  }
}

/**
 * Rolls up rows that were committed before the call and returns the checkpoint. It gives up after
 * `withinMs`, or when a transaction that began before the call does not end, and leaves the rest to
 * the job.
 */
export async function catchUp(
  database: Queries,
  { withinMs, onProgress = unwatched }: { readonly withinMs: number; readonly onProgress?: OnProgress },
): Promise<Date> {
  const startedMs = performance.now();
  // A checkpoint is a whole millisecond: bookings of the current one are before the next.
  await wait(CHECKPOINT_MS);
  const { cells } = database;
  const moments = await readMoments(cells ?? [database]);
  for (let now = moments; !areSettled(moments, now); now = await readMoments(cells ?? [database])) {
    if (performance.now() - startedMs >= SETTLE_MAX_MS) return await readCheckpoint(database);
    await wait(SETTLE_POLL_MS);
  }
  const until = new Date(Math.min(...moments.map(({ at }) => at.getTime())));
  await Promise.all((cells ?? []).map((cell) => moveCheckpoint(cell, until)));
  const length = new SliceLength();
  let added = 0;
  for (let isLast = false; !isLast && performance.now() - startedMs < withinMs; ) {
    const slice = await rollUpNext(database, until, length, {
      waits: true,
      isOfCells: cells !== undefined,
    });
    added += slice?.rows ?? 0;
    isLast = slice?.isLast ?? true;
    onProgress({ step: 'rolling up', done: added, unit: 'rows rolled up' });
  }
  return await readCheckpoint(database);
}

/** Rolls up the next slice. Undefined if another process is rolling up. */
async function rollUpNext(
  database: Pick<Database, 'transaction'>,
  until: Date,
  length: SliceLength,
  { isOfCells = false, ...waiting }: { readonly waits: boolean; readonly isOfCells?: boolean },
): Promise<Slice | undefined> {
  return await database.transaction(
    async (tx) => {
      if (!(await lockRollUp(tx, waiting, isOfCells ? 'roll_up_of_cells' : 'roll_up'))) return undefined;
      if (isOfCells) await collectSlice(tx, until, length.seconds);
      const slice = await rollUpSlice(tx, until, length.seconds);
      if (slice.losses > 0n) await raiseLossAlarms(tx);
      if (slice.stops) await announceChange(tx, 'guards');
      length.follow(slice);
      return slice;
    },
    isOfCells ? undefined : plans,
  );
}

/** Adapts the seconds of a slice, so that it has about `ROWS_PER_SLICE` rows. */
class SliceLength {
  #seconds = SLICE_START_S;

  get seconds(): number {
    return this.#seconds;
  }

  follow({ rows, seconds }: Slice): void {
    const right = rows === 0 ? Number.POSITIVE_INFINITY : (seconds * ROWS_PER_SLICE) / rows;
    const most = Math.min(this.#seconds * SLICE_GROWTH_MAX, SLICE_MAX_S);
    this.#seconds = Math.max(Math.min(right, most), SLICE_MIN_S);
  }
}
