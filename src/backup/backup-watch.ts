/**
 * Notices that backups have stopped: an alarm is raised once when the last one is too old, and
 * metrics show when it was. An installation that has none, and no key for one, is left alone.
 */
import type { Sql } from '../db/database.ts';
import { findLastBackup, raiseOldBackup, readSetUpAt } from './backup-record-store.ts';

const HOUR_MS = 3_600_000;

type Options = {
  /** 0: it is not looked at. */
  readonly maxAgeHours: number;
  /** A key is set, so there ought to be backups. */
  readonly isExpected: boolean;
};

export type BackupAge = {
  readonly lastAt: Date | undefined;
  /** Undefined where the age does not matter. */
  readonly maxAgeSeconds: number | undefined;
};

export async function readBackupAge(sql: Sql, { maxAgeHours, isExpected }: Options): Promise<BackupAge> {
  const lastAt = (await findLastBackup(sql))?.takenAt;
  const matters = maxAgeHours > 0 && (lastAt !== undefined || isExpected);
  return { lastAt, maxAgeSeconds: matters ? maxAgeHours * 3_600 : undefined };
}

/** Raises the alarm where it is due. */
export async function watchBackups(sql: Sql, options: Options, now: Date): Promise<void> {
  const { lastAt, maxAgeSeconds } = await readBackupAge(sql, options);
  if (maxAgeSeconds === undefined) return;
  const since = lastAt ?? (await readSetUpAt(sql));
  const ageMs = now.getTime() - since.getTime();
  if (ageMs <= maxAgeSeconds * 1_000) return;
  const hours = Math.floor(ageMs / HOUR_MS);
  await raiseOldBackup(
    sql,
    since,
    lastAt === undefined
      ? `no backup was ever taken, and the database is ${hours} h old`
      : `the last backup was taken ${hours} h ago`,
  );
}
