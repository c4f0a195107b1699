/** Corrections of wallets by an operator, and balances. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { walletBalance } from '../../src/wallet/balance.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { creditWallet, type WalletCorrection } from '../../src/wallet/operations/credit-wallet.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { createTestDatabase } from '../support/database.ts';
import { houseBalances } from '../support/house-balances.ts';
import { refusedAct } from '../support/refusals.ts';

test('a correction moves the wallet of its environment only, and records who, why, before and after', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const wallets = await openShop(database);
  const result = await correct(database, { amount: 250_050n, memo: '  cash at the counter ' });
  assert.deepEqual(result.before, { posted: 0n, held: 0n, floor: 0n });
  assert.deepEqual(result.after, { posted: 250_050n, held: 0n, floor: 0n });
  assert.deepEqual(await walletBalance(database, wallets.live), result.after);
  assert.deepEqual(await walletBalance(database, wallets.test), result.before);
  assert.deepEqual(await houseBalances(database), { 'corrections:live:NGN': -250_050n });
  assert.deepEqual(
    await database.query('select merchant_id, code, amount, memo, subject_id from transfers'),
    [
      {
        merchant_id: 1,
        code: 'correction',
        amount: 250_050n,
        memo: 'cash at the counter',
        subject_id: result.correctionId,
      },
    ],
  );
  assert.deepEqual(
    await database.query(
      "select actor, subject, before, after from audit_log where action = 'wallet.credit'",
    ),
    [
      {
        actor: 'ada',
        subject: `correction:${result.correctionId}`,
        before: { posted: '0.00' },
        after: {
          merchant: 'SHOP',
          environment: 'live',
          currency: 'NGN',
          amount: '2500.50',
          posted: '2500.50',
          memo: 'cash at the counter',
        },
      },
    ],
  );
});

test('money can be removed down to what is held and the floor, and not a kobo further', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const wallets = await openShop(database);
  await correct(database, { amount: 10_000n });
  await changeWallet(database, wallets.live, { held: 3_000n, floor: 500n });
  await assert.rejects(
    correct(database, { amount: -6_501n }),
    refusedAct('wallet_cannot_give', { amount: 6_501n, posted: 10_000n, held: 3_000n, floor: 500n }),
  );
  assert.equal((await walletBalance(database, wallets.live))?.posted, 10_000n);
  assert.equal((await database.query('select 1 from transfers')).length, 1);
  const { after } = await correct(database, { amount: -6_500n });
  assert.equal(after.posted, 3_500n);
  await correct(database, { amount: 1n });
});

test('a wallet with a credit line can go below zero, down to its floor', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const wallets = await openShop(database);
  await changeWallet(database, wallets.live, { floor: -1_000n });
  await assert.rejects(
    correct(database, { amount: -1_001n }),
    refusedAct('wallet_cannot_give', { posted: 0n, floor: -1_000n }),
  );
  assert.equal((await correct(database, { amount: -1_000n })).after.posted, -1_000n);
});

test('all concurrent corrections count', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const wallets = await openShop(database);
  await correct(database, { amount: 1_000n });
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, () => correct(database, { amount: -100n })),
  );
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 10);
  assert.equal((await walletBalance(database, wallets.live))?.posted, 0n);
});

test('refuses corrections of zero, without a reason or a merchant, or of a missing wallet', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await openShop(database);
  await assert.rejects(correct(database, { amount: 0n }), refusedAct('correction_of_nothing'));
  for (const memo of [' ', 'a\u0000b', 'x'.repeat(201)]) {
    await assert.rejects(correct(database, { memo }), refusedAct('memo_malformed'));
  }
  await assert.rejects(
    correct(database, { merchantCode: 'NOBODY' }),
    refusedAct('no_merchant', { merchant: 'NOBODY' }),
  );
  await assert.rejects(
    correct(database, { currency: 'USD' }),
    refusedAct('merchant_has_no_wallet', { currency: 'USD', environment: 'live' }),
  );
  assert.deepEqual(await database.query('select 1 from transfers'), []);
  assert.deepEqual(await database.query("select 1 from audit_log where action = 'wallet.credit'"), []);
});

test('an account that is no wallet has no wallet balance', async () => {
  await using clone = await createTestDatabase();
  assert.equal(await walletBalance(clone.database, 4_711n), undefined);
});

async function openShop(database: Database): Promise<{ live: bigint; test: bigint }> {
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'ada'),
  );
  const [live, test] = await listWallets(database, merchant.id);
  assert.ok(live?.environment === 'live' && test?.environment === 'test');
  return { live: live.account_id, test: test.account_id };
}

function correct(database: Database, change: Partial<WalletCorrection>) {
  const correction: WalletCorrection = {
    merchantCode: 'shop',
    environment: 'live',
    currency: 'NGN',
    amount: 100n,
    memo: 'test',
    ...change,
  };
  return database.transaction((tx) => creditWallet(tx, correction, 'ada'));
}
