/** The last backup on record, and whether it is too old. */
import { formatRfc3339 } from '../../core/clock.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

type LastBackup = {
  readonly id: string;
  readonly takenAt: Date;
  readonly target: string;
  readonly verified: boolean;
};

type Age = {
  /** When the last one was taken; without one, when the database was set up. */
  readonly since: Date;
  /** Undefined where no backup is needed. */
  readonly maxAgeSeconds: number | undefined;
};

const check = 'backups';

export function checkBackups(
  last: LastBackup | undefined,
  { since, maxAgeSeconds }: Age,
  now: Date,
): readonly Finding[] {
  const todo = 'take one and record it: ./oja backup record; check the job that runs every night (backup.md)';
  const isOld = maxAgeSeconds !== undefined && now.getTime() - since.getTime() > maxAgeSeconds * 1_000;
  if (last === undefined) {
    const seen = 'no backup was ever recorded';
    if (maxAgeSeconds === undefined) return [skipped(check, `${seen} (backup.md)`)];
    return [isOld ? wrong(check, seen, todo) : warn(check, seen, todo)];
  }
  const how = last.verified ? 'checked by a restore' : 'not checked';
  const seen = `the last is ${last.id} in ${last.target}, of ${formatRfc3339(last.takenAt)}, ${how}`;
  return [isOld ? wrong(check, seen, todo) : ok(check, seen)];
}
