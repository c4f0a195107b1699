/**
 * A long history over many merchants: whatever purchases are searched by, and however rarely it
 * matches, a page looks at some rows a segment, never at the purchases one by one; and a purchase
 * that is in no segment costs no search of the whole history either.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SearchIndexing } from '../../src/vending/search/index-vends.ts';
import { beginning, readProgress } from '../../src/vending/search/progress-store.ts';
import type { SearchFilter } from '../../src/vending/search/search-filter.ts';
import { searchInSnapshot } from '../../src/vending/search/search-vends.ts';
import { createTestDatabase } from '../support/database.ts';
import { lookedAt } from '../support/looked-at.ts';
import { idAt, insertSold, isWanted, type SoldRow } from '../vending/search/fixture.ts';

const VENDS = 24_000;
const SEGMENT = 600;
const MERCHANTS = 40;
const UNINDEXED = 300;
const OLD = 500;
const PAGE = 20;

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

const START_MS = Date.now() - 100 * 86_400_000;
const STEP_MS = 60_000;
const BUSY = '2348030000000';
const ONCE = '2348039999998';

/** Index 0 is the oldest. Each of the two products is common, and so is each provider. */
function rowAt(index: number): SoldRow {
  const createdAt = new Date(START_MS + index * STEP_MS);
  const isData = index % 2 === 0;
  const failed = index % 20 === 3;
  return {
    id: idAt(createdAt, index),
    merchantId: index % 3 === 0 ? 1 : 1 + (index % MERCHANTS),
    environment: 'live',
    reference: `ref-${index}`,
    product: isData ? 'data' : 'airtime',
    network: index % 5 === 0 ? 'GLO' : 'MTN',
    recipient: index === 7 ? ONCE : index % 4 === 0 ? BUSY : `23480${String(index % 9_000).padStart(8, '1')}`,
    faceValue: index === 11 ? 123_456 : isData ? 50_000 : 20_000,
    provider: isData ? 'nomba' : 'vtpass',
    status: failed ? 'failed' : 'success',
    reason: failed ? (index === 23 ? 'not_found' : 'refused') : 'delivered',
    attemptReference: `at-${index}`,
    providerReference: `up-${index}`,
    token: null,
    isLate: false,
    owner: null,
    createdAt,
    finalAt: createdAt,
  };
}

const filters: readonly SearchFilter[] = [
  {},
  { recipients: [ONCE] },
  { recipients: ['2348031234567'] },
  { recipients: [BUSY], reason: 'not_found' },
  { recipients: [BUSY], from: new Date(START_MS), to: new Date(START_MS + 50 * STEP_MS) },
  { reference: 'ref-5' },
  { reference: 'at-5' },
  { reference: 'up-5' },
  { reference: 'nothing' },
  { reason: 'not_found' },
  { reason: 'not_sent' },
  { merchantId: 1, status: 'failed' },
  { merchantId: 17, reason: 'not_found' },
  { products: ['airtime'], provider: 'nomba' },
  { products: ['data'], status: 'failed' },
  { environment: 'test' },
  { amountMin: 123_456n, amountMax: 123_456n },
  { amountMin: 20_001n, amountMax: 49_999n },
  { products: ['data'], amountMin: 20_000n, amountMax: 20_000n },
  { status: 'pending' },
  { token: '12345678901234567890' },
];

async function countSegments(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::integer as count from search_segments',
  );
  return row?.count ?? 0;
}

describe('a search of a long history', () => {
  const rows: SoldRow[] = [];

  before(async () => {
    await database.query(
      `insert into merchants (id, code, name)
       overriding system value
       select n, 'M' || n, 'Merchant ' || n
       from generate_series(1, ${MERCHANTS}) as n`,
    );
    for (let index = VENDS - 1; index >= 0; index -= 1) rows.push(rowAt(index));
    await insertSold(database, rows.slice(-OLD));
    // The statistics know nothing of what comes now.
    await database.query('analyze');
    await insertSold(database, rows.slice(UNINDEXED, -OLD));
    const indexing = new SearchIndexing({ least: 100, most: SEGMENT });
    while ((await readProgress(database)).from !== beginning || (await countSegments()) === 0) {
      await indexing.run(database);
    }
    const upTo = new Date(START_MS + (VENDS - UNINDEXED) * STEP_MS).toISOString();
    await database.query(
      "update settings set value = json_build_object('from', '-infinity', 'up_to', $1::text)::text where name = 'search_progress'",
      [upTo],
    );
    await insertSold(database, rows.slice(0, UNINDEXED));
    await database.query("select brin_summarize_new_values('vend_outcomes_time_idx')");
  });

  for (const statistics of ['old', 'fresh']) {
    it(`looks at some rows a segment, with ${statistics} statistics`, async () => {
      if (statistics === 'fresh') await database.query('analyze');
      const segments = await countSegments();
      assert.ok(segments >= VENDS / SEGMENT - 1);
      for (const filter of filters) {
        const wanted = rows.filter((row) => isWanted(row, filter)).slice(0, PAGE);
        const tables = ['vends', 'vend_outcomes', 'pending_vends', 'attempts', 'provider_answers'];
        const ownTables = ['search_segments', 'search_postings'];
        const read = await lookedAt(database, [...tables, ...ownTables], async (tx) => {
          const page = await searchInSnapshot(tx, filter, { before: undefined, limit: PAGE });
          assert.deepEqual(
            page.items.map(({ id }) => id),
            wanted.map(({ id }) => id),
          );
        });
        // Blocks of outcomes are read whole: the last 64 of them and those not summarised.
        const bound = 2 * 2 * segments * (1 + Object.keys(filter).length) + 20 * PAGE + 2 * 64 * 60;
        assert.ok(read <= bound, `${read} were looked at for ${JSON.stringify(Object.keys(filter))}`);
      }
    });
  }
});
