/**
 * The history of a new demo is complete and made once, even if its gateway is killed meanwhile. It
 * is not made if it is not wanted.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lastPurchase } from '../../demo/purchases.ts';
import { assertAudited } from '../e2e/gateway-under-test.ts';
import { createTestDatabase } from '../support/database.ts';
import { ownSimulator, runGateway, startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

await using stack = new AsyncDisposableStack();
const { database, connectionString } = stack.use(await createTestDatabase());
const dataDir = await mkdtemp(join(tmpdir(), 'oja-history-'));
stack.defer(() => rm(dataDir, { recursive: true, force: true }));
const simulatorUrl = await ownSimulator(stack);
const owned = stack.move();
after(() => owned.disposeAsync());

const settings = {
  DATABASE_URL: connectionString,
  OJA_DATA_DIR: dataDir,
  OJA_SIMULATOR_URL: simulatorUrl,
};
const start = (history: 'small' | 'none') =>
  startGateway({
    databaseUrl: connectionString,
    dataDir,
    simulatorUrl,
    settings: { OJA_DEMO_HISTORY: history },
  });

async function count(what: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`select count(*)::integer as count from ${what}`);
  return row?.count ?? 0;
}

const isComplete = `purchases where reference = '${lastPurchase.body.request_ref}'`;

test('makes no history if disabled', async () => {
  await using gateway = await start('none');
  assert.equal((await gateway.call('GET', '/v1/transactions')).body.result.items.length, 0);
  assert.equal(await count('purchases'), 0);
});

test('completes a history after a kill, and buys nothing twice', async () => {
  await using killed = runGateway({ ...settings, OJA_DEMO_HISTORY: 'small' });
  await killed.ready;
  await until('a part of the history', async () => (await count('purchases')) > 20);
  killed.kill('SIGKILL');
  await killed.exited;
  assert.equal(await count(isComplete), 0);
  await using gateway = await start('small');
  await until('the history', async () => (await count(isComplete)) === 1);
  await until('the deposits', async () => (await count('deposits')) === 2);
  for (const [what, least] of [
    ["purchases where environment = 'live'", 100],
    ["purchase_outcomes where environment = 'live' and status = 'failed'", 3],
    ["pending_purchases where environment = 'test'", 1],
    ['purchase_refunds', 1],
  ] as const) {
    await until(what, async () => (await count(what)) >= least);
  }
  const products = await database.query("select distinct product from purchases where environment = 'live'");
  assert.equal(products.length, 8);
  const twice = await database.query(
    'select reference from purchases group by environment, reference having count(*) > 1',
  );
  assert.deepEqual(twice, []);
  assert.equal(await count('purchase_refunds'), 1);
  await assertAudited(gateway.database);
});

test('adds nothing at a later start', async () => {
  const before = await Promise.all([count('purchases'), count('deposits'), count('purchase_refunds')]);
  await using gateway = await start('small');
  await gateway.call('GET', '/v1/wallet/balance', { as: 'live' });
  assert.deepEqual(
    await Promise.all([count('purchases'), count('deposits'), count('purchase_refunds')]),
    before,
  );
});
