/**
 * A long history of one merchant beside others: every combination of filters returns the right
 * purchases and reads no more rows than a page, also when few rows match. The same holds for a
 * merchant that buys mainly orders.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Environment } from '../../src/core/environment.ts';
import { newId } from '../../src/core/ids.ts';
import { countPurchases, listPurchasePage } from '../../src/purchases/history/purchase-list-store.ts';
import type { PurchaseFilter } from '../../src/purchases/history/purchase-ranges-store.ts';
import type { PurchaseStatus } from '../../src/purchases/state/purchase.ts';
import { type Buyer, openBuyer } from '../purchases/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { lookedAt } from '../support/looked-at.ts';

const PURCHASES = 60_000;
const ORDERS = PURCHASES / 4;
const NETWORKS = 4;
const PAGE = 10;
const COUNTED_MAX = 10_001;

/** A load test bought for one number that always fails. */
const BUSY = '2348030000000';
const ONCE = '2348031111111';
const NOBODY = '2348039999999';
const crowd = (index: number): string => `2348032${String(index % (PURCHASES / 3)).padStart(6, '0')}`;

type Row = {
  readonly id: string;
  readonly environment: Environment;
  readonly network: string;
  readonly recipient: string;
  readonly status: PurchaseStatus;
  readonly owner: string | null;
};

const database = await openFileDatabase();

