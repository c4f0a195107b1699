/** Transfers are posted once, and a wallet is never below its floor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/db/database.ts';
import { constraintName } from '../../../src/db/database-errors.ts';
import { ensureAccount } from '../../../src/wallet/ledger/account-store.ts';
import {
  correctionsAccount,
  floatAccount,
  normalBalance,
  purchaseDelivered,
  revenueAccount,
  walletCorrected,
} from '../../../src/wallet/ledger/chart-of-accounts.ts';
import { createHouseAccounts } from '../../../src/wallet/ledger/house-accounts.ts';
import { postTransfers } from '../../../src/wallet/ledger/post-transfers.ts';
import { rollUpHouseBalances } from '../../../src/wallet/ledger/roll-up.ts';
import { createMerchant } from '../../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../../support/database.ts';
import { houseBalances } from '../../support/house-balances.ts';

test('creates an account once under concurrent requests', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const account = floatAccount('vtpass', 'live', 'NGN');
  const ids = await Promise.all(Array.from({ length: 8 }, () => ensureAccount(database, account)));
  assert.equal(new Set(ids).size, 1);
  const rows = await database.query('select kind, environment, currency, merchant_id from accounts');
  assert.deepEqual(rows, [{ kind: 'float', environment: 'live', currency: 'NGN', merchant_id: null }]);
  const other = await ensureAccount(database, floatAccount('vtpass', 'test', 'NGN'));
  assert.notEqual(other, ids[0]);
});

test('queries the id of a house account once, and again after a failure', async () => {
  await using clone = await createTestDatabase();
  let questions = 0;
  let broken = true;
  const accounts = createHouseAccounts({
    query: (statement, values) => {
      questions += 1;
      return broken ? Promise.reject(new Error('down')) : clone.database.query(statement, values);
    },
  });
  const account = revenueAccount('live', 'NGN');
  await assert.rejects(accounts.houseAccountId(account), /down/);
  broken = false;
  const id = await accounts.houseAccountId(account);
  const asked = questions;
  assert.equal(await accounts.houseAccountId(account), id);
  assert.equal(questions, asked);
});

test('transfers move the wallet at once and leave the rest for the roll-up', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const { wallet, corrections, float, revenue } = await openBooks(database);
  await post(
    database,
    walletCorrected({ walletAccount: wallet, correctionsAccount: corrections, amount: 10_000n }),
  );
  await post(
    database,
    purchaseDelivered({
      walletAccount: wallet,
      floatAccount: float,
      revenueAccount: revenue,
      charge: 3_000n,
      cost: 2_900n,
    }),
  );
  assert.equal(await posted(database, wallet), 7_000n);
  const before = await houseBalances(database);
  assert.deepEqual(before, {
    'corrections:live:NGN': -10_000n,
    'float:vtpass:live:NGN': 2_900n,
    'revenue:live:NGN': 100n,
  });
  assert.deepEqual(await rollUpHouseBalances(database, 2), { consumed: 2, more: true });
  assert.deepEqual(await houseBalances(database), before);
  assert.deepEqual(await rollUpHouseBalances(database, 2), { consumed: 1, more: false });
  assert.deepEqual(await rollUpHouseBalances(database), { consumed: 0, more: false });
  assert.deepEqual(await houseBalances(database), before);
  assert.deepEqual(await database.query('select 1 from house_deltas'), []);
  assert.equal(normalBalance('corrections', before['corrections:live:NGN'] ?? 0n), 10_000n);
});

test('a leg that is posted twice undoes the whole second posting', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const { wallet, corrections } = await openBooks(database);
  const transfers = walletCorrected({ walletAccount: wallet, correctionsAccount: corrections, amount: 500n });
  const subjectId = newId();
  await post(database, transfers, subjectId);
  await assert.rejects(post(database, transfers, subjectId), (error) =>
    /^transfers(_\d+)?_pkey$/.test(constraintName(error) ?? ''),
  );
  assert.equal(await posted(database, wallet), 500n);
  assert.deepEqual(await houseBalances(database), { 'corrections:live:NGN': -500n });
});

test('undoes a posting that takes a wallet below its floor, and accepts one that reaches it', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const { wallet, corrections } = await openBooks(database);
  const correct = (amount: bigint) =>
    post(database, walletCorrected({ walletAccount: wallet, correctionsAccount: corrections, amount }));
  await correct(500n);
  await assert.rejects(correct(-501n), (error) => constraintName(error) === 'wallets_above_floor');
  assert.equal(await posted(database, wallet), 500n);
  await correct(-500n);
  assert.equal(await posted(database, wallet), 0n);
});

test('an empty posting and an empty transfer throw', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const { wallet, corrections } = await openBooks(database);
  await assert.rejects(post(database, []), /invariant/);
  await assert.rejects(
    post(database, [{ code: 'correction', debit: wallet, credit: corrections, amount: 0n }]),
    /invariant/,
  );
});

test('concurrent roll-ups and postings lose and double nothing', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const { wallet, corrections, float, revenue } = await openBooks(database);
  await post(
    database,
    walletCorrected({ walletAccount: wallet, correctionsAccount: corrections, amount: 100_000n }),
  );
  const purchases = {
    walletAccount: wallet,
    floatAccount: float,
    revenueAccount: revenue,
    charge: 10n,
    cost: 9n,
  };
  const poster = async () => {
    for (let count = 0; count < 25; count += 1) await post(database, purchaseDelivered(purchases));
  };
  const roller = async () => {
    for (let count = 0; count < 40; count += 1) await rollUpHouseBalances(database, 3);
  };
  await Promise.all([poster(), poster(), poster(), roller(), roller(), roller()]);
  await rollUpHouseBalances(database);
  assert.equal(await posted(database, wallet), 100_000n - 750n);
  assert.deepEqual(await houseBalances(database), {
    'corrections:live:NGN': -100_000n,
    'float:vtpass:live:NGN': 675n,
    'revenue:live:NGN': 75n,
  });
});

async function openBooks(database: Database) {
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code: 'SHOP', name: 'A shop' }, 'test'),
  );
  const [row] = await database.query<{ account_id: bigint }>(
    `select account_id
     from wallets
     where merchant_id = $1
     and environment = 'live'`,
    [merchant.id],
  );
  assert.ok(row);
  return {
    wallet: row.account_id,
    corrections: await ensureAccount(database, correctionsAccount('live', 'NGN')),
    float: await ensureAccount(database, floatAccount('vtpass', 'live', 'NGN')),
    revenue: await ensureAccount(database, revenueAccount('live', 'NGN')),
  };
}

async function post(
  database: Database,
  transfers: Parameters<typeof postTransfers>[1]['transfers'],
  subjectId = newId(),
): Promise<void> {
  await database.transaction((tx) => postTransfers(tx, { merchantId: 1, subjectId, transfers }));
}

async function posted(database: Database, accountId: bigint): Promise<bigint | undefined> {
  const [row] = await database.query<{ posted: bigint }>('select posted from wallets where account_id = $1', [
    accountId,
  ]);
  return row?.posted;
}
