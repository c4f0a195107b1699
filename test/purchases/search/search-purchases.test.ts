/**
 * Search of purchases across merchants: every combination of filters returns the same as a scan of
 * all, newest first, page by page, whether a purchase is in the search table, newly final, or
 * pending.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../src/core/ids.ts';
import { SearchIndexing } from '../../../src/purchases/search/index-purchases.ts';
import type { SearchFilter } from '../../../src/purchases/search/search-filter.ts';
import { searchPurchases } from '../../../src/purchases/search/search-purchases.ts';
import { type WalkLimits, walkLimits } from '../../../src/purchases/search/walk-store.ts';
import type { PurchaseStatus } from '../../../src/purchases/state/purchase.ts';
import { runs } from '../../support/budget.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { indexAll } from '../../support/index-all.ts';
import { idAt, insertSold, isWanted, type SoldRow } from './fixture.ts';

const database = await openFileDatabase();

const HOUR_MS = 3_600_000;
const START_MS = Date.now() - 40 * 24 * HOUR_MS;
const phones = ['2348030000001', '2348030000002', '2348030000003'] as const;
const products = [
  ['airtime', 'MTN'],
  ['airtime', 'GLO'],
  ['data', 'MTN'],
  ['ELECTRICITY', 'Ikeja Electric'],
  ['GIFTCARD', 'GIFTCARD'],
] as const;
const owner = newId();

/** Deterministic, and each property as good as independent of the others. */
function rowAt(number: number, merchantIds: readonly number[], status: PurchaseStatus): SoldRow {
  const pick = <T>(values: readonly T[], prime: number): T =>
    values[Math.floor(number / prime + number * 0.618) % values.length] as T;
  const createdAt = new Date(START_MS + number * HOUR_MS);
  const [product, network] = pick(products, 3);
  const isBill = product === 'ELECTRICITY';
  const wasSent = number % 11 !== 0;
  return {
    id: idAt(createdAt, number),
    merchantId: merchantIds[number % merchantIds.length] ?? 0,
    environment: number % 9 === 0 ? 'test' : 'live',
    // Three merchants have each.
    reference: `ref-${Math.floor(number / 3)}`,
    product,
    network,
    recipient: product === 'GIFTCARD' ? '' : isBill ? `4500${number % 5}` : pick(phones, 5),
    faceValue: pick([10_000, 20_000, 50_000, 123_45], 13),
    provider: wasSent ? pick(['vtpass', 'nomba'], 17) : null,
    status,
    reason:
      status === 'pending' ? null : status === 'success' ? 'delivered' : pick(['refused', 'not_sent'], 2),
    attemptReference: wasSent ? `20261122${number}` : null,
    providerReference: wasSent && number % 2 === 0 ? `upstream-${number % 200}` : null,
    token: isBill && status === 'success' ? String(number % 40).padStart(20, '7') : null,
    isLate: number % 4 === 0,
    owner: number % 3 === 0 ? owner : null,
    createdAt,
    // Some wait for a day or two.
    finalAt:
      status === 'pending' ? null : new Date(createdAt.getTime() + (number % 23 === 0 ? 40 : 0) * HOUR_MS),
  };
}

const statusAt = (number: number): PurchaseStatus =>
  number % 13 === 0 ? 'pending' : number % 5 === 0 ? 'failed' : 'success';

type Walk = { readonly between?: () => Promise<void>; readonly limits?: WalkLimits };

async function walk(filter: SearchFilter, limit: number, { between, limits }: Walk = {}): Promise<string[]> {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await searchPurchases(database, filter, { before: next, limit }, limits);
    if (limits === undefined) assert.equal(page.searchedUntil, undefined);
    assert.ok(page.items.every(({ createdAt }) => createdAt >= (page.searchedUntil ?? 0)));
    assert.ok(page.items.length <= limit);
    ids.push(...page.items.map(({ id }) => id));
    next = page.before;
    await between?.();
  } while (next !== undefined);
  return ids;
}

async function countFilled(): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::integer as count from purchase_search',
  );
  return row?.count ?? 0;
}

