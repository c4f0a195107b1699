/** Checks that the last recorded backup is not too old. */
import { formatRfc3339 } from '../../core/clock.ts';
import type { BackupRecord } from '../backup/backup-record-store.ts';
import type { BackupAge } from '../backup/backup-watch.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const check = 'backups';

export function checkBackups(
  last: BackupRecord | undefined,
  { since, maxAgeSeconds }: Pick<BackupAge, 'since' | 'maxAgeSeconds'>,
  now: Date,
): readonly Finding[] {
  const todo = 'take a backup and record it with ./oja backup record; check the nightly job (backup.md)';
  const isOld = maxAgeSeconds !== undefined && now.getTime() - since.getTime() > maxAgeSeconds * 1_000;
  if (last === undefined) {
    const seen = 'no backup has been recorded';
    if (maxAgeSeconds === undefined) return [skipped(check, `${seen} (backup.md)`)];
    return [isOld ? wrong(check, seen, todo) : warn(check, seen, todo)];
  }
  const how = last.verified ? 'checked by a restore' : 'not checked by a restore';
  const seen = `last backup ${last.id} in ${last.target}, ${formatRfc3339(last.takenAt)}, ${how}`;
  return [isOld ? wrong(check, seen, todo) : ok(check, seen)];
}
