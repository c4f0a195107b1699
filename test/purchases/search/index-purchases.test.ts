/** The table of the search is filled in slices, each purchase once, by one process at a time. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { anonymisePurchases } from '../../../src/operate/retention/purchase-anonymising-store.ts';
import { fillSpan } from '../../../src/purchases/search/fill-store.ts';
import { SearchIndexing } from '../../../src/purchases/search/index-purchases.ts';
import { readProgress } from '../../../src/purchases/search/progress-store.ts';
import { searchPurchases } from '../../../src/purchases/search/search-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { indexAll } from '../../support/index-all.ts';
import { idAt, insertSold, type SoldRow } from './fixture.ts';

const database = await openFileDatabase();

const NOON_MS = Date.parse('2026-03-02T12:00:00Z');
/** Purchases that became final in one moment. */
const ALIKE = 130;
const PURCHASES = 200;

function soldAt(index: number): SoldRow {
  const at = new Date(NOON_MS + Math.max(0, index - ALIKE) * 1_000);
  return {
    id: idAt(new Date(NOON_MS), index),
    merchantId: 1,
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

await database.query(
  "insert into merchants (id, code, name) overriding system value values (1, 'SHOP', 'Shop')",
);
await insertSold(
  database,
  Array.from({ length: PURCHASES }, (_, index) => soldAt(index)),
);

beforeEach(async () => {
  await database.query('truncate purchase_search, purchase_search_names');
  await database.query(
    `update settings
     set value = '{"up_to": "-infinity", "read_from": "-infinity"}'
     where name = 'search_progress'`,
  );
});

async function countRows(): Promise<readonly [number, number]> {
  const [row] = await database.query<{ purchases: number; names: number }>(
    `select
       (select count(*)::integer from purchase_search) as purchases,
       (select count(*)::integer from purchase_search_names) as names`,
  );
  return [row?.purchases ?? 0, row?.names ?? 0];
}

const whole = [PURCHASES, PURCHASES / 2 + PURCHASES / 5] as const;

test('gives each final purchase one row, however many became final in one moment', async () => {
  await indexAll(database, new SearchIndexing(16));
  assert.deepEqual(await countRows(), whole);
});

test('continues after a kill between two slices, and after the mark went back', async () => {
  const dying = new SearchIndexing(16);
  await assert.rejects(
    database.transaction(async (tx) => {
      await dying.fillSlice(tx);
      throw new Error('killed');
    }),
    /killed/,
  );
  assert.deepEqual(await countRows(), [0, 0]);
  await database.transaction((tx) => dying.fillSlice(tx));
  const [some] = await countRows();
  assert.ok(some >= ALIKE && some < PURCHASES, `${some}`);
  await indexAll(database);
  assert.deepEqual(await countRows(), whole);
  const span = { from: '2026-03-02T12:00:00Z', to: '2026-03-03T12:00:00Z' };
  await database.transaction((tx) => fillSpan(tx, span));
  assert.deepEqual(await countRows(), whole);
});

test('a second process leaves the table to the first one', async () => {
  await database.transaction(async (tx) => {
    await new SearchIndexing().fillSlice(tx);
    assert.equal(await database.transaction((other) => new SearchIndexing().fillSlice(other)), 'busy');
  });
  assert.notEqual(await database.transaction((other) => new SearchIndexing().fillSlice(other)), 'busy');
});

test('reports that old purchases are missing while too many wait', async () => {
  const filter = { merchantId: 1 };
  const page = { before: undefined, limit: 5 };
  await database.transaction((tx) => new SearchIndexing(16, PURCHASES).fillSlice(tx));
  const { upTo, readFrom } = await readProgress(database);
  assert.equal(readFrom, upTo);
  assert.equal((await searchPurchases(database, filter, page)).searchedUntil, undefined);
  await database.transaction((tx) => new SearchIndexing(16, 10).fillSlice(tx));
  assert.ok((await searchPurchases(database, filter, page)).searchedUntil !== undefined);
  await indexAll(database, new SearchIndexing(16, 10));
  assert.equal((await searchPurchases(database, filter, page)).searchedUntil, undefined);
});

test('never contains a number that retention masks, before it is filled or after', async () => {
  const [early, late] = [soldAt(3), soldAt(4)];
  const find = async ({ recipient }: SoldRow): Promise<number> => {
    const filter = { recipients: [recipient] };
    return (await searchPurchases(database, filter, { before: undefined, limit: 5 })).items.length;
  };
  await database.transaction(async (tx) => {
    await anonymisePurchases(tx, 'purchases', 1, [early.id]);
    assert.equal(await database.transaction((other) => new SearchIndexing().fillSlice(other)), 'busy');
  });
  await indexAll(database);
  assert.deepEqual(await countRows(), whole);
  assert.deepEqual([await find(early), await find(late)], [0, 1]);
  await database.transaction((tx) => anonymisePurchases(tx, 'customers', 1, [late.id]));
  assert.equal(await find(late), 1);
  await database.transaction((tx) => anonymisePurchases(tx, 'purchases', 1, [late.id]));
  assert.equal(await find(late), 0);
  const left = await database.query('select from purchase_search where recipient = any($1)', [
    [early.recipient, late.recipient],
  ]);
  assert.deepEqual(left, []);
});
