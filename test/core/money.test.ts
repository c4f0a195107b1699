/** Amounts are read exactly or refused, and discounts are rounded down to the kobo. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyDiscount,
  formatAmount,
  minorUnitsOf,
  parseAmount,
  parseFormatted,
} from '../../src/core/money.ts';

test('reads an amount of digits with at most two decimals as minor units', () => {
  const read: [string, bigint][] = [
    ['1500', 150_000n],
    ['1500.5', 150_050n],
    ['1500.05', 150_005n],
    ['1500.00', 150_000n],
    ['0.01', 1n],
    ['0.1', 10n],
    ['9999999999.99', 999_999_999_999n],
  ];
  for (const [text, minor] of read) assert.equal(parseAmount(text), minor, text);
});

test('refuses any other text, and repairs nothing', () => {
  const refused = [
    ...['', ' ', ' 1', '1 ', '1\n', '\u00001', '1\u0000'],
    ...['0', '0.0', '0.00', '-1', '+1', '-0.01'],
    ...['01', '00.5', '1.', '.5', '.', '1.234', '1.2.3', '1,000', '1 000', '1_000'],
    ...['1e3', '1E3', '0x10', 'Infinity', 'NaN', '1n', '\u0661', '\uff11', 'abc', '\ud800'],
    ...['10000000000', '123456789012345678901234567890'],
  ];
  for (const text of refused) assert.equal(parseAmount(text), undefined, JSON.stringify(text));
});

test('writes an amount with two decimals, also below zero', () => {
  const written: [bigint, string][] = [
    [150_000n, '1500.00'],
    [150_050n, '1500.50'],
    [5n, '0.05'],
    [0n, '0.00'],
    [-5n, '-0.05'],
    [-150_050n, '-1500.50'],
    [9_223_372_036_854_775_807n, '92233720368547758.07'],
  ];
  for (const [minor, text] of written) {
    assert.equal(formatAmount(minor), text);
    assert.equal(parseFormatted(text), minor, text);
  }
  for (const other of ['', '5', '5.5', '+5.50', '5.501', '--5.50', '5.50 ', '1,000.00']) {
    assert.equal(parseFormatted(other), undefined, other);
  }
});

test('reads provider amounts with any number of decimals, rounded half up', () => {
  const read: [string, string | undefined, bigint][] = [
    ['97', undefined, 9_700n],
    ['97', '5', 9_750n],
    ['48', '510000000000005', 4_851n],
    ['0', '005', 1n],
    ['0', '0049', 0n],
    ['0', '999', 100n],
  ];
  for (const [whole, fraction, minor] of read) assert.equal(minorUnitsOf(whole, fraction), minor);
});

test('rounds the discount down to the kobo, so that the gateway keeps the fraction', () => {
  const charged: [bigint, number, bigint][] = [
    [10_000n, 0, 10_000n],
    [10_000n, 250, 9_750n],
    [10_000n, 10_000, 0n],
    [0n, 250, 0n],
    // 2.5 % of 1.33 naira is 3.325 kobo, so the discount is 3.
    [133n, 250, 130n],
    // 0.01 % of 99.99 naira is 0.9999 kobo, so there is no discount.
    [9_999n, 1, 9_999n],
    [10_000n, 1, 9_999n],
  ];
  for (const [face, basisPoints, charge] of charged) {
    assert.equal(applyDiscount(face, basisPoints), charge, `${face} at ${basisPoints}`);
  }
});

test('throws for a discount outside 0 to 100 %, a fraction of a basis point or a negative face value', () => {
  for (const basisPoints of [-1, 10_001, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => applyDiscount(10_000n, basisPoints), RangeError, String(basisPoints));
  }
  assert.throws(() => applyDiscount(-1n, 100), RangeError);
});
