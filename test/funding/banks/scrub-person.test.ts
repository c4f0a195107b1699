/** Removes personal data from a bank's messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrubPerson, wordOfCode } from '../../../src/funding/banks/scrub-person.ts';

const known = ['ada@shop.example', 'Ada Ngozi', "O'Bi", '2348031234567', '22222222226', undefined, 'A'];

test('removes numbers, addresses and names, and keeps the reason', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Invalid BVN', 'Invalid BVN'],
    ["BVN 22222222226 is not of ADA NGOZI O'BI", 'BVN [number] is not of [name] [name] [name]'],
    ['BVN 222-2222-2226 / *******2226', 'BVN [number] / [number]'],
    ['Ada@Shop.example and other@x.example are taken', '[e-mail] and [e-mail] are taken'],
    ['call +234 803 123 4567 or 08031234567', 'call [number] or [number]'],
    ['Canada is a bank, code R42', 'Canada is a bank, code R42'],
    ["it is CHIDI OKAFOR's", 'it is [name] [name]'],
    ['Account Name Mismatch: Chidi Emeka-Okafor', 'Account Name Mismatch: [name] [name]'],
    ['Unable To Verify Customer BVN, Wema Bank', 'Unable To Verify Customer BVN, Wema Bank'],
  ];
  for (const [said, kept] of cases) assert.equal(scrubPerson(said, known), kept);
  assert.equal(scrubPerson('x'.repeat(500), known).length, 200);
});

test('quotes a text only if it can be a code and no person', () => {
  for (const code of ['0', 'R42', '99', 'PAID', 'PARTIALLY_PAID', 'abandoned', 7]) {
    assert.equal(wordOfCode(code), String(code));
  }
  for (const odd of ['22222222226', 22222222226, 'Ada Obi', 'a@b.ng', 'PAID 2222', {}, 'X'.repeat(30)]) {
    assert.equal(wordOfCode(odd), 'unlisted');
  }
  for (const none of ['', null, undefined]) assert.equal(wordOfCode(none), 'missing');
});
