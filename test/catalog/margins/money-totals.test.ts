/** Totals of sales, and the alarm of sales at a loss. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listKnownCosts } from '../../../src/catalog/margins/live-prices-store.ts';
import { setGuard } from '../../../src/catalog/operations/guards.ts';
import { openBuyer } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { lossAlarms, rollUp, sell, totals } from './money.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

test('totals count successes in both environments, each sale once', async () => {
  const tester = await openBuyer(database, 1_000_00n, 'test');
  await sell(
    database,
    database,
    buyer,
    { charge: 98_00n, cost: 97_00n, fields: { faceValue: 100_00n } },
    { charge: 100_00n, cost: 100_00n, estimated: true },
  );
  await sell(database, database, tester, { charge: 10_00n, cost: 10_00n });
  await rollUp(database);
  await rollUp(database);
  const expected = ['airtime charge 19800', 'airtime cost 19700'];
  assert.deepEqual(await totals(database), expected);
  assert.equal((await totals(database, 'test')).length, 2);
  // The expected cost is unknown.
  assert.deepEqual(
    (await listKnownCosts(database, 'live')).map(({ amount, cost }) => [amount, cost]),
    [[100_00n, 97_00n]],
  );
});

test('counts equal sales as often as they were made', async () => {
  const clone = await createTestDatabase();
  after(() => clone[Symbol.asyncDispose]());
  const own = clone.database;
  const shop = await openBuyer(own, 1_000_000_00n);
  const ordinary = { charge: 98_00n, cost: 97_00n, fields: { faceValue: 100_00n } };
  const atLoss = { charge: 98_00n, cost: 99_00n, fields: { faceValue: 100_00n } };
  const unsaid = { charge: 98_00n, cost: 97_00n, estimated: true, fields: { faceValue: 100_00n } };
  await sell(own, own, shop, ordinary, atLoss, ordinary, unsaid, ordinary, atLoss, unsaid);
  await rollUp(own);
  assert.deepEqual(await totals(own), ['airtime charge 68600', 'airtime cost 68300', 'airtime loss 200']);
});

test('raises one alarm with count and sum for a thousand sales at a loss, also after it was seen', async () => {
  const shop = await openBuyer(database, 1_000_000_00n);
  const losing = { charge: 95_00n, cost: 97_50n, fields: { faceValue: 100_00n } };
  const [first] = await sell(database, database, shop, losing);
  await rollUp(database);
  const [alarm, ...others] = await lossAlarms(database, shop.merchantId);
  assert.deepEqual(others, []);
  assert.equal(alarm?.purchase_id, first);
  assert.match(
    alarm?.message ?? '',
    /\bMTN\b.*\bsandbox\b.*\b1\b.*\b2\.50 NGN\b.*\b95\.00\b.*\b97\.50\b.*\b[-0-9a-f]{36}\b/,
  );
  for (let batch = 0; batch < 4; batch += 1) {
    await sell(database, database, shop, ...Array.from({ length: 250 }, () => losing));
    await rollUp(database);
  }
  const again = await lossAlarms(database, shop.merchantId);
  assert.equal(again.length, 1);
  assert.match(again[0]?.message ?? '', /\b1001\b.*\b2502\.50 NGN\b/);
  await database.query('update alarms set acknowledged_at = now() where id = $1', [alarm?.id]);
  await rollUp(database);
  assert.equal((await lossAlarms(database, shop.merchantId)).length, 1);
  await sell(database, database, shop, losing, losing);
  await rollUp(database);
  const two = await lossAlarms(database, shop.merchantId);
  assert.equal(two.length, 2);
  assert.match(two[1]?.message ?? '', /\b2\b.*\b5\.00 NGN\b/);
});

test('raises no alarm for test money, an expected cost, a gain, or a disabled guard', async () => {
  const losing = { charge: 95_00n, cost: 97_50n };
  const shop = await openBuyer(database, 1_000_00n);
  const tester = await openBuyer(database, 1_000_00n, 'test');
  await sell(database, database, tester, losing);
  await sell(database, database, shop, { ...losing, estimated: true }, { charge: 97_50n, cost: 97_50n });
  const glo = { environment: 'live', product: 'airtime', network: 'GLO' } as const;
  const off = { ...glo, mode: 'off', forgetsCosts: false } as const;
  await database.transaction((tx) => setGuard(tx, off, 'test'));
  await sell(database, database, shop, { ...losing, fields: { network: 'GLO' } });
  await rollUp(database);
  assert.deepEqual(
    [await lossAlarms(database, shop.merchantId), await lossAlarms(database, tester.merchantId)],
    [[], []],
  );
  const on = { ...off, mode: 'alarm' } as const;
  await database.transaction((tx) => setGuard(tx, on, 'test'));
  await sell(database, database, shop, { ...losing, fields: { network: 'GLO' } });
  await rollUp(database);
  assert.equal((await lossAlarms(database, shop.merchantId)).length, 1);
});
