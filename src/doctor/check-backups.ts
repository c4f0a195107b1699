/** The last backup that is known, and whether it is too old. */
import { formatRfc3339 } from '../kernel/clock.ts';
import { type Finding, ok, skipped, wrong } from './finding.ts';

type LastBackup = {
  readonly id: string;
  readonly takenAt: Date;
  readonly target: string;
  readonly verified: boolean;
};

const check = 'backups';

/** `maxAgeSeconds`: undefined where there need not be one. */
export function checkBackups(
  last: LastBackup | undefined,
  maxAgeSeconds: number | undefined,
  now: Date,
): readonly Finding[] {
  const todo = 'take one: ./oja backup, and look at what runs it every night (backup.md)';
  if (last === undefined) {
    return maxAgeSeconds === undefined
      ? [skipped(check, 'none was taken, and OJA_BACKUP_KEY is not set (backup.md)')]
      : [wrong(check, 'none was ever taken', todo)];
  }
  const how = last.verified ? 'checked by a restore' : 'not checked';
  const seen = `the last is ${last.id} in ${last.target}, of ${formatRfc3339(last.takenAt)}, ${how}`;
  const isOld = maxAgeSeconds !== undefined && now.getTime() - last.takenAt.getTime() > maxAgeSeconds * 1_000;
  return [isOld ? wrong(check, seen, todo) : ok(check, seen)];
}
