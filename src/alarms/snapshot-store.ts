/** SQL of snapshots: who keeps PostgreSQL from sweeping dead rows away, and the alarm of it. */
import type { Sql } from '../db/database.ts';

export type SnapshotHolder = {
  readonly kind: 'session' | 'prepared' | 'slot';
  /** What the database calls it: no secret, and nobody's name. */
  readonly name: string;
  /** The oldest transaction whose rows it may still see. */
  readonly xmin: string;
  /** How long it has been held. Of a slot or a standby the database does not know. */
  readonly heldS: number | null;
};

/**
 * Sessions with a snapshot, prepared transactions, and replication slots. Sessions of other users
 * show to `pg_monitor` alone. A vacuum holds nothing up.
 */
export async function listSnapshotHolders(sql: Sql): Promise<SnapshotHolder[]> {
  return await sql.query<SnapshotHolder>(`
    select
      'session' as kind,
      a.pid || ' ' || a.application_name as name,
      a.backend_xmin::text as xmin,
      extract(epoch from clock_timestamp() - a.xact_start)::float8 as "heldS"
    from pg_stat_activity a
    where a.backend_xmin is not null
    and a.pid <> pg_backend_pid()
    -- Snapshots of other databases do not matter here; a standby is of all.
    and (a.datname = current_database() or a.datname is null)
    and a.backend_type <> 'autovacuum worker'
    union all
    select 'prepared', p.gid, p.transaction::text, extract(epoch from clock_timestamp() - p.prepared)::float8
    from pg_prepared_xacts p
    where p.database = current_database()
    union all
    select 'slot', s.slot_name, s.xmin::text, null
    from pg_replication_slots s
    where s.xmin is not null`);
}

/**
 * Once for a snapshot, whoever of the processes sees it: an alarm that is open, or was raised since
 * the snapshot began, is the record of it.
 */
export async function raiseOldSnapshot(sql: Sql, heldS: number, message: string): Promise<void> {
  await sql.query(
    `insert into alarms (kind, message)
     select 'old_snapshot', $2::text
     where not exists (
       select 1
       from alarms
       where kind = 'old_snapshot'
       and (acknowledged_at is null or at >= now() - $1 * interval '1 second')
     )
     on conflict (kind) where kind = 'old_snapshot' and acknowledged_at is null do nothing`,
    [heldS, message],
  );
}
