/** Cells that were rewound: the lock of the installation is set, once. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Queries } from '../../../src/db/database.ts';
import { CellRewinds } from '../../../src/operate/restore-lock/cell-rewinds.ts';
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