const START_MS = Date.UTC(2026, 0, 1);
const idOf = (index: number): string => {
  const time = (START_MS + index * 1_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`;
};

/** Index 0 is the oldest. The few matches of sparse filters are among the oldest. */
function rowAt(index: number, owner: string): Row {
  const row = { id: idOf(index), environment: 'live', owner: null } as const;
  switch (index) {
    case 1:
      return { ...row, network: '9MOBILE', recipient: ONCE, status: 'success' };
    case 2:
      return { ...row, network: 'GLO', recipient: BUSY, status: 'success' };
    case 3:
      return { ...row, network: 'GLO', recipient: BUSY, status: 'pending' };
    case 4:
      return { ...row, network: 'MTN', recipient: ONCE, status: 'pending', owner };
    case 5:
      return { ...row, network: 'MTN', recipient: crowd(7), status: 'success', environment: 'test' };
    case 6:
      return { ...row, network: '9MOBILE', recipient: crowd(7), status: 'failed' };
  }
  if (index >= PURCHASES * 0.8) {
    return { ...row, network: 'MTN', recipient: crowd(index), status: 'pending' };
  }
  if (index % 3 === 0) return { ...row, network: 'GLO', recipient: BUSY, status: 'failed' };
  return { ...row, network: 'MTN', recipient: crowd(index), status: index % 50 === 1 ? 'failed' : 'success' };
}

async function insertRows(buyer: Buyer, rows: readonly Row[], mode: 'sync' | 'order'): Promise<void> {
  const { merchantId, walletId } = buyer;
  for (let from = 0; from < rows.length; from += 20_000) {
    await database.query(
      `with item as materialized (
         select *
         from jsonb_to_recordset($1::jsonb)
           as i(id uuid, environment text, network text, recipient text, status text, owner uuid)
       ),
       sold as (
         insert into purchases (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value,
           charge, wallet_id, mode, route)
         select $2, environment, id, id, 'airtime', network, recipient, recipient, 100, 100, $3, $4, 'sandbox'
         from item
       ),
       pending as (
         insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, owner, network, recipient,
           provider)
         select $2, environment, id, $3, 100, 'send', case when owner is null then now() end, owner, network, recipient,
           'sandbox'
         from item
         where status = 'pending'
       ),
       final as (
         insert into purchase_outcomes (merchant_id, environment, purchase_id, status, reason, network, recipient)
         select $2, environment, id, status, 'delivered', network, recipient
         from item
         where status <> 'pending'
       )
       insert into purchase_counts as c (merchant_id, environment, network, status, count)
       select $2, environment, network, s.status, count(*)
       from item
       join lateral (values ('accepted'), (item.status)) as s(status) on s.status <> 'pending'
       group by environment, network, s.status
       on conflict (merchant_id, environment, network, status) do update set count = c.count + excluded.count`,
      [JSON.stringify(rows.slice(from, from + 20_000)), merchantId, walletId, mode],
    );
  }
}

const tables = ['purchases', 'purchase_outcomes', 'pending_purchases'];

const filters: PurchaseFilter[] = [undefined, 'success', 'failed', 'pending'].flatMap((status) =>
  [undefined, 'MTN', 'GLO', '9MOBILE', 'AIRTEL'].flatMap((network) =>
    [undefined, [crowd(1)], [BUSY], [ONCE], [NOBODY], [BUSY, ONCE]].map(
      (recipients) => ({ status, network, recipients }) as PurchaseFilter,
    ),
  ),
);

describe('the list of a long history', () => {
  const rows: Row[] = [];
  let buyer: Buyer;

  before(async () => {
    const owner = newId();
    for (let index = PURCHASES - 1; index >= 0; index -= 1) rows.push(rowAt(index, owner));
    const other = await openBuyer(database, 0n);
    const others = rows.slice(-500).map((row) => ({ ...row, network: 'GLO', owner: null }));
    await insertRows(other, others, 'sync');
    // The statistics do not cover the new rows.
    await database.query('analyze');
    buyer = await openBuyer(database, 0n);
    await insertRows(buyer, rows, 'sync');
  });

  function expected({ status, network, recipients }: PurchaseFilter): string[] {
    return rows
      .filter((row) => row.environment === 'live')
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => network === undefined || row.network === network)
      .filter((row) => recipients === undefined || recipients.includes(row.recipient))
      .map(({ id }) => id);
  }

  for (const statistics of ['old', 'fresh']) {
    it(`reads a page by its own rows, with any filter, with ${statistics} statistics`, async () => {
      if (statistics === 'fresh') await database.query('analyze');
      for (const filter of filters) {
        const ids = expected(filter);
        for (const start of [0, Math.floor(ids.length / 2), ids.length - 3]) {
          const cursor = start <= 0 ? undefined : ids[start - 1];
          const page = { limit: PAGE, offset: 0, before: cursor };
          const read = await lookedAt(database, tables, async (tx) => {
            const purchases = await listPurchasePage(tx, buyer, filter, page);
            const found = purchases.map(({ id }) => id);
            assert.deepEqual(found, ids.slice(Math.max(start, 0), Math.max(start, 0) + PAGE));
            assert.ok(
              purchases.every((purchase) => filter.status === undefined || purchase.status === filter.status),
            );
          });
          const bound = 2 * 2 * PAGE * (2 + NETWORKS * 2 * (filter.recipients?.length ?? 1));
          assert.ok(read <= bound, `${read} were looked at for ${JSON.stringify({ filter, start })}`);
        }
      }
    });
  }

  it('returns a page by its number too', async () => {
    for (const filter of filters) {
      const ids = expected(filter);
      const read = await lookedAt(database, tables, async (tx) => {
        const purchases = await listPurchasePage(tx, buyer, filter, { limit: PAGE, offset: 990 });
        assert.deepEqual(
          purchases.map(({ id }) => id),
          ids.slice(990, 990 + PAGE),
        );
      });
      assert.ok(read <= 10_000, `${read} were looked at for ${JSON.stringify(filter)}`);
    }
  });

  it('counts from counters, and by number no further than 10,001', async () => {
    for (const filter of filters) {
      const read = await lookedAt(database, tables, async (tx) => {
        const all = expected(filter).length;
        const count = await countPurchases(tx, buyer, filter);
        assert.equal(count, filter.recipients === undefined ? all : Math.min(all, COUNTED_MAX));
      });
      const bound = filter.recipients === undefined ? 0 : 4 * COUNTED_MAX;
      assert.ok(read <= bound, `${read} were looked at for ${JSON.stringify(filter)}`);
    }
  });
});

describe('the list of a merchant that sells orders', () => {
  it('skips orders', async () => {
    const buyer = await openBuyer(database, 0n);
    await database.query(
      "insert into products (product, kind, sealed) values ('esim', 'order', true) on conflict do nothing",
    );
    const orders = Array.from({ length: ORDERS }, (_, index): Row => {
      const row = { id: idOf(index + 10), environment: 'live', recipient: ONCE, owner: null } as const;
      return { ...row, network: 'esim', status: index % 2 === 0 ? 'success' : 'pending' };
    });
    await insertRows(buyer, orders, 'order');
    const own = [2, 1].map((index): Row => {
      const row = {
        id: idOf(index),
        environment: 'live',
        network: 'MTN',
        recipient: ONCE,
        owner: null,
      } as const;
      return { ...row, status: index === 1 ? 'success' : 'pending' };
    });
    await insertRows(buyer, own, 'sync');
    for (const [filter, found] of [
      [{}, own],
      [{ status: 'success' }, own.slice(1)],
      [{ status: 'failed' }, []],
      [{ status: 'pending' }, own.slice(0, 1)],
      [{ recipients: [ONCE] }, own],
      [{ recipients: [ONCE], status: 'pending' }, own.slice(0, 1)],
    ] as const) {
      const read = await lookedAt(database, tables, async (tx) => {
        const purchases = await listPurchasePage(tx, buyer, filter, { limit: PAGE, offset: 0 });
        assert.deepEqual(
          purchases.map(({ id }) => id),
          found.map(({ id }) => id),
        );
        assert.equal(await countPurchases(tx, buyer, filter), found.length);
      });
      assert.ok(read <= 100, `${read} were looked at for ${JSON.stringify(filter)}`);
    }
  });
});
