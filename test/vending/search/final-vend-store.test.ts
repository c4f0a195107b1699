/** Final purchases are read in slices, each once, however many became final in the same moment. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  readFinalVends,
  sliceFinalVends,
  type VendSlice,
} from '../../../src/vending/search/final-vend-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import { idAt, insertSold, type SoldRow } from './fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

const NOON_MS = Date.parse('2026-03-02T12:00:00Z');
/** More than are read at once, of one moment. */
const ALIKE = 1_300;
const VENDS = 2_000;

function soldAt(index: number): SoldRow {
  const at = new Date(NOON_MS + Math.max(0, index - ALIKE) * 1_000);
  return {
    id: idAt(new Date(NOON_MS), index),
    merchantId: 1 + (index % 3),
    environment: 'live',
    reference: `ref-${index}`,
    product: 'airtime',
    network: 'MTN',
    recipient: `2348030${String(index).padStart(6, '0')}`,
    faceValue: 10_000 + index,
    provider: 'nomba',
    status: 'success',
    reason: 'delivered',
    attemptReference: `at-${index}`,
    providerReference: index % 2 === 0 ? `up-${index}` : null,
    token: index % 5 === 0 ? `token-${index}` : null,
    isLate: false,
    owner: null,
    createdAt: at,
    finalAt: at,
  };
}

const rows = Array.from({ length: VENDS }, (_, index) => soldAt(index));
await insertSold(database, rows);
const span = { from: '2026-03-02T12:00:00Z', to: '2026-03-03T12:00:00Z' };

function read(parts: readonly (readonly VendSlice[])[]) {
  return database.transaction(async (tx) => {
    const read = [];
    for (const slices of parts) {
      const vends = [];
      for (const slice of slices) vends.push(await readFinalVends(tx, slice));
      read.push(vends);
    }
    return read;
  });
}

test('each purchase is in one slice of one part, and parts are alike', async () => {
  const most = 1_100;
  const parts = await read(await database.transaction((tx) => sliceFinalVends(tx, span, most)));
  assert.deepEqual(
    parts.map((slices) => slices.flat().length),
    [1_000, 1_000],
  );
  assert.ok(parts.flat().every((vends) => vends.length <= 512));
  const all = parts.flat(2).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  assert.deepEqual(
    all.map((vend) => [
      vend.id,
      vend.merchantId,
      vend.recipient,
      vend.faceValue,
      vend.providerReferences,
      vend.tokens,
    ]),
    rows.map((row) => [
      row.id,
      row.merchantId,
      row.recipient,
      BigInt(row.faceValue),
      row.providerReference === null ? [] : [row.providerReference],
      row.token === null ? [] : [row.token],
    ]),
  );
});

test('a span without purchases has no part, and what has gone since is left out', async () => {
  const later = { from: '2026-03-03T12:00:00Z', to: '2026-03-04T12:00:00Z' };
  assert.deepEqual(await database.transaction((tx) => sliceFinalVends(tx, later, 1_100)), []);
  const parts = await database.transaction((tx) => sliceFinalVends(tx, span, 1_100));
  await database.query('delete from vend_outcomes where vend_id <= $1', [rows[1_499]?.id]);
  assert.deepEqual(
    (await read(parts)).map((slices) => slices.flat().length),
    [0, 500],
  );
});
