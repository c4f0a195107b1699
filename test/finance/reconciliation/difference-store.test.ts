/** The temporary rows of a run: no amount, time or text changes on the way to the database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDifferenceTable,
  type FoundDifference,
  insertDifferences,
  listFound,
  rowsJson,
} from '../../../src/finance/reconciliation/difference-store.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

test('stores differences in their order, with exact amounts and times, and absent subjects as null', async () => {
  const first: FoundDifference = {
    kind: 'unknown_here',
    line: 9_007_199_254_740_993n,
    reference: 'a "quoted" \\ reference',
    at: new Date('2026-11-22T10:30:00.123Z'),
    amount: 9_223_372_036_854_775_807n,
    effect: -9_007_199_254_740_993n,
    here: 'unknown',
    there: 'null',
  };
  const second: FoundDifference = { ...first, line: null, reference: null, kind: 'pending_here', amount: 1n };
  const found = await database.transaction(async (tx) => {
    await createDifferenceTable(tx);
    await insertDifferences(tx, [first, second]);
    return await listFound(tx, 0, 10);
  });
  const absent = { provider_id: null, merchant_id: null, purchase_id: null, purchase: null };
  assert.deepEqual(
    found.map((row) => ({ ...row })),
    [
      { ...absent, ...first, number: 1 },
      { ...absent, ...second, number: 2 },
    ],
  );
});

test('writes text with a broken character as valid UTF-8', () => {
  assert.deepEqual(JSON.parse(rowsJson([{ words: 'cut \ud83d' }])), [{ words: 'cut \ufffd' }]);
});
