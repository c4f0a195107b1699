/** The text of an operation's output, made from its schema. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { answerText } from '../../src/cli/print-answer.ts';
import { nullable } from '../../src/core/nullable.ts';
import { pageOf } from '../../src/core/operation-fields.ts';

const row = Type.Object({
  id: Type.String(),
  paid_at: Type.String(),
  amount: Type.String(),
  note: nullable(Type.String()),
  limits: Type.Object({ hours: Type.Integer() }),
  marks: Type.Array(Type.Object({ mark: Type.String() })),
});
const paid = {
  id: 'a',
  paid_at: '2026-11-21T09:00:00.000+01:00',
  amount: '5.00',
  note: null,
  limits: { hours: 6 },
  marks: [{ mark: 'x' }],
};

test('a page is a table in the order of the schema, without empty columns, with the lists of its rows below', () => {
  const text = answerText(pageOf(row), {
    data: [paid, { ...paid, id: 'b', amount: '50.00', marks: [] }],
    cursor: 'b',
  });
  assert.deepEqual(text.split('\n'), [
    'ID  PAID AT              AMOUNT  LIMITS HOURS',
    'a   2026-11-21 09:00:00    5.00             6',
    'b   2026-11-21 09:00:00   50.00             6',
    '',
    'a marks:',
    'MARK',
    'x',
  ]);
});

test('prints a column if one row has a value in it', () => {
  const text = answerText(pageOf(row), { data: [paid, { ...paid, note: 'late' }], cursor: null });
  assert.match(text, /NOTE/);
  assert.match(text, /^a .* - +6$/m);
});

test('prints only the columns that a command names', () => {
  const text = answerText(pageOf(row), { data: [paid], cursor: null }, ['id', 'limits.hours']);
  assert.equal(text, 'ID  LIMITS HOURS\na              6');
});

test('prints an object as names and values, with its lists below', () => {
  assert.deepEqual(answerText(row, paid).split('\n'), [
    'id            a',
    'paid at       2026-11-21 09:00:00',
    'amount        5.00',
    'limits hours  6',
    '',
    'marks:',
    'MARK',
    'x',
  ]);
});

test('prints an empty list as empty', () => {
  assert.equal(answerText(Type.Array(row), []), answerText(pageOf(row), { data: [], cursor: null }));
  assert.match(answerText(row, { ...paid, marks: [] }), /marks:\nNone\./);
});
