/** Amounts in replies: as numbers and as text, and never guessed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naira } from '../../../src/providers/http/reply-fields.ts';

test('reads commas between thousands only', () => {
  for (const [value, kobo] of [
    ['1,500.00', 150_000n],
    ['1,500', 150_000n],
    ['12,345,678.9', 1_234_567_890n],
    ['1500.5', 150_050n],
    [600, 60_000n],
    ['600,00', undefined],
    ['1,50', undefined],
    ['1,50,000.00', undefined],
    ['1.500,00', undefined],
    ['1500,000', undefined],
    [',500', undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    assert.equal(naira(value), kobo, String(value));
  }
});
