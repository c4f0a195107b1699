/** The console converts what a person types into the form of an operation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedOperation } from '../../../console/src/api/described-operation.ts';
import {
  inputOf,
  isOneLine,
  reviewText,
  typedFaults,
} from '../../../console/src/widgets/operation-fields.ts';
import { operations } from '../../../src/backoffice/operations/registry.ts';

function described(name: string): DescribedOperation {
  const operation = operations.find((one) => one.name === name);
  assert.ok(operation, name);
  return JSON.parse(JSON.stringify(operation)) as DescribedOperation;
}

const places = [
  ['purchase.refund', 'amount'],
  ['purchase.provider_refund', 'amount'],
  ['purchase.settle', 'cost'],
  ['wallet.credit', 'amount'],
  ['wallet.set_floor', 'floor'],
  ['wallet.set_alert', 'threshold'],
  ['voucher.issue', 'value'],
  ['credential.set_caps', 'per_purchase'],
  ['credential.set_caps', 'per_day'],
  ['credential.issue', 'per_day'],
  ['fx.set', 'rate'],
  ['fx.set', 'margin'],
  ['float.set_alarm', 'pause_below'],
] as const;

test('refuses an ambiguous number at its field without sending it', () => {
  for (const [name, field] of places) {
    const operation = described(name);
    for (const typed of ['600,00', '2,50', '1.560,50', '2,5']) {
      assert.deepEqual(Object.keys(typedFaults(operation, { [field]: typed })), [field], `${name} ${typed}`);
      assert.equal(inputOf(operation, { [field]: typed })[field], typed);
    }
  }
});

test('sends a number with commas between thousands without them', () => {
  for (const [name, field] of places.filter(([, one]) => one !== 'margin')) {
    const operation = described(name);
    const typed = { [field]: '1,560.50' };
    assert.deepEqual(typedFaults(operation, typed), {});
    assert.equal(inputOf(operation, typed)[field], '1560.50', name);
  }
});

test('shows the parsed value in the review, in the currency of the wallet', () => {
  const credit = described('wallet.credit');
  for (const [currency, typed, shown] of [
    ['NGN', '1560.5', '₦1,560.50'],
    ['NGN', '-250000', '−₦250,000.00'],
    ['USD', '1,560', '$1,560.00'],
  ] as const) {
    const given = { merchant: 'SHOP', environment: 'live', currency };
    const input: Record<string, unknown> = { ...given, ...inputOf(credit, { amount: typed }, { given }) };
    assert.equal(reviewText(credit, 'amount', input.amount, input), shown);
  }
  const rate = described('fx.set');
  assert.equal(reviewText(rate, 'rate', '1545.25', { currency: 'USD', rate: '1545.25' }), '₦1,545.25');
  const discount = described('merchant.set_discount');
  assert.equal(reviewText(discount, 'discount', '2.5', {}), '2.5 %');
});

test('accepts only digits as a whole number', () => {
  const start = described('price_list.start');
  assert.equal(inputOf(start, { version: '250' }).version, 250);
  for (const typed of ['1e3', '0x10', '2,50', '2.5']) {
    assert.equal(inputOf(start, { version: typed }).version, typed);
  }
});

test('reads shares as one name and weight a line, and omits them when the field is emptied', () => {
  const route = described('route.set');
  const start = { share: 'vtpass: 70\nnomba: 30' };
  assert.deepEqual(inputOf(route, start, { start }).share, { vtpass: 70, nomba: 30 });
  assert.deepEqual(inputOf(route, { share: '' }, { start }).share, {});
  assert.deepEqual(inputOf(route, { share: '' }, { start: { share: '' } }), {});
});

test('submits a text by Enter if it has no line breaks, and keeps those of rules', () => {
  const schemaOf = (name: string, field: string) => described(name).input.properties[field] ?? {};
  assert.equal(isOneLine(schemaOf('alarm.acknowledge', 'note')), true);
  assert.equal(isOneLine(schemaOf('purchase.refund', 'reason')), true);
  assert.equal(isOneLine(schemaOf('price_list.add_version', 'rules')), false);
  assert.equal(isOneLine(schemaOf('route.set', 'share')), false);
});
