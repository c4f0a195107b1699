/** The cost and margin of a purchase, and the price of an order in its currency. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { marginAnswer, priceAnswer } from '../../../src/purchases/history/purchase-margin.ts';

const sold = { charge: 100_00n, face_value: 100_00n, details: null };

it('the margin is the charge less the cost, both less their refunds', () => {
  const outcome = { cost: 97_00n, cost_estimated: false };
  assert.deepEqual(marginAnswer(sold, outcome), { cost: '97.00', cost_estimated: false, margin: '3.00' });
  const { margin } = marginAnswer(sold, outcome, { refunded: 40_00n, costRefunded: 10_00n });
  assert.equal(margin, '-27.00');
});

it('a purchase that is pending or failed has none', () => {
  const none = { cost: null, cost_estimated: null, margin: null };
  assert.deepEqual(marginAnswer(sold, undefined), none);
  assert.deepEqual(marginAnswer(sold, { cost: null, cost_estimated: null }), none);
});

it('a cost without a mark is estimated if it is the expected one', () => {
  const isEstimated = (cost: bigint, details: { cost: string } | null): boolean | null =>
    marginAnswer({ ...sold, details }, { cost, cost_estimated: null }).cost_estimated;
  assert.deepEqual([isEstimated(100_00n, null), isEstimated(97_00n, null)], [true, false]);
  const order = { cost: '9700' };
  assert.deepEqual([isEstimated(97_00n, order), isEstimated(100_00n, order)], [true, false]);
});

it('an order has the price of all its items, and another purchase has none', () => {
  const item = { quantity: 3, unitPrice: '1050', currency: 'USD' } as const;
  const price = { currency: 'USD', amount: '31.50', rate: null };
  assert.deepEqual(priceAnswer({ details: { item } }), price);
  assert.deepEqual(priceAnswer({ details: { item, rate: '1500' } }), { ...price, rate: '1500' });
  for (const details of [null, { phone: '2348030000001' }]) assert.equal(priceAnswer({ details }), null);
});
