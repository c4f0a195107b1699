/** The names of accounts, and the transfers that each event makes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  correctionsAccount,
  floatAccount,
  isAccountKind,
  normalBalance,
  purchaseDelivered,
  revenueAccount,
  type Transfer,
  walletAccount,
  walletCorrected,
} from '../../../src/wallet/ledger/chart-of-accounts.ts';

const wallet = 1n;
const float = 2n;
const revenue = 3n;
const accounts = { walletAccount: wallet, floatAccount: float, revenueAccount: revenue };

test('accounts have names by their kind', () => {
  assert.deepEqual(walletAccount(7, 'live', 'NGN'), {
    code: 'wallet:7:live:NGN',
    kind: 'wallet',
    environment: 'live',
    currency: 'NGN',
  });
  assert.equal(floatAccount('vtpass', 'test', 'NGN').code, 'float:vtpass:test:NGN');
  assert.equal(revenueAccount('live', 'USD').code, 'revenue:live:USD');
  assert.equal(correctionsAccount('live', 'NGN').code, 'corrections:live:NGN');
});

test('refuses a provider whose name would make two accounts one', () => {
  assert.throws(() => floatAccount('vtpass:live', 'live', 'NGN'), /can name an account/);
  assert.throws(() => floatAccount('', 'live', 'NGN'), /can name an account/);
});

test('accepts only kinds of the chart', () => {
  assert.equal(isAccountKind('float'), true);
  assert.equal(isAccountKind('toString'), false);
});

test('shows an asset as positive if there is any, and a debt as positive if it is owed', () => {
  assert.equal(normalBalance('float', -500n), 500n);
  assert.equal(normalBalance('wallet', 500n), 500n);
});

test('a delivered purchase with a margin pays the provider and earns the rest', () => {
  assert.deepEqual(purchaseDelivered({ ...accounts, charge: 10_000n, cost: 9_700n }), [
    { code: 'purchase_cost', debit: wallet, credit: float, amount: 9_700n },
    { code: 'purchase_margin', debit: wallet, credit: revenue, amount: 300n },
  ]);
});

test('a delivered purchase that cost more than it charged makes a loss, not a larger debit', () => {
  assert.deepEqual(purchaseDelivered({ ...accounts, charge: 9_000n, cost: 9_700n }), [
    { code: 'purchase_cost', debit: wallet, credit: float, amount: 9_000n },
    { code: 'purchase_loss', debit: revenue, credit: float, amount: 700n },
  ]);
});

test('a free purchase takes nothing from the wallet', () => {
  assert.deepEqual(purchaseDelivered({ ...accounts, charge: 0n, cost: 9_700n }), [
    { code: 'purchase_loss', debit: revenue, credit: float, amount: 9_700n },
  ]);
  assert.deepEqual(purchaseDelivered({ ...accounts, charge: 0n, cost: 0n }), []);
});

test('negative amounts throw', () => {
  assert.throws(() => purchaseDelivered({ ...accounts, charge: -1n, cost: 0n }), /invariant/);
  assert.throws(() => purchaseDelivered({ ...accounts, charge: 0n, cost: -1n }), /invariant/);
});

test('the wallet pays the charge, the float pays the cost, and no leg is empty, for any amounts', () => {
  const kobo = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(kobo, kobo, (charge, cost) => {
      const transfers = purchaseDelivered({ ...accounts, charge, cost });
      assert.equal(net(transfers, wallet), -charge);
      assert.equal(net(transfers, float), cost);
      assert.equal(net(transfers, revenue), charge - cost);
      assert.ok(transfers.every((transfer) => transfer.amount > 0n));
      assert.equal(new Set(transfers.map((transfer) => transfer.code)).size, transfers.length);
    }),
  );
});

test('a correction goes either way, and is never zero', () => {
  const correction = { walletAccount: wallet, correctionsAccount: 4n };
  assert.deepEqual(walletCorrected({ ...correction, amount: 250n }), [
    { code: 'correction', debit: 4n, credit: wallet, amount: 250n },
  ]);
  assert.deepEqual(walletCorrected({ ...correction, amount: -250n }), [
    { code: 'correction', debit: wallet, credit: 4n, amount: 250n },
  ]);
  assert.throws(() => walletCorrected({ ...correction, amount: 0n }), /invariant/);
});

function net(transfers: readonly Transfer[], account: bigint): bigint {
  return transfers.reduce(
    (sum, { debit, credit, amount }) =>
      sum + (credit === account ? amount : 0n) - (debit === account ? amount : 0n),
    0n,
  );
}
