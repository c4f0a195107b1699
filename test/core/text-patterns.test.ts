/** Patterns of inputs: errors are collected over texts of any length, so each reads a text once. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { listQuery } from '../../src/api/routes/transactions/list/schema.ts';
import { operations } from '../../src/backoffice/operations/registry.ts';
import { text } from '../../src/core/operation-fields.ts';
import { runs } from '../support/budget.ts';

/** A pattern that reads a text once per character would take hours. */
const LENGTH = 3_000_000;

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

it('each pattern refuses a long text in one pass', () => {
  const patterns = new Set([...operations.map(({ input }) => input), listQuery].flatMap(patternsIn));
  assert.ok(patterns.size > 20);
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'u');
    for (const character of ['a', '0', ' ', '-', '_', '.', '/']) {
      assert.equal(expression.test(`${character.repeat(LENGTH)}\u0001`), false, pattern);
    }
  }
});

it('a text has no control character, and a visible one', () => {
  const expression = new RegExp(patternsIn(text('a text'))[0] ?? '', 'u');
  const characters = fc.constantFrom(' ', '\u00a0', '\ufeff', '\t', '\u0001', 'a', 'ọ', '!');
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 6 }), (parts) => {
      const given = parts.join('');
      assert.equal(expression.test(given), !/\p{Cc}/u.test(given) && given.trim() !== '');
    }),
    runs(300),
  );
});

it('a number in the list of transactions has a letter or a digit', () => {
  const expression = new RegExp(patternsIn(listQuery.properties.msisdn)[0] ?? '', 'u');
  for (const given of ['08031234567', '+234 803-123 4567', '(a)', '//0'])
    assert.ok(expression.test(given), given);
  for (const given of ['', '+', ' - ', '0_', '0\n']) assert.ok(!expression.test(given), given);
});
