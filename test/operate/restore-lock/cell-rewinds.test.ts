/** Cells that were rewound: the lock of the installation is set, once. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Queries } from '../../../src/db/database.ts';
import { CellRewinds } from '../../../src/operate/restore-lock/cell-rewinds.ts';
import { LastAccepted } from '../../../src/operate/restore-lock/last-accepted.ts';
import { RewindDetector } from '../../../src/operate/restore-lock/rewind-detector.ts';
import { findRestoreLock } from '../../../src/purchases/engine/restore-lock-store.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

it('sets the lock when a cell lacks a purchase that was stored there, and not while it is away', async () => {
  const away: Queries = {
    query: () => Promise.reject(new Error('it does not answer')),
    transaction: () => Promise.reject(new Error('it does not answer')),
  };
  const rewinds = new CellRewinds(database, [away, database], createLog('silent'));
  await rewinds.look();
  rewinds.accepted[0]?.note({ merchantId: 1, purchaseId: newId() });
  await rewinds.look();
  assert.equal(await findRestoreLock(database), undefined);
  rewinds.accepted[1]?.note({ merchantId: 1, purchaseId: newId() });
  await rewinds.look();
  const lock = await findRestoreLock(database);
  assert.equal(lock?.cause, 'went_back');
  await rewinds.look();
  const alarms = await database.query("select from alarms where kind = 'restore_lock'");
  assert.equal(alarms.length, 1);
});

it('remembers what an earlier process stored, and ignores what is locked already', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-seen-'));
  try {
    const openRewinds = async (): Promise<CellRewinds> => {
      const rewinds = new CellRewinds(database, [database], createLog('silent'));
      await rewinds.recall(dataDir);
      return rewinds;
    };
    const process = await openRewinds();
    const detector = new RewindDetector(
      database,
      dataDir,
      createLog('silent'),
      new LastAccepted(),
      process.accepted,
    );
    await detector.look();
    const [lost, another] = [newId(), newId()].map((purchaseId) => ({ merchantId: 1, purchaseId }));
    assert.ok(lost !== undefined && another !== undefined);
    process.accepted[0]?.note(lost);
    await detector.look();

    const next = await openRewinds();
    assert.deepEqual(next.accepted[0]?.list(), [lost]);
    const countLocks = async (): Promise<number> =>
      (await database.query('select from restore_locks')).length;
    const before = await countLocks();
    await next.look();
    assert.equal(await countLocks(), before + 1);
    assert.deepEqual(next.accepted[0]?.list(), []);
    // Recorded by a process that has not noticed the lock.
    process.accepted[0]?.forget([lost]);
    process.accepted[0]?.note(another);
    await detector.look();
    const third = await openRewinds();
    assert.deepEqual(third.accepted[0]?.list(), [another]);
    await third.look();
    assert.equal(await countLocks(), before + 1);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
