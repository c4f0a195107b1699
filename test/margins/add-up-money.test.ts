/**
 * What sales and deposits leave is added up once, whatever dies and whoever commits late; and sales
 * at a loss are told in one alarm.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setGuard } from '../../src/catalog/operations/set-guard.ts';
import { newId } from '../../src/kernel/ids.ts';
import { listKnownCosts } from '../../src/margins/price-list-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { openBuyer } from '../vending/fixture.ts';
import { addUp, lossAlarms, sell, totals } from './money.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

test('totals are of successes, in both environments, and no sale is added twice', async () => {
  const tester = await openBuyer(database, 1_000_00n, 'test');
  await sell(
    database,
    database,
    buyer,
    { charge: 98_00n, cost: 97_00n, fields: { faceValue: 100_00n } },
    { charge: 100_00n, cost: 100_00n, estimated: true },
  );
  await sell(database, database, tester, { charge: 10_00n, cost: 10_00n });
  assert.equal(await addUp(database), 3);
  assert.equal(await addUp(database), 0);
  const expected = [
    'airtime charge 2 19800',
    'airtime cost 2 19700',
    'airtime estimated_cost 1 10000',
    'airtime face_value 2 20000',
  ];
  assert.deepEqual(await totals(database), expected);
  assert.equal((await totals(database, 'test')).length, 3);
  // What was expected is not known.
  assert.deepEqual(
    (await listKnownCosts(database, 'live')).map(({ amount, cost }) => [amount, cost]),
    [[100_00n, 97_00n]],
  );
});

test('sales that are alike count as often as they were made', async () => {
  const clone = await createTestDatabase();
  after(() => clone[Symbol.asyncDispose]());
  const own = clone.database;
  const shop = await openBuyer(own, 1_000_000_00n);
  const ordinary = { charge: 98_00n, cost: 97_00n, fields: { faceValue: 100_00n } };
  const atLoss = { charge: 98_00n, cost: 99_00n, fields: { faceValue: 100_00n } };
  const unsaid = { charge: 98_00n, cost: 97_00n, estimated: true, fields: { faceValue: 100_00n } };
  await sell(own, own, shop, ordinary, atLoss, ordinary, unsaid, ordinary, atLoss, unsaid);
  assert.equal(await addUp(own), 7);
  assert.deepEqual(await totals(own), [
    'airtime charge 7 68600',
    'airtime cost 7 68300',
    'airtime estimated_cost 2 19400',
    'airtime face_value 7 70000',
    'airtime loss 2 200',
  ]);
});

test('a sale is added once though it is committed after younger ones, and its round', async () => {
  const [charge] = await totals(database);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let stored = (): void => undefined;
  const isStored = new Promise<void>((resolve) => {
    stored = resolve;
  });
  const late = database.transaction(async (tx) => {
    // Another wallet: a batch of the same one would wait for its lock.
    const slow = await lateBuyer;
    await sell(database, tx, slow, { charge: 1_00n, cost: 1_00n });
    stored();
    await held;
  });
  await isStored;
  await sell(database, database, buyer, { charge: 2_00n, cost: 2_00n });
  assert.equal(await addUp(database), 1);
  await sell(database, database, buyer, { charge: 4_00n, cost: 4_00n });
  assert.equal(await addUp(database), 1);
  release();
  await late;
  assert.equal(await addUp(database), 1);
  assert.equal(await addUp(database), 0);
  assert.deepEqual(
    [charge, (await totals(database))[0]],
    ['airtime charge 2 19800', 'airtime charge 5 20500'],
  );
});
const lateBuyer = openBuyer(database, 1_000_00n);

test('of two that add up at the same time, and one that dies between two slices, each is added once', async () => {
  const before = Number((await totals(database))[0]?.split(' ')[2]);
  await sell(database, database, buyer, { charge: 1_00n, cost: 1_00n }, { charge: 1_00n, cost: 1_00n });
  // A long way back: slices of half a minute, more than one run does.
  await database.query(`
    update money_marks
    set from_at = now() - interval '1 hour'
    where source = 'sales'`);
  let slices = 0;
  const dying: Pick<typeof database, 'transaction'> = {
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        slices += 1;
        // As a process that is killed before its commit.
        if (slices === 3) throw new Error('killed');
        return result;
      }, options),
  };
  await assert.rejects(addUp(dying), /killed/);
  assert.equal(slices, 3);
  let added = 0;
  for (let run = 0; run < 50 && added < 2; run += 1) {
    const both = await Promise.all([addUp(database), addUp(database)]);
    added += both[0] + both[1];
  }
  assert.equal(added, 2);
  assert.equal(await addUp(database), 0);
  assert.equal(Number((await totals(database))[0]?.split(' ')[2]), before + 2);
});

test('a thousand sales at a loss are one alarm with their number and sum, which goes on after it was seen', async () => {
  const shop = await openBuyer(database, 1_000_000_00n);
  const losing = { charge: 95_00n, cost: 97_50n, fields: { faceValue: 100_00n } };
  const [first] = await sell(database, database, shop, losing);
  await addUp(database);
  const [alarm, ...others] = await lossAlarms(database, shop.merchantId);
  assert.deepEqual(others, []);
  assert.equal(alarm?.vend_id, first);
  assert.match(
    alarm?.message ?? '',
    /\bMTN\b.*\bsandbox\b.*\b1\b.*\b2\.50 NGN\b.*\b95\.00\b.*\b97\.50\b.*\b[-0-9a-f]{36}\b.*\.\/oja guard set live airtime stop --network "MTN"/,
  );
  for (let batch = 0; batch < 4; batch += 1) {
    await sell(database, database, shop, ...Array.from({ length: 250 }, () => losing));
    await addUp(database);
  }
  const again = await lossAlarms(database, shop.merchantId);
  assert.equal(again.length, 1);
  assert.match(again[0]?.message ?? '', /\b1001\b.*\b2502\.50 NGN\b/);
  await database.query('update alarms set acknowledged_at = now() where id = $1', [alarm?.id]);
  await addUp(database);
  assert.equal((await lossAlarms(database, shop.merchantId)).length, 1);
  await sell(database, database, shop, losing, losing);
  await addUp(database);
  const two = await lossAlarms(database, shop.merchantId);
  assert.equal(two.length, 2);
  assert.match(two[1]?.message ?? '', /\b2\b.*\b5\.00 NGN\b/);
});

test('no alarm is raised for test money, an expected cost, a gain, or where the guard is off', async () => {
  const losing = { charge: 95_00n, cost: 97_50n };
  const shop = await openBuyer(database, 1_000_00n);
  const tester = await openBuyer(database, 1_000_00n, 'test');
  await sell(database, database, tester, losing);
  await sell(database, database, shop, { ...losing, estimated: true }, { charge: 97_50n, cost: 97_50n });
  const glo = { environment: 'live', product: 'airtime', network: 'GLO' } as const;
  const off = { ...glo, mode: 'off', forgetsCosts: false } as const;
  await database.transaction((tx) => setGuard(tx, off, 'test'));
  await sell(database, database, shop, { ...losing, fields: { network: 'GLO' } });
  await addUp(database);
  assert.deepEqual(
    [await lossAlarms(database, shop.merchantId), await lossAlarms(database, tester.merchantId)],
    [[], []],
  );
  const on = { ...off, mode: 'alarm' } as const;
  await database.transaction((tx) => setGuard(tx, on, 'test'));
  await sell(database, database, shop, { ...losing, fields: { network: 'GLO' } });
  await addUp(database);
  assert.equal((await lossAlarms(database, shop.merchantId)).length, 1);
});

test('deposits are added up by bank and currency', async () => {
  const deposit = async (gross: bigint): Promise<void> => {
    await database.query(
      `insert into deposits (id, provider, provider_reference, environment, currency, paid_to, gross, fee, paid_at)
       values ($1, 'bank', $3, 'live', 'NGN', '0123456789', $2, 0, now())`,
      [newId(), gross, newId()],
    );
  };
  await deposit(5_000_00n);
  await deposit(250_00n);
  await addUp(database);
  await deposit(1_00n);
  await addUp(database);
  assert.deepEqual(
    (await totals(database)).filter((line) => line.startsWith('deposit')),
    ['deposit 3 525100'],
  );
});

test('rows are found after the clock of the database was set back', async () => {
  // As if the last round had been an hour from now.
  await database.query(`
    update money_marks
    set from_at = now() + interval '1 hour'
    where source = 'sales'`);
  await sell(database, database, buyer, { charge: 1_00n, cost: 1_00n });
  assert.equal(await addUp(database), 1);
  assert.equal(await addUp(database), 0);
});

test('what was given back is added up by product and provider', async () => {
  const shop = await openBuyer(database, 1_000_00n);
  const [vend] = await sell(database, database, shop, { charge: 50_00n, cost: 49_00n });
  for (const [kind, amount] of [
    ['merchant', 20_00n],
    ['merchant', 5_00n],
    ['provider', 19_00n],
  ] as const) {
    await database.query(
      `insert into vend_refunds (merchant_id, refund_id, environment, vend_id, kind, amount, reason, refunded_by, refunded_principal)
       values ($1, $2, 'live', $3, $4, $5, 'test', 'test', 'test')`,
      [shop.merchantId, newId(), vend, kind, amount],
    );
  }
  await addUp(database);
  assert.equal(await addUp(database), 0);
  assert.deepEqual(
    (await totals(database)).filter((line) => line.includes('refund')),
    ['airtime cost_refund 1 1900', 'airtime refund 2 2500'],
  );
});
