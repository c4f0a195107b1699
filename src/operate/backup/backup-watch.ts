/**
 * Raises an alarm once when the last recorded backup is too old, and returns its age for metrics. A
 * demo without backups raises no alarm.
 */
import type { Sql } from '../../db/database.ts';
import { findLastBackup, raiseOldBackup, readSetUpAt } from './backup-record-store.ts';

const HOUR_MS = 3_600_000;

type Options = {
  /** 0: never too old. */
  readonly maxAgeHours: number;
  /** Whether an installation must have a backup: in production. */
  readonly isExpected: boolean;
};

export type BackupAge = {
  readonly lastAt: Date | undefined;
  /** When the last backup was taken, or when the database was set up if there is none. */
  readonly since: Date;
  /** Undefined if no backup is needed. */
  readonly maxAgeSeconds: number | undefined;
};

export async function readBackupAge(sql: Sql, { maxAgeHours, isExpected }: Options): Promise<BackupAge> {
  const lastAt = (await findLastBackup(sql))?.takenAt;
  const matters = maxAgeHours > 0 && (lastAt !== undefined || isExpected);
  const since = lastAt ?? (await readSetUpAt(sql));
  return { lastAt, since, maxAgeSeconds: matters ? maxAgeHours * 3_600 : undefined };
}

/** Raises the alarm if the last backup is too old. */
export async function watchBackups(sql: Sql, options: Options, now: Date): Promise<void> {
  const { lastAt, since, maxAgeSeconds } = await readBackupAge(sql, options);
  if (maxAgeSeconds === undefined) return;
  const ageMs = now.getTime() - since.getTime();
  if (ageMs <= maxAgeSeconds * 1_000) return;
  const hours = Math.floor(ageMs / HOUR_MS);
  await raiseOldBackup(
    sql,
    since,
    lastAt === undefined
      ? `No backup has been recorded. The database is ${hours} h old.`
      : `The last backup was taken ${hours} h ago.`,
  );
}
