/**
 * SQL of the roll-up: its checkpoint, the transactions that may still write before it, and its
 * slices.
 */
import type { Sql, Tx } from '../../db/database.ts';

/**
 * Reads the checkpoint: exactly the older rows are rolled up. It is in whole milliseconds, so a
 * Date holds it exactly.
 */
export async function readCheckpoint(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>(
    "select greatest(max(at), timestamptz 'epoch') as at from roll_up_checkpoints",
  );
  return present(row).at;
}

/**
 * Locks the roll-up with its checkpoint and sums. False if another transaction has the lock and
 * `waits` is false.
 */
export async function lockRollUp(
  tx: Tx,
  { waits }: { readonly waits: boolean },
  /** Where cells are on other servers, only their roll-up may move the checkpoint. */
  lock: 'roll_up' | 'roll_up_of_cells' = 'roll_up',
): Promise<boolean> {
  const locked = await tx.query(
    `select from settings where name = '${lock}' for update${waits ? '' : ' skip locked'}`,
  );
  return locked.length > 0;
}

/** Reads the clock of the database. */
export async function readClock(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>('select clock_timestamp() as at');
  return present(row).at;
}

/**
 * Lists the transactions that have locked outcomes or transfers for writing. Every role may read
 * these locks. Prepared transactions begin with `-1/`. A cell writes to a partition or a shard,
 * through a view.
 */
export async function listWriters(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ writer: string }>(
    `with named as (
       select unnest(array['purchase_outcomes'::regclass, 'transfers'::regclass])::oid as oid
     ),
     written as (
       select oid from named
       union all
       select i.inhrelid from pg_inherits i join named n on n.oid = i.inhparent
       union all
       select d.refobjid
       from named n
       join pg_rewrite r on r.ev_class = n.oid
       join pg_depend d
         on d.objid = r.oid
         and d.classid = 'pg_rewrite'::regclass
         and d.refclassid = 'pg_class'::regclass
     )
     select distinct virtualtransaction as writer
     from pg_locks
     where locktype = 'relation'
     and mode = 'RowExclusiveLock'
     and granted
     and database = (select oid from pg_database where datname = current_database())
     and relation in (select oid from written)`,
  );
  return rows.map(({ writer }) => writer);
}

export type Slice = {
  /** The number of purchases and transfers. */
  readonly rows: number;
  /** The length of the slice. */
  readonly seconds: number;
  /** The slice ends at `until`. */
  readonly isLast: boolean;
  readonly losses: bigint;
  /** A margin guard may have to stop sales now. */
  readonly stops: boolean;
};

/**
 * Rolls up the next slice of that length and moves the checkpoint past it. The roll-up must be
 * locked, and no row with a time before `until` may still be uncommitted. No row is older than the
 * first merchant.
 */
export async function rollUpSlice(tx: Tx, until: Date, seconds: number): Promise<Slice> {
  const [slice] = await tx.query<Slice & { readonly to: Date }>(
    `with begun as (
       select
         max(at) as from_at,
         case
           when max(at) = '-infinity'
             then coalesce((select min(created_at) - interval '1 day' from merchants), $1::timestamptz)
           else max(at) + $2 * interval '1 second'
         end as end_at
       from roll_up_checkpoints
     ),
     bounds as materialized (
       select from_at, date_trunc('milliseconds', greatest(from_at, least(end_at, $1::timestamptz))) as to_at
       from begun
     )
     select
       b.to_at as to,
       (p.purchases + t.transfers)::integer as rows,
       case when isfinite(b.from_at) then extract(epoch from b.to_at - b.from_at)::float8 else 0 end as seconds,
       b.to_at >= $1 as "isLast",
       p.losses,
       p.stops
     from bounds b
     cross join lateral roll_up_purchases(b.from_at, b.to_at) p
     cross join lateral roll_up_transfers(b.from_at, b.to_at) t(transfers)`,
    [until, seconds],
  );
  const rolled = present(slice);
  await moveCheckpoint(tx, rolled.to);
  await tx.query("delete from recent_outcomes where slot < now() - interval '25 hours'");
  return rolled;
}

/** No outcome and no transfer gets an earlier time from now on. */
export async function moveCheckpoint(sql: Sql, to: Date): Promise<void> {
  await sql.query('insert into roll_up_checkpoints (at) values ($1) on conflict (at) do nothing', [to]);
  await sql.query('delete from roll_up_checkpoints where at < $1', [to]);
}

function present<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('the roll-up has a checkpoint');
  return row;
}
