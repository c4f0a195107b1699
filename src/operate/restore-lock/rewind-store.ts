/** SQL of the database's identity and of the heartbeats of processes. */
import { madeAtMs } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Purchase } from './last-accepted.ts';

/** The identity of a database: its server, and its oid there. */
export type DatabaseIdentity = { readonly systemIdentifier: string; readonly databaseOid: string };

/** The last committed heartbeat of a process. */
export type Beat = { readonly process: string; readonly count: number; readonly at: Date };

/** The state of the database that a process has seen committed. */
export type Seen = { readonly beat: Beat | undefined; readonly purchases: readonly Purchase[] };

export async function readIdentity(sql: Sql): Promise<DatabaseIdentity | undefined> {
  const [row] = await sql.query<DatabaseIdentity>(
    `select system_identifier::text as "systemIdentifier", (
       select oid::text
       from pg_database
       where datname = current_database()
     ) as "databaseOid"
     from pg_control_system()`,
  );
  return row;
}

/** Returns the stored identity. Undefined if no gateway has run. */
export async function readLife(sql: Sql): Promise<DatabaseIdentity | undefined> {
  const [row] = await sql.query<DatabaseIdentity>(
    `select system_identifier as "systemIdentifier", database_oid::text as "databaseOid"
     from database_life`,
  );
  return row;
}

export async function storeIdentity(tx: Tx, identity: DatabaseIdentity): Promise<void> {
  await tx.query(
    `insert into database_life (system_identifier, database_oid)
     values ($1, $2)
     on conflict (one) do update
     set system_identifier = excluded.system_identifier, database_oid = excluded.database_oid`,
    [identity.systemIdentifier, identity.databaseOid],
  );
}

/** Stores a heartbeat. No other process writes this row, so a rewound database stays behind. */
export async function makeBeat(sql: Sql, process: string, count: number): Promise<Beat> {
  const [row] = await sql.query<{ at: Date }>(
    {
      name: 'make_beat',
      text: `
      insert into database_beats (process, count)
      values ($1, $2)
      on conflict (process) do update
      set count = excluded.count, at = now()
      returning at`,
    },
    [process, count],
  );
  return { process, count, at: row?.at ?? new Date() };
}

/** Deletes the heartbeats of processes that ended long ago. */
export async function deleteOldBeats(tx: Tx): Promise<void> {
  await tx.query("delete from database_beats where at < now() - interval '30 days'");
}

const isBehindStatement = {
  name: 'is_behind',
  text: `
    select
      -- Heartbeats of weeks ago may have been deleted.
      $3::timestamptz > now() - interval '29 days'
      and not exists (
        select
        from database_beats
        where process = $1::uuid
        and count >= $2::bigint
      ) as is_behind`,
};

const findSeenStatement = {
  name: 'find_seen_purchases',
  text: `
    select id
    from purchases
    where merchant_id = any($1::integer[])
    and environment = 'live'
    and id = any($2::uuid[])`,
};

/**
 * Describes the part of the seen state that the database lacks. Undefined if the database has all
 * of it.
 */
export async function findLack(sql: Sql, { beat, purchases }: Seen): Promise<string | undefined> {
  if (beat !== undefined) {
    const [row] = await sql.query<{ is_behind: boolean }>(isBehindStatement, [
      beat.process,
      beat.count,
      beat.at,
    ]);
    if (row?.is_behind === true) return `beat ${beat.process}/${beat.count}`;
  }
  const lost = await findLost(sql, purchases);
  return lost && `purchase ${lost}`;
}

/** Returns the id of the last of the purchases that the database lacks. */
export async function findLost(sql: Sql, purchases: readonly Purchase[]): Promise<string | undefined> {
  if (purchases.length === 0) return undefined;
  const rows = await sql.query<{ id: string }>(findSeenStatement, [
    purchases.map(({ merchantId }) => merchantId),
    purchases.map(({ purchaseId }) => purchaseId),
  ]);
  const there = new Set(rows.map(({ id }) => id));
  return purchases.findLast(({ purchaseId }) => !there.has(purchaseId))?.purchaseId;
}

/** Returns when the newest purchase was stored that is older than the given one. */
export async function findNewestBefore(sql: Sql, purchaseId: string): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date | null }>(
    'select max(created_at) as at from purchases where created_at < $1',
    [new Date(madeAtMs(purchaseId))],
  );
  return row?.at ?? undefined;
}

/**
 * Returns the last heartbeat of any process up to a time, or the first start of a gateway.
 * Undefined before that.
 */
export async function findLastBeat(sql: Sql, until: Date): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date }>(
    `select coalesce((
       select max(at)
       from database_beats
       where at <= $1
     ), started_at) as at
     from database_life`,
    [until],
  );
  return row?.at;
}

/** Whether a lock was set since `seenAt` that covers the time from `lostFrom`. */
export async function isLockedSince(sql: Sql, seenAt: Date, lostFrom: Date): Promise<boolean> {
  const rows = await sql.query(
    `select
     from restore_locks
     where raised_at > $1
     and lost_from <= $2
     limit 1`,
    [seenAt, lostFrom],
  );
  return rows.length > 0;
}
