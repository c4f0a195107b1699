/** The SQL of the restore lock. */
import type { Sql, Tx } from '../../db/database.ts';
import type { RestoreLockState } from './sending-lock.ts';

export const restoreLockCauses = ['copied', 'went_back', 'by_hand'] as const;
export type RestoreLockCause = (typeof restoreLockCauses)[number];

export type RestoreLockRow = {
  readonly id: string;
  readonly cause: RestoreLockCause;
  readonly reason: string;
  readonly lost_from: Date;
  readonly raised_at: Date;
  readonly raised_by: string;
  /** Data that was stored until then may be missing. */
  readonly lost_until: Date;
};

/** The active lock. */
export async function findRestoreLock(sql: Sql): Promise<RestoreLockRow | undefined> {
  // A lock that was raised while another was active reports a later loss.
  const [row] = await sql.query<RestoreLockRow>(
    `select id, cause, reason, lost_from, raised_at, raised_by, (
       select max(raised_at)
       from restore_locks
       where raised_at >= f.raised_at
     ) as lost_until
     from restore_locks f
     where lifted_at is null`,
  );
  return row;
}

/**
 * Locks the active row, or the absence of one, so that two locks are never raised or removed at
 * once.
 */
export async function lockRestoreLock(tx: Tx): Promise<RestoreLockRow | undefined> {
  await tx.query("select pg_advisory_xact_lock(hashtext('oja.restore_lock'))");
  return await findRestoreLock(tx);
}

/** Returns false if a lock was raised for the same reason before. */
export async function insertRestoreLock(
  tx: Tx,
  restoreLock: {
    readonly id: string;
    readonly cause: RestoreLockCause;
    readonly source: string;
    readonly reason: string;
    readonly lostFrom: Date;
    readonly raisedBy: string;
    /** Another lock is active: this one is recorded as part of it. */
    readonly isNote: boolean;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into restore_locks (id, cause, source, reason, lost_from, raised_by, lifted_at, lifted_by)
     values ($1, $2, $3, $4, $5, $6, case when $7 then now() end, case when $7 then 'joined the one that is up' end)
     on conflict (source) do nothing
     returning id`,
    [
      restoreLock.id,
      restoreLock.cause,
      restoreLock.source,
      restoreLock.reason,
      restoreLock.lostFrom,
      restoreLock.raisedBy,
      restoreLock.isNote,
    ],
  );
  return rows.length > 0;
}

/**
 * It covers at least the time from then on. Data that was reconciled before from a later time must
 * be requested again.
 */
export async function widenRestoreLock(tx: Tx, id: string, lostFrom: Date): Promise<void> {
  await tx.query('update restore_locks set lost_from = least(lost_from, $2) where id = $1', [id, lostFrom]);
}

/** Its alarms end with it, because the person who removes it has handled them. */
export async function updateLifted(tx: Tx, id: string, by: string): Promise<void> {
  await tx.query('update restore_locks set lifted_at = now(), lifted_by = $2 where id = $1', [id, by]);
  await tx.query(`
    update alarms
    set ended_at = now(), acknowledged_at = coalesce(acknowledged_at, now())
    where kind = 'restore_lock'
    and ended_at is null`);
}

/** Whether purchases may be sent, and since when. */
export async function readSendingState(sql: Sql): Promise<RestoreLockState> {
  const [row] = await sql.query<{ is_up: boolean; opened_at: Date | null }>(
    `select coalesce(bool_or(lifted_at is null), false) as is_up, max(lifted_at) as opened_at
     from restore_locks`,
  );
  return { isUp: row?.is_up ?? false, openedAt: row?.opened_at ?? undefined };
}
