/** Cells of an exported file: no formulas, and amounts that add up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { safeCell } from '../../src/core/csv-cell.ts';
import { formatAmount } from '../../src/core/money.ts';
import { anyText } from '../support/any-text.ts';

const text = anyText();
const begun = fc
  .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'), text)
  .map(([first, rest]) => `${first}${rest}`);

test('leaves an amount unchanged, also a negative one', () => {
  const minor = fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n });
  fc.assert(fc.property(minor, (amount) => safeCell(formatAmount(amount)) === formatAmount(amount)));
  for (const text of ['-97.00', '-0.05', '-5', '0', '12.50']) assert.equal(safeCell(text), text);
});

test('text that begins as a formula, and is no amount, begins with an apostrophe', () => {
  fc.assert(
    fc.property(begun, (text) => {
      fc.pre(!/^-[0-9]+(\.[0-9]+)?$/.test(text));
      assert.ok(safeCell(text).startsWith(`'${text[0]}`));
    }),
  );
  const formulas = ['-', '--5', '-1-1', '-1e5', '-5%', '-1,000.00', '-.5', '-5.', '-5\n', '-5 ', '-A1', '-٥'];
  for (const text of [...formulas, '=1+1', '@SUM(A1)', '+5', '+5.00'])
    assert.equal(safeCell(text), `'${text}`);
});

test('a phone number with its plus stays whole: as a number a spreadsheet would round it', () => {
  const phone = fc.stringMatching(/^\+[0-9]{7,15}$/);
  fc.assert(fc.property(phone, (number) => safeCell(number) === `'${number}`));
});

test('no cell that any separator cuts off begins as a formula', () => {
  const separator = fc.constantFrom(';', ',', '\t', '|', '\n', '\r\n');
  const cell = fc
    .array(fc.oneof(begun, anyText(), fc.constantFrom('x', ' =1', '\u00A0=1', '"=1', '-5')), { minLength: 1 })
    .chain((parts) => separator.map((between) => parts.join(between)));
  fc.assert(
    fc.property(cell, (text) => {
      const parts = safeCell(text).split(/[,;|\t\r\n]/);
      const [first = '', ...others] = parts;
      if (!/^-[0-9]+(\.[0-9]+)?$/.test(text)) assert.doesNotMatch(first, /^[\p{Zs}"]*[=+\-@]/u);
      for (const part of others) assert.doesNotMatch(part, /^[\p{Zs}"]*[=+\-@]/u);
    }),
  );
  assert.equal(safeCell('x;=1+1;y'), "x;'=1+1;y");
  assert.equal(safeCell('x;\u00A0=1+1'), "x;\u00A0'=1+1");
  assert.equal(safeCell(' =1+1'), "' =1+1");
  assert.equal(safeCell('x;y, z'), 'x;y, z');
});

test('any other text is unchanged', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      fc.pre(!/(?:^|[,;|\t\r\n])[\p{Zs}"]*[-=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u.test(text));
      assert.equal(safeCell(text), text);
    }),
  );
  for (const text of ['', 'a=1', "'=1", '2026-11-22', '08031234567']) assert.equal(safeCell(text), text);
});
