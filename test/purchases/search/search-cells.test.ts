/** Pages of purchases whose merchants are in several cells, compared with pages of whole tables. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { prepareDatabase } from '../../../src/app/open-storage.ts';
import type { Queries } from '../../../src/db/database.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { searchPurchases } from '../../../src/purchases/search/search-purchases.ts';
import { walkLimits } from '../../../src/purchases/search/walk-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import { indexAll } from '../../support/index-all.ts';
import { openCellsOf } from '../../support/open-cells-of.ts';
import { idAt, insertSold, type SoldRow } from './fixture.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const clone = stack.use(await createTestDatabase({ empty: true }));
const { database } = clone;
await prepareDatabase(database, builtInProviders, 4);
const cells = await openCellsOf(clone, stack);
const apart: Queries = {
  query: database.query.bind(database),
  transaction: database.transaction.bind(database),
  cells,
};

const MERCHANTS = 6;
const START_MS = Date.now() - 20 * 24 * 3_600_000;

function rowAt(number: number): SoldRow {
  const createdAt = new Date(START_MS + number * 3_600_000);
  const isPending = number % 13 === 0;
  return {
    id: idAt(createdAt, number),
    // The newest belong to one merchant.
    merchantId: number >= 280 ? 1 : (number % MERCHANTS) + 1,
    environment: 'live',
    reference: `r-${number}`,
    product: 'airtime',
    network: number % 40 === 0 ? 'GLO' : 'MTN',
    recipient: '2348030000001',
    faceValue: 10_000,
    provider: 'vtpass',
    status: isPending ? 'pending' : 'success',
    reason: isPending ? null : 'delivered',
    attemptReference: `a-${number}`,
    providerReference: null,
    token: null,
    isLate: false,
    owner: null,
    createdAt,
    finalAt: isPending ? null : createdAt,
  };
}

const rows = Array.from({ length: 300 }, (_, number) => rowAt(number));
const newestFirst = (wanted: readonly SoldRow[]): string[] => wanted.map(({ id }) => id).reverse();

describe('purchases of merchants in several cells', () => {
  before(async () => {
    for (let id = 1; id <= MERCHANTS; id += 1) {
      await database.query(
        'insert into merchants (id, code, name) overriding system value values ($1, $2, $2)',
        [id, `SHOP-${id}`],
      );
    }
    await insertSold(database, rows);
    await indexAll(database);
    const counts = await Promise.all(cells.map((cell) => cell.query('select from purchases')));
    assert.ok(counts.filter(({ length }) => length > 0).length > 1);
    assert.equal(counts.flat().length, rows.length);
  });

  for (const limit of [7, 100, 299, 300]) {
    it(`are the same in pages of ${limit}, newest first, each once`, async () => {
      const ids: string[] = [];
      let next: string | undefined;
      do {
        const page = await searchPurchases(apart, {}, { before: next, limit });
        const isFull = page.items.length === limit;
        assert.equal(isFull || page.before === undefined, true);
        assert.equal(page.searchedUntil, undefined);
        ids.push(...page.items.map(({ id }) => id));
        next = page.before;
      } while (next !== undefined);
      assert.deepEqual(ids, newestFirst(rows));
    });
  }

  it('are all found if limits of rows end the pages, which report how far they have searched', async () => {
    const limits = { rowsMax: 10, stepRows: 5, walkMs: 60_000 };
    const filter = { network: 'GLO', provider: 'vtpass' };
    const ids: string[] = [];
    const reported: (Date | undefined)[] = [];
    let next: string | undefined;
    do {
      const page = await searchPurchases(apart, filter, { before: next, limit: 3 }, limits);
      const { items, searchedUntil } = page;
      assert.ok(items.every(({ createdAt }) => createdAt >= (searchedUntil ?? 0)));
      if (items.length < 3) assert.equal(searchedUntil === undefined, page.before === undefined);
      ids.push(...items.map(({ id }) => id));
      reported.push(searchedUntil);
      next = page.before;
    } while (next !== undefined);
    assert.deepEqual(ids, newestFirst(rows.filter(({ network }) => network === 'GLO')));
    assert.ok(reported.some((until) => until !== undefined));
    const whole = await searchPurchases(apart, filter, { before: undefined, limit: 300 }, walkLimits);
    assert.deepEqual([whole.items.length, whole.before, whole.searchedUntil], [8, undefined, undefined]);
  });

  it('those from a time on are searched no further back', async () => {
    const from = rows[290]?.createdAt;
    assert.ok(from);
    const page = await searchPurchases(apart, { from }, { before: undefined, limit: 20 });
    assert.deepEqual(
      page.items.map(({ id }) => id),
      newestFirst(rows.slice(290)),
    );
    assert.deepEqual([page.before, page.searchedUntil], [undefined, undefined]);
  });

  it('end below the oldest purchase, and are empty without cells', async () => {
    const none = { items: [], before: undefined, searchedUntil: undefined };
    const below = { before: rows[0]?.id, limit: 5 };
    assert.deepEqual(await searchPurchases(apart, {}, below), none);
    const first = { before: undefined, limit: 5 };
    assert.deepEqual(await searchPurchases({ ...apart, cells: [] }, {}, first), none);
  });
});
