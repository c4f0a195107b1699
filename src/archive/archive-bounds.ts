/**
 * What must have been done before purchases go into an archive: nothing may need their attempts any
 * more but a person who looks back. Throws BackupError, which says what is still to be done.
 */
import { BackupError } from '../backup/backup-error.ts';
import type { Queries } from '../db/database.ts';
import { formatDay, formatLocal, nextDay, parseDay } from '../kernel/clock.ts';
import { findFence } from '../recovery/fence-store.ts';
import { readMark } from '../reports/mark-store.ts';
import { beginning, readProgress } from '../vending/search/progress-store.ts';
import { listLastClosed, listReconciled } from './bound-store.ts';

/** Providers take purchases back for weeks, and their statements come monthly. */
const DAYS_LEAST = 90;
const DAY_MS = 86_400_000;

export type Wanted = {
  /** Purchases that were accepted before. */
  readonly before: Date;
  readonly now: Date;
  /** Also where a provider is reconciled up to an earlier time only. */
  readonly unreconciled: boolean;
  readonly providers: readonly string[];
};

export async function requireOver(database: Queries, wanted: Wanted): Promise<void> {
  const { before, now, unreconciled, providers } = wanted;
  const latest = new Date(now.getTime() - DAYS_LEAST * DAY_MS);
  if (before > latest) {
    throw new BackupError(
      'day_too_young',
      `--before must be ${formatDay(latest)} or an earlier day: what is younger than ${DAYS_LEAST} days stays`,
    );
  }
  if ((await findFence(database)) !== undefined) {
    throw new BackupError(
      'restore_fence_up',
      'the restore fence is up, and what was sold in the lost time is compared with attempts: ./oja restore open first',
    );
  }
  await requireCounted(database, before);
  for (const { environment, day } of await listLastClosed(database)) {
    const end = nextDay(parseDay(day) ?? now);
    if (end < before) {
      throw new BackupError(
        'day_not_closed',
        `of ${environment} the last closed day is ${day}: name --before ${formatDay(end)} at the latest, or close the days up to there (./oja day close)`,
      );
    }
  }
  if (unreconciled) return;
  for (const { party, until } of await listReconciled(database, providers)) {
    if (until < before) {
      throw new BackupError(
        'not_reconciled',
        `${party} is reconciled until ${formatLocal(until)}: reconcile it up to --before, or add --unreconciled`,
      );
    }
  }
}

/** What adds up or indexes purchases in the background has passed by. */
async function requireCounted(database: Queries, before: Date): Promise<void> {
  if ((await readProgress(database)).from !== beginning) {
    throw new BackupError(
      'index_incomplete',
      'the index of the search does not have all older purchases yet: the job search puts them there; try again later',
    );
  }
  const { historyTo, fromAt } = await readMark(database);
  if (historyTo !== null || fromAt < before) {
    throw new BackupError(
      'reports_incomplete',
      'the reports do not have all older purchases yet: the job reports adds them up; try again later',
    );
  }
}
