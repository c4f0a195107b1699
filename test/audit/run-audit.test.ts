/** Audits that run while purchases are made, and their stored results. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { runAudit } from '../../src/audit/operations/run-audit.ts';
import type { Database } from '../../src/db/database.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { answer, buy, openShop, type Shop } from './fixture.ts';
import { failedOf } from './spoilt.ts';

let clone: TestDatabase;
let database: Database;
let shop: Shop;

beforeEach(async () => {
  clone = await createTestDatabase();
  database = clone.database;
  shop = await openShop(database);
});
afterEach(() => clone[Symbol.asyncDispose]());

/** The checks that fail. */
async function audit(on: Database = database): Promise<string[]> {
  return [...failedOf(await runAudit(on)).keys()];
}

type Run = { readonly failed: string[]; readonly hasEnd: boolean };

async function listRuns(): Promise<Run[]> {
  return await database.query<Run>(
    'select failed, audit_log is not null as "hasEnd" from audit_runs order by id',
  );
}

test('finds no difference while purchases run', async () => {
  let buying = true;
  const buyers = Promise.all(
    [1, 2, 3].map(async (buyer) => {
      for (let count = 0; buying; count += 1) {
        const id = await buy(database, shop, `${buyer}-${count}`, { charge: 1n });
        await answer(database, shop, id, 'failed', {
          kind: 'fail',
          reason: 'refused',
          telcoMessage: undefined,
        });
      }
    }),
  );
  try {
    for (let round = 0; round < 5; round += 1) assert.deepEqual(await audit(), []);
  } finally {
    buying = false;
    await buyers;
  }
  assert.deepEqual(await audit(), []);
});

test('detects a lost pending purchase by the count', async () => {
  const lost = await buy(database, shop, 'lost');
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`
      delete from pending_purchases where purchase_id = '${lost}';
      update wallet_states set held = 0`);
  });
  assert.ok((await audit()).includes('pending-count'));
});

test('stores each audit, and the newest clean one keeps the end of the audit log', async () => {
  assert.deepEqual(await audit(), []);
  assert.deepEqual(await audit(), []);
  await changeWallet(database, shop.walletId, { posted: 5n });
  assert.deepEqual(await audit(), ['wallet-posted', 'books-balance']);
  assert.deepEqual(await listRuns(), [
    { failed: [], hasEnd: false },
    { failed: [], hasEnd: true },
    { failed: ['wallet-posted', 'books-balance'], hasEnd: false },
  ]);
});

test('stores nothing for an interrupted audit', async () => {
  assert.deepEqual(await audit(), []);
  const before = await listRuns();
  for (const transactions of [1, 4, 8]) {
    let left = transactions;
    const breaking: Database = Object.create(database, {
      query: { value: database.query.bind(database) },
      transaction: {
        value: (...given: Parameters<Database['transaction']>) => {
          left -= 1;
          return left === 0 ? Promise.reject(new Error('killed')) : database.transaction(...given);
        },
      },
    });
    await assert.rejects(runAudit(breaking), /killed/);
  }
  assert.deepEqual(await listRuns(), before);
});
