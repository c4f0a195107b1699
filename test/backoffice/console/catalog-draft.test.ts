/** The errors of an import, as the console's catalog shows them next to the plans. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsByPlan, fileOf, type Plan } from '../../../console/src/screens/catalog/draft.ts';

const plans = ['MTN-1', 'MTN-2', 'MTN-3'].map(
  (subject): Plan => ({
    subject,
    name: subject,
    network: 'MTN',
    currency: 'NGN',
    price: '100.00',
    cost: null,
    margin_percent: null,
    active: true,
    record: { plan_code: subject },
  }),
);

test('shows an error next to the plan of its line in the file', () => {
  const line = fileOf(plans)
    .split('\n')
    .findIndex((text) => text.includes('MTN-2'));
  const fields = new Map([
    [`content.${line + 1}`, 'No price'],
    ['content.99', 'Not here'],
    ['version', 'Old'],
  ]);
  assert.deepEqual(faultsByPlan(plans, fields), { 'MTN-2': 'No price' });
});
