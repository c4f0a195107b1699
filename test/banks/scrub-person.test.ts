/** What is left of a bank's words about a person. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrubPerson } from '../../src/banks/scrub-person.ts';

const known = ['ada@shop.example', 'Ada Ngozi', "O'Bi", '2348031234567', '22222222226', undefined, 'A'];

test('numbers, addresses and names are taken out, and the reason stays', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Invalid BVN', 'Invalid BVN'],
    ["BVN 22222222226 is not of ADA NGOZI O'BI", 'BVN [number] is not of [name] [name] [name]'],
    ['BVN 222-2222-2226 / *******2226', 'BVN [number] / [number]'],
    ['Ada@Shop.example and other@x.example are taken', '[e-mail] and [e-mail] are taken'],
    ['call +234 803 123 4567 or 08031234567', 'call [number] or [number]'],
    ['Canada is a bank, code R42', 'Canada is a bank, code R42'],
  ];
  for (const [said, kept] of cases) assert.equal(scrubPerson(said, known), kept);
  assert.equal(scrubPerson('x'.repeat(500), known).length, 200);
});
