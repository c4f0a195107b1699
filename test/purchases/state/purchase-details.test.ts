/** What is stored with a purchase as JSON: its customer, and why its provider was chosen. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readOverCap, wasHeld } from '../../../src/purchases/state/outcome-reason.ts';
import { choiceText, readCustomer, storeCustomer } from '../../../src/purchases/state/purchase-details.ts';

it('a customer is the same after JSON, with every amount or without any', () => {
  const amounts = { minAmount: 100n, maxAmount: 2n ** 60n, arrears: 0n, renewalAmount: 4_500_00n };
  for (const customer of [{ name: 'Ada', tariff: 'A1', ...amounts }, { name: '' }]) {
    const stored = JSON.parse(JSON.stringify(storeCustomer(customer)));
    assert.deepEqual(readCustomer(stored), customer);
  }
});

it('a choice names its price, share and time, and only those that were known', () => {
  const known = { strategy: 'cheapest' as never, of: 3, cost: '21250', success: 98.7, seconds: 9 };
  const numbers = (text: string): string[] => text.match(/[0-9.]*[0-9]/g) ?? [];
  assert.deepEqual(numbers(choiceText(known)), ['212.50', '3', '98.7', '9']);
  assert.deepEqual(numbers(choiceText({ ...known, cost: '21200' })), ['212', '3', '98.7', '9']);
  const { seconds, ...untimed } = known;
  assert.deepEqual(numbers(choiceText(untimed)), ['212.50', '3', '98.7']);
  assert.deepEqual(numbers(choiceText({ strategy: known.strategy, of: 1, seconds })), ['1']);
  assert.notEqual(choiceText({ ...known, grade: 'A' as never }), choiceText(known));
});

it('a refusal over a cap is read from its outcome, and no other goods are', () => {
  assert.deepEqual(readOverCap({ cap: '5000', left: 200 }), { cap: 5_000n, left: 200n });
  for (const stored of [null, { token: '1' }, { cap: '5000' }]) assert.equal(readOverCap(stored), undefined);
});

it('only a purchase that was refused at once had no hold', () => {
  assert.deepEqual([wasHeld('delivered'), wasHeld('refused')], [true, true]);
  assert.equal(wasHeld('insufficient_funds'), false);
});
