/**
 * Credit lines: how far a wallet may be spent, and no further, however many buy at once. And
 * wallets in further currencies.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Currency } from '../../src/core/money.ts';
import { openWallet } from '../../src/wallet/operations/open-wallet.ts';
import { setFloor } from '../../src/wallet/operations/set-floor.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import {
  accept,
  acceptKinds,
  answer,
  type Buyer,
  moneyOf,
  openBuyer,
  purchase,
  resolveWords,
} from '../purchases/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { refusedAct } from '../support/refusals.ts';

const database = await openFileDatabase();

async function codeOf({ merchantId }: Buyer): Promise<string> {
  const [row] = await database.query<{ code: string }>('select code from merchants where id = $1', [
    merchantId,
  ]);
  return row?.code ?? '';
}

async function floorAt(buyer: Buyer, floor: bigint, currency: Currency = 'NGN') {
  const change = { merchantCode: await codeOf(buyer), environment: buyer.environment, currency, floor };
  return await database.transaction((tx) => setFloor(tx, change, 'ada'));
}

test('a floor holds for the next purchase, to the kobo, and is recorded', async () => {
  const buyer = await openBuyer(database, 100n);
  assert.deepEqual(await acceptKinds(database, purchase(buyer, 101n)), ['insufficient']);
  const { before, after: now } = await floorAt(buyer, -50n);
  assert.deepEqual([before.floor, now.floor], [0n, -50n]);
  assert.deepEqual(await acceptKinds(database, purchase(buyer, 151n)), ['insufficient']);
  assert.deepEqual(await acceptKinds(database, purchase(buyer, 150n)), ['accepted']);
  assert.deepEqual(await acceptKinds(database, purchase(buyer, 1n)), ['insufficient']);
  assert.deepEqual(
    await database.query(
      `select actor, before, after from audit_log where action = 'wallet.set_floor' and subject = $1`,
      [`merchant:${await codeOf(buyer)}`],
    ),
    [
      {
        actor: 'ada',
        before: { environment: 'live', currency: 'NGN', floor: '0.00' },
        after: { environment: 'live', currency: 'NGN', floor: '-0.50' },
      },
    ],
  );
});

test('a floor above the balance of the wallet is refused and changes nothing; at it, it is accepted', async () => {
  const buyer = await openBuyer(database, 100n);
  await accept(database, purchase(buyer, 30n));
  await assert.rejects(
    floorAt(buyer, 71n),
    refusedAct('floor_above_balance', { floor: 71n, posted: 100n, held: 30n }),
  );
  assert.equal((await floorAt(buyer, 70n)).after.floor, 70n);
  assert.deepEqual(await acceptKinds(database, purchase(buyer, 1n)), ['insufficient']);
  await assert.rejects(
    floorAt(buyer, 0n, 'USD'),
    refusedAct('merchant_has_no_wallet', { currency: 'USD', environment: 'live' }),
  );
});

test('a debt can be paid off but not cancelled: the floor cannot rise above it', async () => {
  const buyer = await openBuyer(database, 0n);
  await floorAt(buyer, -100n);
  const item = purchase(buyer, 60n);
  await accept(database, item);
  await resolveWords(database, answer(buyer, item, 'success'));
  assert.deepEqual(await moneyOf(database, buyer), { posted: -60n, held: 0n });
  await assert.rejects(floorAt(buyer, 0n), refusedAct('floor_above_balance', { posted: -60n, held: 0n }));
  assert.equal((await floorAt(buyer, -60n)).after.floor, -60n);
});

test('concurrent purchases reach the floor and do not exceed it', async () => {
  const buyer = await openBuyer(database, 1_000n);
  await floorAt(buyer, -1_000n);
  const lanes = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const items = Array.from({ length: 5 }, () => purchase(buyer, 30n));
      const verdicts = await accept(database, ...items);
      const bought = items.filter((_, index) => verdicts[index]?.kind === 'accepted');
      if (bought.length > 0) {
        await resolveWords(database, ...bought.map((item) => answer(buyer, item, 'success')));
      }
      return bought.length;
    }),
  );
  // 66 times 30 is 1,980 of the 2,000 that there are.
  assert.equal(
    lanes.reduce((sum, count) => sum + count, 0),
    66,
  );
  assert.deepEqual(await moneyOf(database, buyer), { posted: -980n, held: 0n });
});

test('concurrent purchases never exceed a floor that moves', async () => {
  const buyer = await openBuyer(database, 1_000n);
  const buying = Array.from({ length: 30 }, () => acceptKinds(database, purchase(buyer, 60n)));
  const moving = [-500n, 400n, -100n, 0n].map((floor) =>
    floorAt(buyer, floor).catch((error: unknown) => assert.ok(refusedAct('floor_above_balance')(error))),
  );
  await Promise.all([...buying, ...moving]);
  const under = await database.query(
    'select 1 from wallets where account_id = $1 and posted - held < floor',
    [buyer.walletId],
  );
  assert.deepEqual(under, []);
});

test('opens a wallet in another currency once, also by two calls at once', async () => {
  const buyer = await openBuyer(database, 0n);
  const wallet = { merchantCode: await codeOf(buyer), environment: 'live', currency: 'USD' } as const;
  const open = () => database.transaction((tx) => openWallet(tx, wallet, 'ada'));
  const results = await Promise.all([open(), open(), open()]);
  assert.deepEqual(results.map((result) => result.changed).toSorted(), [false, false, true]);
  assert.deepEqual(
    (await listWallets(database, buyer.merchantId)).map(({ environment, currency, posted }) => [
      environment,
      currency,
      posted,
    ]),
    [
      ['live', 'NGN', 0n],
      ['live', 'USD', 0n],
      ['test', 'NGN', 0n],
    ],
  );
  await assert.rejects(
    database.transaction((tx) => openWallet(tx, { ...wallet, merchantCode: 'NOBODY' }, 'ada')),
    refusedAct('no_merchant', { merchant: 'NOBODY' }),
  );
});
