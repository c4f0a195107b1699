/** Answers by their output schema: amounts and times as text, and only declared properties. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { answerOf } from '../../src/core/answer.ts';
import { nullable, nullableText } from '../../src/core/nullable.ts';
import { amountOutput, nullableAmount, nullableTime, timeOutput } from '../../src/core/operation-fields.ts';

const at = new Date('2026-11-21T12:05:09.000Z');

describe('answerOf', () => {
  it('writes amounts and times as text, and large counts as numbers', () => {
    const output = Type.Object({ amount: amountOutput, at: timeOutput, count: Type.Integer() });
    assert.deepEqual(answerOf(output, { amount: -12_345n, at, count: 7n }), {
      amount: '-123.45',
      at: '2026-11-21T13:05:09.000+01:00',
      count: 7,
    });
  });

  it('writes only the properties of the schema, in nested objects and lists too', () => {
    const line = Type.Object({ amount: amountOutput });
    const output = Type.Object({ name: Type.String(), lines: Type.Array(line), last: nullable(line) });
    const row = { amount: 100n, cost: 90n };
    const found = { name: 'a', lines: [row, row], last: row, secret: 's' };
    assert.deepEqual(answerOf(output, found), {
      name: 'a',
      lines: [{ amount: '1.00' }, { amount: '1.00' }],
      last: { amount: '1.00' },
    });
  });

  it('writes null for absent values, and leaves out optional ones', () => {
    const output = Type.Object({
      amount: nullableAmount,
      at: nullableTime,
      text: nullableText,
      title: Type.Optional(Type.String()),
    });
    assert.deepEqual(answerOf(output, { amount: undefined, at: null, text: undefined }), {
      amount: null,
      at: null,
      text: null,
    });
  });

  it('keeps answers that are written already, and values without a schema', () => {
    const output = Type.Object({
      amount: amountOutput,
      input: Type.Record(Type.String(), Type.Unknown()),
      summary: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
      unknown: Type.Unknown(),
    });
    const values = { amount: '1.00', input: { a: [1] }, summary: { b: 2 }, unknown: { c: null } };
    assert.deepEqual(answerOf(output, values), values);
  });
});
