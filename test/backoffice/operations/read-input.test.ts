/** Reading the fields of inputs from texts, and refusing invalid texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { checkInput } from '../../../src/backoffice/operations/check-input.ts';
import { readTextInput } from '../../../src/backoffice/operations/read-text-input.ts';
import { parseDay, parseDuration } from '../../../src/core/clock.ts';
import { parseAmount, parseSignedAmount } from '../../../src/core/money.ts';
import {
  amountField,
  balanceField,
  currencyField,
  dayField,
  durationField,
  environmentField,
  inputOf,
  overlapField,
  pageFields,
  text as plainText,
  signedAmountField,
} from '../../../src/core/operation-fields.ts';
import { refusedAct } from '../../support/refusals.ts';

/** The value that a property of that field gets, or its refusal. */
function read(field: TSchema, text: string): unknown {
  const input = inputOf({ value: field });
  return Reflect.get(checkInput(input, { ...readTextInput(input, { value: text }) }), 'value');
}

function refuses(field: TSchema, texts: readonly string[]): void {
  for (const text of texts) assert.throws(() => read(field, text), refusedAct('input_malformed'), text);
}

test('an amount is naira with at most two decimals, as its parser reads it', () => {
  for (const text of ['5000', '0.05', '12.5', '9999999999.99']) {
    assert.equal(read(amountField, text), text);
    assert.ok(parseAmount(text));
  }
  for (const text of ['5000', '+0.05', '-12.5']) {
    assert.equal(read(signedAmountField, text), text);
    assert.ok(parseSignedAmount(text));
  }
  for (const text of ['0', '-0.00', '-50000', '50.5']) assert.equal(read(balanceField, text), text);
  const wrong = ['1.234', '1e3', '--5', '+-5', '1,000', '₦5', ' 5', '007', '10000000000'];
  refuses(amountField, [...wrong, '0', '0.00', '-5', '+5']);
  refuses(signedAmountField, [...wrong, '0', '-0.00']);
  refuses(balanceField, wrong);
});

test('a duration is a count and a unit, above zero and ten years at most', () => {
  for (const text of ['90s', '15m', '24h', '3650d', '9999999s']) {
    assert.equal(read(durationField, text), text);
    assert.ok(parseDuration(text));
  }
  const wrong = ['5', 'd', '1.5h', '-1h', '3651d', '1w', '1h30m', '99999999s'];
  refuses(durationField, [...wrong, '0s', '0h']);
  refuses(overlapField, wrong);
  assert.equal(read(overlapField, '0s'), '0s');
  assert.equal(parseDuration('0s'), 0);
});

test('a day is a day of the calendar', () => {
  assert.equal(read(dayField, '2024-02-29'), '2024-02-29');
  assert.ok(parseDay('2024-02-29'));
  refuses(dayField, ['2026-02-29', '2026-13-01', '26-01-01', 'today', '3026-01-01', '2026-01-01T00:00:00Z']);
});

test('reads words in any letter case, returns them in canonical spelling, and refuses others', () => {
  assert.equal(read(environmentField, 'LIVE'), 'live');
  assert.equal(read(currencyField, 'ngn'), 'NGN');
  refuses(environmentField, ['prod']);
  refuses(currencyField, ['XYZ']);
});

test('a whole number has no point or exponent, and is within its bounds', () => {
  const count = Type.Integer({ minimum: 0, maximum: 10_000 });
  assert.equal(read(count, '0'), 0);
  assert.equal(read(count, '250'), 250);
  refuses(count, ['-1', '2.5', '1e3', '007', '10001']);
  refuses(pageFields.limit, ['0', '201']);
});

test('refuses control characters anywhere in a text', () => {
  const field = plainText('a text');
  for (const right of ['a', 'a b', ' a ', 'Ọjà 💥']) assert.equal(read(field, right), right);
  refuses(field, ['\0', 'a\0', '\0a', 'a\0b', ' \x01 ', '\x7f', ' ']);
});

test('a text is well-formed Unicode in any field at any depth', () => {
  const anything = Type.Object({ value: Type.Unknown() });
  for (const [what, value] of [
    ['half of a character', '\ud800'],
    ['the other half', 'a\udc00b'],
    ['a NUL', 'a\0b'],
    ['one in a list', ['a', ['b\ud83d']]],
    ['one in a name', { a: { '\ud800': 1 } }],
  ] as const) {
    assert.throws(() => checkInput(anything, { value }), refusedAct('input_malformed'), what);
  }
  const right = ['Ọjà 💥', { a: ['\ufffd'] }];
  assert.deepEqual(checkInput(anything, { value: right }), { value: right });
  // Deeper than a call stack.
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  assert.ok(checkInput(anything, { value: deep }));
});
