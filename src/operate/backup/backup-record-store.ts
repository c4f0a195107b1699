/** SQL of recorded backups, and of the alarm when the last one is too old. */
import type { Sql, Tx } from '../../db/database.ts';

export type BackupRecord = {
  readonly id: string;
  readonly takenAt: Date;
  readonly target: string;
  /** Whether it was checked by a restore. */
  readonly verified: boolean;
};

/** Inserts a backup. Returns false if it is already recorded. */
export async function insertBackup(tx: Tx, record: BackupRecord): Promise<boolean> {
  const { id, takenAt, target, verified } = record;
  const rows = await tx.query(
    `insert into backups (id, taken_at, target, verified)
     values ($1, $2, $3, $4)
     on conflict (id) do nothing
     returning id`,
    [id, takenAt, target, verified],
  );
  return rows.length > 0;
}

/** Returns the backup that was taken last. */
export async function findLastBackup(sql: Sql): Promise<BackupRecord | undefined> {
  const [row] = await sql.query<BackupRecord>(
    `select id, taken_at as "takenAt", target, verified
     from backups
     order by taken_at desc
     limit 1`,
  );
  return row;
}

/** Returns when the database was set up, or now if it is not set up yet. */
export async function readSetUpAt(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>('select min(applied_at) as at from schema_migrations');
  return row?.at ?? new Date();
}

/** Raises the alarm once for each overdue backup, in any number of processes. */
export async function raiseOldBackup(sql: Sql, since: Date, message: string): Promise<void> {
  await sql.query(
    `insert into alarms (kind, message)
     select 'backup_old', $2::text
     where not exists (
       select 1
       from alarms
       where kind = 'backup_old'
       and ((acknowledged_at is null and ended_at is null) or at >= $1)
     )
     on conflict (kind)
     where kind = 'backup_old' and acknowledged_at is null and ended_at is null
     do nothing`,
    [since, message],
  );
}

/** Ends the alarm after a new backup. */
export async function endOldBackup(tx: Tx): Promise<void> {
  await tx.query(`
    update alarms
    set ended_at = now()
    where kind = 'backup_old'
    and ended_at is null
    and acknowledged_at is null`);
}
