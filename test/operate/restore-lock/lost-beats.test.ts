/**
 * A failover to a standby that lacks the last commits is detected, even if other processes continue
 * before the process that made them checks. A standby that lacks nothing is not mistaken for one.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import { createLog } from '../../../src/core/log.ts';
import { LastAccepted } from '../../../src/operate/restore-lock/last-accepted.ts';
import { checkRewind, RewindDetector } from '../../../src/operate/restore-lock/rewind-detector.ts';
import { findRestoreLock } from '../../../src/purchases/engine/restore-lock-store.ts';
import { accept, openBuyer, purchase } from '../../purchases/fixture.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { folderOf } from '../../support/release-fixture.ts';

const database = await openFileDatabase();

type Watched = { readonly watch: RewindDetector; readonly accepted: LastAccepted; readonly folder: string };

async function newProcess(): Promise<Watched> {
  const folder = await folderOf({});
  const accepted = new LastAccepted();
  return { watch: new RewindDetector(database, folder, createLog('silent'), accepted), accepted, folder };
}

async function beat({ watch }: Watched): Promise<void> {
  await watch.look();
}

/** Copies the data of a standby that gets no further commits. Returns its promotion. */
async function standby(): Promise<() => Promise<void>> {
  const kept = await database.query<{ process: string; count: bigint; at: Date }>(
    'select process, count, at from database_beats',
  );
  return async () => {
    await database.query('delete from database_beats');
    for (const { process, count, at } of kept) {
      await database.query('insert into database_beats (process, count, at) values ($1, $2, $3)', [
        process,
        count,
        at,
      ]);
    }
  };
}

async function isUp(): Promise<boolean> {
  return (await findRestoreLock(database)) !== undefined;
}

beforeEach(async () => {
  await database.query('delete from restore_locks');
  await database.query('delete from database_life');
  await database.query('delete from database_beats');
  await checkRewind(database, await folderOf({}));
});

describe('a failover to a standby without a heartbeat', () => {
  it('sets the restore lock once', async () => {
    const one = await newProcess();
    await beat(one);
    const promote = await standby();
    await beat(one);
    await promote();
    await beat(one);
    assert.equal((await findRestoreLock(database))?.cause, 'went_back');
    await database.query('update restore_locks set lifted_at = now()');
    await beat(one);
    await beat(one);
    assert.equal(await isUp(), false);
  });

  it('sets the lock although other processes continued meanwhile', async () => {
    const [one, two] = [await newProcess(), await newProcess()];
    await beat(two);
    const promote = await standby();
    const [kept] = await database.query<{ at: Date }>('select max(at) as at from database_beats');
    await beat(one);
    await promote();
    for (let count = 0; count < 5; count += 1) await beat(two);
    assert.equal(await isUp(), false);
    await beat(one);
    const restoreLock = await findRestoreLock(database);
    assert.equal(restoreLock?.cause, 'went_back');
    assert.ok(kept && restoreLock.lost_from <= kept.at, 'from the last beat on that was kept');
  });

  it('sets the lock at start from the records of the data folder', async () => {
    const one = await newProcess();
    const promote = await standby();
    await beat(one);
    await promote();
    const other = await newProcess();
    for (let count = 0; count < 5; count += 1) await beat(other);
    await checkRewind(database, one.folder);
    assert.equal(await isUp(), true);
    await database.query('update restore_locks set lifted_at = now()');
    await checkRewind(database, one.folder);
    assert.equal(await isUp(), false, 'once for the same');
  });

  it('does not lock again for a process that slept during the reconciliation', async () => {
    const [one, sleeper] = [await newProcess(), await newProcess()];
    const promote = await standby();
    await beat(sleeper);
    await beat(one);
    await promote();
    await beat(one);
    assert.equal(await isUp(), true);
    await database.query('update restore_locks set lifted_at = now()');
    for (let count = 0; count < 5; count += 1) await beat(one);
    await beat(sleeper);
    assert.equal(await isUp(), false);
  });
});

describe('a failover to a complete standby', () => {
  it('does not set the lock while other processes continue', async () => {
    const [one, two] = [await newProcess(), await newProcess()];
    await beat(one);
    for (let count = 0; count < 5; count += 1) await beat(two);
    const promote = await standby();
    await promote();
    await Promise.all([beat(one), beat(two)]);
    for (const { folder } of [one, two]) await checkRewind(database, folder);
    assert.equal(await isUp(), false);
  });
});

describe('a purchase after the last heartbeat', () => {
  it('sets the lock once if the purchase is missing', async () => {
    const one = await newProcess();
    await beat(one);
    one.accepted.note({ merchantId: 1, purchaseId: randomUUID() });
    await beat(one);
    assert.equal((await findRestoreLock(database))?.cause, 'went_back');
    await database.query('update restore_locks set lifted_at = now()');
    await beat(one);
    assert.equal(await isUp(), false);
  });

  it('does not set the lock if the purchase exists', async () => {
    const one = await newProcess();
    const buyer = await openBuyer(database, 10_000n);
    for (let count = 0; count < 20; count += 1) {
      const item = purchase(buyer, 100n);
      await accept(database, item);
      one.accepted.note({ merchantId: item.merchantId, purchaseId: item.id });
    }
    await beat(one);
    assert.equal(await isUp(), false);
  });
});
