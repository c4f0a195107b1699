/** Numbers as people type them: which are read, and which are ambiguous. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseSignedAmount } from '../../src/core/money.ts';
import { readTyped, type TypedKind } from '../../src/core/typed-number.ts';
import { runs } from '../support/budget.ts';

function read(kind: TypedKind, typed: string, currency?: string): string | undefined {
  const told = readTyped(kind, typed, currency);
  if ('text' in told) return told.text;
  assert.ok(told.fault.length > 0);
  return undefined;
}

test('reads amounts as people write them', () => {
  for (const [typed, text] of [
    ['5000', '5000'],
    ['0', '0'],
    ['0.5', '0.5'],
    ['1,560.50', '1560.50'],
    ['12,345,678.9', '12345678.9'],
    ['1 560.50', '1560.50'],
    ['1\u00a0560', '1560'],
    ["1'560", '1560'],
    [' 2500 ', '2500'],
    ['₦2,500', '2500'],
    ['₦ 2500.00', '2500.00'],
    ['N2500', '2500'],
    ['ngn 2,500', '2500'],
    ['2,500 NGN', '2500'],
    ['-500.50', '-500.50'],
    ['\u2212500', '-500'],
    ['-₦1,500', '-1500'],
    ['₦-1,500', '-1500'],
    ['+5', '5'],
    ['none', 'none'],
    ['NONE', 'none'],
  ] as const) {
    assert.equal(read('amount', typed), text, typed);
  }
});

test('refuses ambiguous and meaningless text', () => {
  for (const typed of [
    '600,00',
    '2,50',
    '2,5',
    '1,5600',
    '1,560,50',
    '15,60',
    '1560,5',
    '1,,560',
    ',560',
    '1,560,',
    '1.560,50',
    '1.560.50',
    '1.560',
    '5.005',
    '5.',
    '.50',
    '1.5,0',
    '0,500',
    '0500',
    '1 56',
    '1,560 500',
    '1 560,500',
    '--5',
    '5-',
    '(500)',
    '1e3',
    '0x10',
    '५००',
    '$500',
    '5%',
    'five',
    '₦',
    '-',
    '',
  ]) {
    assert.equal(read('amount', typed), undefined, typed);
  }
});

test('accepts only the sign of its own currency', () => {
  assert.equal(read('amount', '$1,500', 'USD'), '1500');
  assert.equal(read('amount', '₦1,500', 'USD'), undefined);
  assert.equal(read('amount', '€5', 'EUR'), '5');
  assert.equal(read('naira', '₦5', 'USD'), '5');
  assert.equal(read('account_amount', '1,500'), '1500');
  assert.equal(read('account_amount', '₦5'), undefined);
});

test('reads rates with six decimals, and percentages with a sign', () => {
  assert.equal(read('rate', '1,545.123456'), '1545.123456');
  assert.equal(read('rate', '₦1545.25'), '1545.25');
  assert.equal(read('rate', '1545,25'), undefined);
  assert.equal(read('rate', '1.1234567'), undefined);
  assert.equal(read('percent', '3.5%'), '3.5');
  assert.equal(read('percent', '3.5 %'), '3.5');
  assert.equal(read('percent', '3,5'), undefined);
});

test('reads back each amount that is written with commas between thousands', () => {
  fc.assert(
    fc.property(fc.bigInt(-9_999_999_999_99n, 9_999_999_999_99n), (minor) => {
      fc.pre(minor !== 0n);
      const text = formatAmount(minor);
      const grouped = text.replace(/\B(?=(\d{3})+(?=\.))/g, ',');
      const told = read('amount', grouped);
      assert.equal(told === undefined ? undefined : parseSignedAmount(told), minor, grouped);
    }),
    runs(200),
  );
});
