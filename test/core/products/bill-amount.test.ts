/** The accepted amounts of a bill: the limits of the plan and of the biller together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amountLimits, type BillAmount, outsideLimits } from '../../../src/core/products/bill-amount.ts';

const variable: BillAmount = {
  amountType: 'variable',
  price: undefined,
  minAmount: 100_000n,
  maxAmount: 5_000_000n,
};
const fixed: BillAmount = {
  amountType: 'fixed',
  price: 440_000n,
  minAmount: undefined,
  maxAmount: undefined,
};

test('uses the limits of the plan when the biller reports none, or zero', () => {
  const own = { min: 100_000n, max: 5_000_000n };
  assert.deepEqual(amountLimits(variable), own);
  assert.deepEqual(amountLimits(variable, { minAmount: 0n, maxAmount: 0n }), own);
  assert.deepEqual(amountLimits(variable, { minAmount: undefined, maxAmount: undefined }), own);
});

test('a biller’s limits narrow the plan’s', () => {
  assert.deepEqual(amountLimits(variable, { minAmount: 100_001n, maxAmount: 4_999_999n }), {
    min: 100_001n,
    max: 4_999_999n,
  });
});

test('a biller’s limits do not widen the plan’s', () => {
  assert.deepEqual(amountLimits(variable, { minAmount: 1n, maxAmount: 5_000_001n }), {
    min: 100_000n,
    max: 5_000_000n,
  });
});

test('a minimum above the maximum leaves no amount', () => {
  const limits = amountLimits(variable, { minAmount: 6_000_000n });
  assert.deepEqual(limits, { min: 6_000_000n, max: 5_000_000n });
  for (const amount of [5_000_000n, 5_500_000n, 6_000_000n]) {
    assert.notEqual(outsideLimits(amount, limits), undefined, String(amount));
  }
});

test('uses a fixed price as its own limits, whatever the biller reports', () => {
  assert.deepEqual(amountLimits(fixed, { minAmount: 1n, maxAmount: 2n }), { min: 440_000n, max: 440_000n });
});

test('both ends are inside the limits', () => {
  const limits = { min: 100_000n, max: 500_000n };
  for (const amount of [100_000n, 300_000n, 500_000n]) assert.equal(outsideLimits(amount, limits), undefined);
});

test('names the limit that an amount misses', () => {
  const limits = { min: 100_000n, max: 500_050n };
  assert.deepEqual(outsideLimits(99_999n, limits), { bound: 'min', amount: 100_000n });
  assert.deepEqual(outsideLimits(500_051n, limits), { bound: 'max', amount: 500_050n });
});
