/**
 * Rows as arrays of records: what the server reads is what was written, and what does not fit is
 * refused.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { RecordEncoder, type RecordType, type RowOf } from '../../src/db/record-types.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase({ empty: true });
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

const part = { name: 'part', columns: { label: 'text', amount: 'bigint' } } as const satisfies RecordType;
const whole = {
  name: 'whole',
  columns: {
    small: 'smallint',
    number: 'integer',
    large: 'bigint',
    truth: 'boolean',
    words: 'text',
    id: 'uuid',
    at: 'timestamptz',
    plain: 'json',
    document: 'jsonb',
    parts: part,
  },
} as const satisfies RecordType;

await database.query('create type part as (label text, amount bigint)');
await database.query(`
  create type whole as (
    small smallint, number integer, large bigint, truth boolean, words text, id uuid, at timestamptz, plain json, document jsonb, parts part[]
  )`);
const encoder = await RecordEncoder.open(database, [part, whole]);

type Whole = RowOf<typeof whole>;

const someText = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 40 }))
  .map((text) => text.replaceAll('\0', ' '));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const aPart = fc.record({ label: someText, amount: int64 });
const aWhole: fc.Arbitrary<Whole> = fc.record(
  {
    small: fc.integer({ min: -32_768, max: 32_767 }),
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

/** What the server makes of the rows, the parts of each after one another. */
async function readBack(rows: readonly Whole[]): Promise<Record<string, unknown>[]> {
  const { bytes, release } = encoder.encode(whole, rows);
  const read = await database.query(
    `select w.*, (select json_agg(json_build_array(p.label, p.amount::text)) from unnest(w.parts) p) as parts
     from unnest($1::whole[]) with ordinality as w(small, number, large, truth, words, id, at, plain, document, parts, place)
     order by place`,
    [bytes],
  );
  release();
  return read;
}

describe('an array of records', () => {
  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aWhole, { maxLength: 8 }), async (rows) => {
        const read = await readBack(rows);
        assert.deepEqual(
          read.map(({ place: _, ...row }) => row),
          rows.map((row) => ({
            small: row.small ?? null,
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
      { numRuns: 100 },
    );
  });

  it('keeps its bytes until it is released, whatever is encoded meanwhile', () => {
    const first = encoder.encode(whole, [{ words: 'first' }]);
    const before = Buffer.from(first.bytes);
    const second = encoder.encode(whole, [{ words: 'second', number: 2 }]);
    assert.deepEqual(first.bytes, before);
    assert.notDeepEqual(second.bytes, before);
    first.release();
    second.release();
  });

  it('may be larger than the room it is first written in', async () => {
    const words = 'ọjà '.repeat(30_000);
    const rows = await readBack([{ words }, { words, number: 7 }]);
    assert.deepEqual(
      rows.map((row) => [row.words === words, row.number]),
      [
        [true, null],
        [true, 7],
      ],
    );
  });

  for (const [what, row] of Object.entries<Whole>({
    'a smallint over 32,767': { small: 32_768 },
    'an integer over 31 bits': { number: 2 ** 31 },
    'a part of a number': { number: 1.5 },
    'no number': { number: Number.NaN },
    'a bigint over 63 bits': { large: 2n ** 63n },
    'a UUID that is too short': { id: '01a1fde3-bf58-7da4-871a-a34d1849a0' },
    'a UUID with a letter that is no digit': { id: '01a1fde3-bf58-7da4-871a-a34d1849a0zz' },
    'half a surrogate pair': { words: 'a\ud800' },
    'a moment that is none': { at: new Date(Number.NaN) },
  })) {
    it(`refuses ${what}, and goes on`, async () => {
      assert.throws(() => encoder.encode(whole, [{ number: 1 }, row]), RangeError);
      assert.deepEqual(
        (await readBack([{ number: 2 }])).map(({ number }) => number),
        [2],
      );
    });
  }

  it('of a type that the database has otherwise, or has not, is refused at the start', async () => {
    const other = { ...part, columns: { amount: 'bigint', label: 'text' } } as const;
    await assert.rejects(RecordEncoder.open(database, [other]), /the type part of the database is not/);
    const shorter = { ...part, columns: { label: 'text' } } as const;
    await assert.rejects(RecordEncoder.open(database, [shorter]), /the type part of the database is not/);
    const missing = { ...part, name: 'nothing' };
    await assert.rejects(RecordEncoder.open(database, [missing]), /the type nothing of the database is not/);
    await assert.rejects(RecordEncoder.open(database, [whole, part]), /part must come before/);
    assert.throws(() => encoder.encode(missing, []), /was not opened with the type nothing/);
  });
});
