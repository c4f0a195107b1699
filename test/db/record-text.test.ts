/** Records as text: the server reads the values that were written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toRecordArrayText, toRecordList, toRecordText } from '../../src/db/record-text.ts';
import { anyText } from '../support/any-text.ts';
import { runs } from '../support/budget.ts';
import { openFileDatabase } from '../support/file-database.ts';

const database = await openFileDatabase();

await database.query('create type part as (label text, amount bigint)');
await database.query(`
  create type whole as (
    number integer, large bigint, truth boolean, words text, id uuid, at timestamptz, plain json, document jsonb, parts part[]
  )`);

const someText = fc
  .oneof(
    anyText({ maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('"', '\\', ',', '(', ')', '{', '}', ' ', '\n', '\x1e', 'ọ', 'NULL'),
      maxLength: 12,
    }),
  )
  .map((text) => text.replaceAll('\0', ' '));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const aPart = fc.record({ label: someText, amount: int64 });
const aWhole = fc.record(
  {
    number: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }),
    large: int64,
    truth: fc.boolean(),
    words: someText,
    id: fc.uuid(),
    at: fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
    plain: fc.record({ text: someText }, { noNullPrototype: true }),
    document: fc.record({ numbers: fc.array(fc.integer()) }, { noNullPrototype: true }),
    parts: fc.array(aPart, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);
type Whole = typeof aWhole extends fc.Arbitrary<infer Row> ? Row : never;

function toWholeText({ number, large, truth, words, id, at, plain, document, parts }: Whole): string {
  const records = parts?.map(({ label, amount }) => toRecordText([label, amount]));
  const array = records && toRecordArrayText(records);
  return toRecordText([number, large, truth, words, id, at, plain, document, array]);
}

describe('a record as text', () => {
  it('reads a record back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aWhole, { minLength: 1, maxLength: 8 }), async (rows) => {
        const list = toRecordList(rows.map(toWholeText));
        const read = await database.query(
          `select (item::whole).*, (
             select json_agg(json_build_array(p.label, p.amount::text)) from unnest((item::whole).parts) p
           ) as parts
           from unnest(string_to_array($1, $2)) with ordinality as list(item, place)
           order by place`,
          [list.text, list.separator],
        );
        assert.deepEqual(
          read,
          rows.map((row) => ({
            number: row.number ?? null,
            large: row.large ?? null,
            truth: row.truth ?? null,
            words: row.words ?? null,
            id: row.id ?? null,
            at: row.at ?? null,
            plain: row.plain ?? null,
            document: row.document ?? null,
            parts: row.parts?.length ? row.parts.map(({ label, amount }) => [label, `${amount}`]) : null,
          })),
        );
      }),
      runs(50),
    );
  });

  it('the server refuses a text that the type cannot hold', async () => {
    const uuidTooShort = '01a1fde3-bf58-7da4-871a-a34d1849a0';
    const refused: readonly Whole[] = [
      { number: 2 ** 31 },
      { number: 1.5 },
      { large: 2n ** 63n },
      { id: uuidTooShort },
    ];
    for (const row of refused) {
      await assert.rejects(database.query('select $1::whole', [toWholeText(row)]));
    }
  });
});
