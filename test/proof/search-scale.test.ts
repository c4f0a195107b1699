/**
 * A long history over many merchants: a search by a value reads the rows with the value, a day of a
 * merchant is read by that day, and any other search stops at its limit of rows.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { SearchFilter } from '../../src/purchases/search/search-filter.ts';
import { searchInSnapshot } from '../../src/purchases/search/search-purchases.ts';
import { walkLimits } from '../../src/purchases/search/walk-store.ts';
import { idAt, insertSold, isWanted, type SoldRow } from '../purchases/search/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { indexAll } from '../support/index-all.ts';
import { lookedAt } from '../support/looked-at.ts';

const PURCHASES = 24_000;
const ROWS_MAX = 1_000;
const MERCHANTS = 40;
const UNINDEXED = 300;
const OLD = 500;
const PAGE = 20;

const database = await openFileDatabase();

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
    token: index === 5 ? '00000000000000000005' : null,
    isLate: false,
    owner: null,
    createdAt,
    finalAt: createdAt,
  };
}

const dayFrom = new Date(START_MS + 5_000 * STEP_MS);
const day = { from: dayFrom, to: new Date(dayFrom.getTime() + 86_400_000) };

/** Each with the number of rows that it may read besides those of its page. */
const searches: readonly (readonly [SearchFilter, number])[] = [
  [{}, 0],
  [{ recipients: [ONCE] }, 0],
  [{ recipients: ['2348031234567'] }, 0],
  [{ recipients: [ONCE], reason: 'not_found' }, 0],
  [{ recipients: [BUSY], from: new Date(START_MS), to: new Date(START_MS + 50 * STEP_MS) }, 0],
  [{ reference: 'ref-5' }, 0],
  [{ reference: 'at-5' }, 0],
  [{ reference: 'up-5' }, 0],
  [{ reference: 'nothing' }, 0],
  [{ token: '12345678901234567890' }, 0],
  [{ token: '00000000000000000005' }, 0],
  [{ status: 'pending' }, 0],
  [{ status: 'failed' }, 0],
  [{ reason: 'not_found' }, 0],
  [{ reason: 'not_sent' }, 0],
  [{ merchantId: 17 }, 0],
  [{ merchantId: 17, ...day }, 0],
  // The merchant's sales of that day, at most.
  [{ merchantId: 17, ...day, reason: 'not_found' }, 2 * 36],
  [{ merchantId: 17, ...day, amountMin: 20_001n, amountMax: 49_999n }, 2 * 36],
  [{ merchantId: 1, status: 'failed' }, 2 * 20 * PAGE],
  [{ products: ['data'], status: 'failed' }, ROWS_MAX],
];

/** Few or no purchases match, and no index leads to them. */
const rare: readonly SearchFilter[] = [
  { recipients: [BUSY], reason: 'not_found' },
  { products: ['airtime'], provider: 'nomba' },
  { environment: 'test' },
  { amountMin: 123_456n, amountMax: 123_456n },
  { products: ['data'], amountMin: 20_000n, amountMax: 20_000n },
];

const tables = ['purchases', 'purchase_outcomes', 'pending_purchases', 'further_attempts', 'further_answers'];
const ownTables = ['purchase_search', 'purchase_search_names'];
/** An index entry and a row for each of a page, by each statement; and whole blocks of outcomes. */
const PAGE_READS = 20 * PAGE + 2 * 64 * 60 + UNINDEXED;

describe('a search of a long history', () => {
  const rows: SoldRow[] = [];

  before(async () => {
    await database.query(
      `insert into merchants (id, code, name)
       overriding system value
       select n, 'M' || n, 'Merchant ' || n
       from generate_series(1, ${MERCHANTS}) as n`,
    );
    for (let index = PURCHASES - 1; index >= 0; index -= 1) rows.push(rowAt(index));
    await insertSold(database, rows.slice(-OLD));
    // The statistics do not cover the new rows.
    await database.query('analyze');
    await insertSold(database, rows.slice(UNINDEXED, -OLD));
    await indexAll(database);
    const upTo = new Date(START_MS + (PURCHASES - UNINDEXED) * STEP_MS).toISOString();
    await database.query(
      "update settings set value = json_build_object('up_to', $1::text, 'read_from', $1::text)::text where name = 'search_progress'",
      [upTo],
    );
    await insertSold(database, rows.slice(0, UNINDEXED));
    await database.query("select brin_summarize_new_values('purchase_outcomes_time_idx')");
  });

  for (const statistics of ['old', 'fresh']) {
    it(`reads its matches and a bounded rest, with ${statistics} statistics`, async () => {
      if (statistics === 'fresh') await database.query('analyze');
      for (const [filter, rest] of searches) {
        const wanted = rows.filter((row) => isWanted(row, filter)).slice(0, PAGE);
        let found: readonly string[] = [];
        const read = await lookedAt(database, [...tables, ...ownTables], async (tx) => {
          const { items } = await searchInSnapshot(tx, filter, { before: undefined, limit: PAGE });
          found = items.map(({ id }) => id);
        });
        const what = JSON.stringify(Object.keys(filter));
        assert.deepEqual(
          found,
          wanted.map(({ id }) => id),
          what,
        );
        assert.ok(read <= PAGE_READS + 2 * rest, `${read} were read for ${what}`);
      }
    });

    it(`stops at the limit where no index leads to the matches, with ${statistics} statistics`, async () => {
      for (const filter of rare) {
        const read = await lookedAt(database, [...tables, ...ownTables], async (tx) => {
          const page = { before: undefined, limit: PAGE };
          const limits = { ...walkLimits, rowsMax: ROWS_MAX };
          const { items, searchedUntil } = await searchInSnapshot(tx, filter, page, limits);
          assert.ok(searchedUntil !== undefined, JSON.stringify(Object.keys(filter)));
          assert.deepEqual(
            items.map(({ id }) => id),
            rows.filter((row) => isWanted(row, filter) && row.createdAt >= searchedUntil).map(({ id }) => id),
          );
        });
        // The rows, once more their entries for the position where it stopped, and the failures of
        // the same time.
        const bound = PAGE_READS + 3 * ROWS_MAX;
        assert.ok(read <= bound, `${read} were read for ${JSON.stringify(Object.keys(filter))}`);
      }
    });
  }
});
