/**
 * Reads several servers at one moment. A transaction that changes several servers is committed at
 * the coordinator first and at its workers afterwards, so a moment is taken between such commits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries, Sql, TransactionOptions, Tx } from './database.ts';

/** How long to wait for a moment between commits. */
const PATIENCE_MS = 180_000;
const PAUSE_MS = 20;

const reading: TransactionOptions = { isolation: 'repeatable read', readOnly: true, patient: true };

/** One snapshot of each server. */
export type Moment = {
  readonly coordinator: Tx;
  /** In the order in which they were given. */
  readonly cells: readonly Tx[];
};

/** Another transaction was committed while the snapshots were taken. */
class Interrupted extends Error {}

/**
 * Runs `work` in read-only transactions of the coordinator and of the cells, whose snapshots show
 * the same transactions. `prepare` is called in each before its snapshot. Rejects if a server does
 * not answer.
 */
export async function atOneMoment<T>(
  coordinator: Queries,
  cells: readonly Queries[],
  prepare: (tx: Tx) => Promise<void>,
  work: (moment: Moment) => Promise<T>,
): Promise<T> {
  const isDistributed = await hasCommits(coordinator);
  for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; await sleep(PAUSE_MS)) {
    const before = isDistributed ? await findCommits(coordinator, cells) : [];
    if (before === undefined) continue;
    try {
      return await inTransactions(cells, prepare, async (opened) => {
        await Promise.all(opened.map((tx) => tx.query('select pg_current_snapshot()')));
        return await coordinator.transaction(async (tx) => {
          await prepare(tx);
          if (isDistributed && !isSubset(await listCommits(tx), before)) throw new Interrupted();
          return await work({ coordinator: tx, cells: opened });
        }, reading);
      });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }
  throw new Error('no moment without a transaction of several servers was found');
}

async function inTransactions<T>(
  databases: readonly Queries[],
  prepare: (tx: Tx) => Promise<void>,
  work: (opened: readonly Tx[]) => Promise<T>,
  opened: readonly Tx[] = [],
): Promise<T> {
  const next = databases[opened.length];
  if (next === undefined) return await work(opened);
  return await next.transaction(async (tx) => {
    await prepare(tx);
    return await inTransactions(databases, prepare, work, [...opened, tx]);
  }, reading);
}

async function hasCommits(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ is: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_transaction') is not null as is`,
  );
  return row?.is === true;
}

/** The recent commits of several servers, or undefined while one of them is not complete. */
async function findCommits(coordinator: Sql, cells: readonly Sql[]): Promise<readonly string[] | undefined> {
  const [row] = await coordinator.query<{ commits: string[]; isOpen: boolean }>(`
    select
      (select coalesce(array_agg(gid), '{}') from pg_dist_transaction) as commits,
      exists (
        select
        from pg_locks
        where relation = 'pg_dist_transaction'::regclass
        and database = (select oid from pg_database where datname = current_database())
        and mode <> 'AccessShareLock'
      ) as "isOpen"`);
  if (row === undefined || row.isOpen) return undefined;
  const prepared = await Promise.all(
    cells.map((cell) => cell.query('select from pg_prepared_xacts where database = current_database()')),
  );
  return prepared.flat().length > 0 ? undefined : row.commits;
}

async function listCommits(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ gid: string }>('select gid from pg_dist_transaction');
  return rows.map(({ gid }) => gid);
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  const all = new Set(whole);
  return part.every((one) => all.has(one));
}