describe('finding purchases', () => {
  let merchantIds: number[] = [];
  const rows: SoldRow[] = [];
  /** The purchases so far, newest first. */
  const expected = (filter: SearchFilter): string[] =>
    rows
      .filter((row) => isWanted(row, filter))
      .map(({ id }) => id)
      .sort()
      .reverse();

  /** Outcomes get times after the mark of the search, as they always do. */
  async function sell(from: number, to: number): Promise<void> {
    const upTo = new Date(START_MS + from * HOUR_MS).toISOString();
    await database.query(
      `update settings
       set value = json_build_object('up_to', $1::text, 'read_from', $1::text)::text
       where name = 'search_progress'
       and (value::json->>'up_to')::timestamptz > $1::timestamptz`,
      [upTo],
    );
    const sold = Array.from({ length: to - from }, (_, index) =>
      rowAt(from + index, merchantIds, statusAt(from + index)),
    );
    await insertSold(database, sold);
    rows.push(...sold);
  }

  before(async () => {
    const merchants = await database.query<{ id: number }>(
      `insert into merchants (code, name)
       values ('ONE', 'One'), ('TWO', 'Two'), ('THREE', 'Three')
       returning id`,
    );
    merchantIds = merchants.map(({ id }) => id);
    const indexing = new SearchIndexing(64);
    await sell(0, 500);
    await indexAll(database, indexing);
    await sell(550, 700);
    await indexAll(database, indexing);
    assert.equal(await countFilled(), rows.filter(({ status }) => status !== 'pending').length);
    // These are not in the table.
    await sell(750, 765);
  });

  const filters: fc.Arbitrary<SearchFilter> = fc
    .record(
      {
        merchant: fc.nat(3),
        environment: fc.constantFrom('live', 'test'),
        products: fc.constantFrom(['airtime'], ['data'], ['ELECTRICITY', 'CABLE'], ['GIFTCARD'], ['ESIM']),
        network: fc.constantFrom('MTN', 'GLO', 'Ikeja Electric', '9MOBILE'),
        provider: fc.constantFrom('vtpass', 'nomba', 'reloadly'),
        status: fc.constantFrom('pending', 'success', 'failed'),
        reason: fc.constantFrom('delivered', 'refused', 'not_sent', 'not_found'),
        amountMin: fc.constantFrom(1n, 12_345n, 12_346n, 20_000n, 50_001n),
        amountMax: fc.constantFrom(12_344n, 12_345n, 20_000n, 99_999n),
        recipients: fc.constantFrom([phones[0]], [phones[1], '45001'], ['45003'], ['2348039999999']),
        reference: fc.nat(770).chain((number) => {
          const row = rowAt(number, [1], statusAt(number));
          return fc.constantFrom(
            row.reference,
            row.id,
            row.attemptReference ?? 'none',
            row.providerReference ?? 'none',
          );
        }),
        token: fc.nat(40).map((number) => String(number).padStart(20, '7')),
        from: fc.nat(770).map((hours) => new Date(START_MS + hours * HOUR_MS)),
        to: fc.nat(770).map((hours) => new Date(START_MS + hours * HOUR_MS)),
      },
      { requiredKeys: [] },
    )
    // More than a few at once find nothing.
    .chain((all) =>
      fc
        .subarray(Object.keys(all), { maxLength: 4 })
        .map((names) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))),
    )
    .map(({ merchant, ...filter }) => ({
      ...filter,
      ...(merchant !== undefined && { merchantId: merchantIds[merchant as number] ?? 4_711 }),
    }));

  it('finds the same purchases as a full scan, with any combination of filters', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(60, 200), async (filter, limit) => {
        assert.deepEqual(await walk(filter, limit), expected(filter));
      }),
      runs(15),
    );
  });

  it('also finds them if a limit of rows or time ends each page', async () => {
    const limits = fc.record({
      rowsMax: fc.integer({ min: 40, max: 200 }),
      stepRows: fc.integer({ min: 10, max: 200 }),
      walkMs: fc.constantFrom(0, 1_000),
    });
    await fc.assert(
      fc.asyncProperty(filters, limits, async (filter, drawn) => {
        assert.deepEqual(await walk(filter, 30, { limits: drawn }), expected(filter));
      }),
      runs(15),
    );
  });

  it('reports how far it has searched if the limit of rows ends a page', async () => {
    const filter = { network: 'GLO', reason: 'delivered', amountMin: 99_999n } as const;
    const limits = { ...walkLimits, rowsMax: 20 };
    const page = await searchPurchases(database, filter, { before: undefined, limit: 10 }, limits);
    assert.deepEqual(page.items, []);
    assert.ok(page.before !== undefined && page.searchedUntil !== undefined);
    const whole = await searchPurchases(database, filter, { before: undefined, limit: 10 });
    assert.equal(whole.searchedUntil, undefined);
  });

  it('finds the searched values', async () => {
    const row = rows.find(({ number = 0, ...one }: SoldRow & { number?: number }) => {
      return number === 0 && one.status === 'success' && one.providerReference !== null;
    });
    assert.ok(row?.providerReference);
    const { items } = await searchPurchases(database, { reference: row.id }, { before: undefined, limit: 2 });
    assert.equal(items.length, 1);
    const [found] = items;
    assert.equal(found?.reference, row.reference);
    assert.equal(found?.attemptReference, row.attemptReference);
    assert.equal(found?.providerReference, row.providerReference);
    assert.deepEqual(found?.createdAt, row.createdAt);
    assert.deepEqual(found?.finalAt, row.finalAt);
  });

  it('continues while purchases arrive and the table is filled', async () => {
    const filter = { environment: 'live' } as const;
    const all = expected(filter);
    const indexing = new SearchIndexing(64);
    let next = 850;
    const found = await walk(filter, 100, {
      between: async () => {
        await sell(next, next + 10);
        next += 10;
        await indexing.run(database);
      },
    });
    assert.deepEqual(found, all);
    assert.deepEqual(await walk(filter, 100), expected(filter));
  });
});
