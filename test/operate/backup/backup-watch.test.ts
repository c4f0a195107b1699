/** The watch on recorded backups: one alarm when they stop, and none otherwise. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { findLastBackup } from '../../../src/operate/backup/backup-record-store.ts';
import { readBackupAge, watchBackups } from '../../../src/operate/backup/backup-watch.ts';
import { recordBackup } from '../../../src/operate/backup/operations/record-backup.ts';
import { checkBackups } from '../../../src/operate/doctor/check-backups.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const HOUR_MS = 3_600_000;
const takenAt = new Date('2026-11-22T01:00:00Z');
const late = (hours: number): Date => new Date(takenAt.getTime() + hours * HOUR_MS);
const kept = { maxAgeHours: 26, isExpected: false };

async function record(id: string, at = takenAt): Promise<boolean> {
  const fact = { id, takenAt: at, target: 'backups', verified: true };
  return await database.transaction((tx) => recordBackup(tx, fact, 'test'));
}

async function alarms(): Promise<{ message: string; isOver: boolean }[]> {
  return await database.query(
    'select message, ended_at is not null as "isOver" from alarms where kind = \'backup_old\' order by id',
  );
}

describe('watchBackups', () => {
  beforeEach(async () => {
    await database.query('delete from backups');
    await database.query("delete from alarms where kind = 'backup_old'");
    // The test's times are of another year than its alarms.
    await database.query("update schema_migrations set applied_at = '2026-11-22T01:00:00Z'");
  });

  it('raises one alarm for an old backup, which ends with the next backup', async () => {
    assert.equal(await record('one'), true);
    await watchBackups(database, kept, late(25.9));
    assert.deepEqual(await alarms(), []);
    await Promise.all([1, 2].map(() => watchBackups(database, kept, late(27))));
    const [raised, ...more] = await alarms();
    assert.match(raised?.message ?? '', /\b27 h\b/);
    assert.deepEqual([raised?.isOver, more], [false, []]);
    await record('two', late(27));
    await watchBackups(database, kept, late(28));
    assert.deepEqual(
      (await alarms()).map(({ isOver }) => isOver),
      [true],
    );
    // An alarm that ended without an acknowledgement does not suppress the next one.
    await database.query("update alarms set at = $1 where kind = 'backup_old'", [takenAt]);
    await Promise.all([1, 2].map(() => watchBackups(database, kept, late(27 + 27))));
    assert.deepEqual(
      (await alarms()).map(({ isOver }) => isOver),
      [true, false],
    );
  });

  it('records a backup once, with an entry in the audit log', async () => {
    await record('one');
    assert.equal(await record('one'), false);
    const entries = await database.query(
      "select after->>'target' as target from audit_log where action = 'backup.record' and subject = 'backup:one'",
    );
    assert.equal(entries.at(-1)?.target, 'backups');
    const age = { lastAt: takenAt, since: takenAt, maxAgeSeconds: 26 * 3_600 };
    assert.deepEqual(await readBackupAge(database, kept), age);
  });

  it('raises an alarm in production if no backup was ever recorded, and none in the demo', async () => {
    await watchBackups(database, kept, late(1_000));
    const age = await readBackupAge(database, kept);
    assert.deepEqual(age, { lastAt: undefined, since: takenAt, maxAgeSeconds: undefined });
    assert.deepEqual(await alarms(), []);
    await watchBackups(database, { ...kept, isExpected: true }, late(25));
    assert.deepEqual(await alarms(), []);
    await watchBackups(database, { ...kept, isExpected: true }, late(27));
    const [raised, ...more] = await alarms();
    assert.match(raised?.message ?? '', /\b27 h\b/);
    assert.deepEqual(more, []);
  });

  it('raises no alarm when the setting is 0', async () => {
    await record('one');
    await watchBackups(database, { ...kept, maxAgeHours: 0 }, late(1_000));
    assert.deepEqual(await alarms(), []);
  });

  it('gives the doctor its finding', async () => {
    const state = async (options: typeof kept, now: Date): Promise<string | undefined> => {
      const age = await readBackupAge(database, options);
      return checkBackups(await findLastBackup(database), age, now)[0]?.state;
    };
    assert.equal(await state(kept, late(1)), 'skipped');
    assert.equal(await state({ ...kept, isExpected: true }, late(1)), 'warn');
    assert.equal(await state({ ...kept, isExpected: true }, late(27)), 'wrong');
    await record('one');
    assert.equal(await state(kept, late(1)), 'ok');
    assert.equal(await state(kept, late(27)), 'wrong');
  });
});
