/**
 * The indexes by which accept and resolve look up rows when their plans are made in a new database.
 * A plan is kept, and the wrong index would read all purchases of a merchant for each new one. Also
 * the rows read for a merchant's requests before the statistics include the merchant.
 */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import type { Database, Tx } from '../../../src/db/database.ts';
import { readSlice } from '../../../src/notifications/events/feed-store.ts';
import { claimLanePurchases, insertAttempts } from '../../../src/purchases/engine/claim-store.ts';
import { countPurchases, listPurchasePage } from '../../../src/purchases/history/purchase-list-store.ts';
import { findPurchaseById, findPurchaseByReference } from '../../../src/purchases/history/purchase-store.ts';
import {
  type Counted,
  countUnmarked,
  findPlaceOf,
  findSubjectAt,
  listLegs,
} from '../../../src/wallet/statement-store.ts';
import { listRedemptions, type VoucherRow } from '../../../src/wallet/vouchers/voucher-store.ts';
import { openCellOf } from '../../support/cell-of.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testCells } from '../../support/test-cells.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const acceptLookup = `
  select v.id, o.status
  from unnest($1) as i
  left join purchases v
    on v.merchant_id = i.merchant_id
    and v.environment = i.environment
    and v.reference = i.reference
  left join purchase_outcomes o
    on o.merchant_id = v.merchant_id
    and o.purchase_id = v.id`;

const resolveLookup = `
  select p.attempts, o.status
  from unnest($1) as i
  left join pending_purchases p
    on p.merchant_id = i.merchant_id
    and p.purchase_id = i.purchase_id
  left join purchase_outcomes o
    on o.merchant_id = i.merchant_id
    and o.purchase_id = i.purchase_id`;

/**
 * The indexes of the plan that a function keeps, under the settings of the two functions. An index
 * of a partition counts as that of its table.
 */
async function indexesOf(database: Database, item: string, lookup: string): Promise<string[]> {
  return await database.transaction(async (tx: Tx) => {
    for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) {
      await tx.query(`set local ${setting} = off`);
    }
    await tx.query('set local plan_cache_mode = force_generic_plan');
    await tx.query(`prepare lookup (${item}[]) as ${lookup}`);
    const rows = await tx.query<{ 'QUERY PLAN': unknown }>(`explain (format json) execute lookup ('{}')`);
    await tx.query('deallocate lookup');
    const names = JSON.stringify(rows).matchAll(/"Index Name":\s*\\?"(\w+)/g);
    const indexes = await tx.query<{ name: string }>(
      `select distinct coalesce(i.inhparent::regclass::text, name) as name
       from unnest($1::text[]) as name
       left join pg_inherits i on i.inhrelid = name::regclass
       order by 1`,
      [[...names].map((match) => match[1])],
    );
    return indexes.map(({ name }) => name);
  });
}

describe('the plans of accept and resolve', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
  });

  it('use the unique keys in a new database', async () => {
    assert.deepEqual(await indexesOf(test.database, 'accept_item', acceptLookup), [
      'purchase_outcomes_pkey',
      'purchases_reference_key',
    ]);
    assert.deepEqual(await indexesOf(test.database, 'resolve_item', resolveLookup), [
      'pending_purchases_pkey',
      'purchase_outcomes_pkey',
    ]);
  });
});

/**
 * Matches a join of the queue to other rows. With "=", a planner that last saw an empty queue may
 * read its whole index, dead entries included. The plan depends on the pages of the moment, so the
 * test reads the text.
 */
const joinsQueue =
  /(?:update|delete from|join) pending_purchases p\b(?:(?!\bleft join\b)[^;`])*?\bp\.purchase_id = (?!any)(?!\$)/;

it('join rows of the queue by their key only', async () => {
  const files = await Array.fromAsync(
    glob(['migrations/functions/*.sql', 'src/purchases/engine/*-store.ts']),
  );
  assert.ok(files.some((file) => file.endsWith('resolve_purchases.sql')));
  for (const file of files) {
    const match = joinsQueue.exec(await readFile(file, 'utf8'));
    assert.equal(match, null, `${file}: write p.purchase_id = any(array[…]): ${match?.[0].slice(-80)}`);
  }
  assert.ok(
    joinsQueue.test('update pending_purchases p set owner = null from k where p.purchase_id = k.purchase_id'),
  );
});

/** How many rows of the large tables the work looked at. */
async function rowsRead(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return await database.transaction(async (tx) => {
    // Counted by connection, so earlier transactions may be included.
    const before = await count(tx);
    await work(tx);
    return (await count(tx)) - before;
  });
}

async function count(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ read: bigint }>(
    `select sum(seq_tup_read + idx_tup_fetch)::bigint as read
     from pg_stat_xact_user_tables
     where relname ~ '^(purchases|purchase_outcomes|transfers|voucher_redemptions)(_\\d+)?$'`,
  );
  return Number(row?.read);
}

describe('reads of a merchant that came after the last analysis', () => {
  const PURCHASES = 600;
  const recipientOf = (index: number): string => `2348031${String(index).padStart(6, '0')}`;
  let test: TestDatabase;
  let buyer: Buyer;
  /** That of the buyer's cell. */
  let cell: Database;
  let references: string[];

  before(async () => {
    test = await createTestDatabase();
    buyer = await openBuyer(test.database, 1_000_000n);
    cell = await openCellOf(test, buyer.merchantId);
    const items = Array.from({ length: PURCHASES }, (_, index) =>
      purchase(buyer, 100n, { recipient: recipientOf(index) }),
    );
    await accept(cell, ...items);
    await resolveWords(cell, ...items.map((item) => answer(buyer, item, 'success')));
    references = items.map((item) => item.reference);
  });
  after(async () => {
    await cell[Symbol.asyncDispose]();
    await test[Symbol.asyncDispose]();
  });

  it('finds one purchase by one row of its table', async () => {
    for (const reference of references.slice(-3)) {
      const read = await rowsRead(cell, async (tx) => {
        const purchase = await findPurchaseByReference(tx, buyer, reference);
        assert.ok(purchase);
        assert.deepEqual(
          await findPurchaseById(tx, buyer.merchantId, buyer.environment, purchase.id),
          purchase,
        );
      });
      assert.ok(read <= 4, `${read} rows were read for one purchase and its outcome, twice`);
    }
  });

  it('looks up a claim and its attempts by their keys, with and without statistics', async () => {
    const items = Array.from({ length: 5 }, () => purchase(buyer, 100n));
    await accept(cell, ...items);
    const due = "update pending_purchases set due_at = now() - interval '1 second', owner = null";
    const claim = { provider: 'sandbox', step: 'query', limit: 5, after: -1, leaseMs: 60_000 } as const;
    for (const isAnalyzed of [false, true]) {
      await cell.query(due);
      const read = await rowsRead(cell, async (tx) => {
        if (isAnalyzed) await tx.query('analyze public.purchases');
        const claimed = await claimLanePurchases(tx, newId(), claim);
        assert.equal(claimed.length, items.length);
        const attempts = claimed.map(({ merchantId, purchaseId, attempt }) => {
          assert.ok(attempt);
          return { ...attempt, merchantId, purchaseId, number: 1, reason: 'again' };
        });
        const stored = await insertAttempts(tx, attempts);
        assert.equal(stored.size, 0, 'the first attempts are in the rows of the purchases');
      });
      assert.ok(read <= 10 * items.length, `${read} rows were read for ${items.length} claims`);
    }
    await resolveWords(cell, ...items.map((item) => answer(buyer, item, 'success')));
  });

  it('reads the rows of a page of the list', async () => {
    const read = await rowsRead(cell, async (tx) => {
      const page = await listPurchasePage(tx, buyer, {}, { limit: 20, offset: 0 });
      assert.equal(page.length, 20);
    });
    // A table this small may as well be read whole, once.
    assert.ok(read <= 2 * PURCHASES, `${read} rows were read for a page of 20`);
  });

  it('counts the purchases of a few recipients by their own rows', async () => {
    const recipients = references.slice(0, 5).map((_, index) => recipientOf(index));
    const read = await rowsRead(cell, async (tx) => {
      assert.equal(await countPurchases(tx, buyer, { recipients }), 5);
    });
    assert.ok(read <= 20, `${read} rows were read to count 5`);
  });

  it('reads the rows of a page by cursor, at any depth', async () => {
    const all = await listPurchasePage(cell, buyer, {}, { limit: PURCHASES, offset: 0 });
    for (const before of [all[10]?.id, all[PURCHASES - 30]?.id]) {
      const read = await rowsRead(cell, async (tx) => {
        const page = await listPurchasePage(tx, buyer, { network: 'MTN' }, { limit: 20, offset: 0, before });
        assert.equal(page.length, 20);
      });
      assert.ok(read <= 80, `${read} rows were read for a page of 20`);
    }
  });

  // Its pages cost less than an index.
  const wholeTables = { skip: testCells > 1 && 'a partition with 300 rows is read whole' };
  it('finds failed purchases of a network or recipient by their own rows', wholeTables, async () => {
    const other = await openBuyer(test.database, 1_000_000n);
    await using otherCell = await openCellOf(test, other.merchantId);
    const failed = Array.from({ length: 300 }, (_, index) =>
      purchase(other, 100n, { network: index === 3 ? 'GLO' : 'MTN', recipient: recipientOf(index) }),
    );
    await accept(otherCell, ...failed);
    await resolveWords(otherCell, ...failed.map((item) => answer(other, item, 'failed')));
    for (const [filter, found] of [
      [{ network: 'GLO' }, 1],
      [{ network: 'AIRTEL' }, 0],
      [{ recipients: [recipientOf(5)] }, 1],
      [{ recipients: [recipientOf(900)] }, 0],
      [{ recipients: [recipientOf(3)], network: 'GLO' }, 1],
    ] as const) {
      const read = await rowsRead(otherCell, async (tx) => {
        const page = { limit: 20, offset: 0 };
        const purchases = await listPurchasePage(tx, other, { ...filter, status: 'failed' }, page);
        assert.equal(purchases.length, found);
      });
      assert.ok(read <= 10, `${read} rows were read to find ${found}`);
    }
  });

  it('reads the rows of a page of the feed', async () => {
    const read = await rowsRead(cell, async (tx) => {
      const { events, cut } = await readSlice(tx, buyer, 0n, 20);
      assert.ok(events.length >= 15 && cut !== undefined);
    });
    assert.ok(read <= 150, `${read} rows were read for a page of 20`);
  });

  it('reads the rows of a page of the statement', async () => {
    const wallet = { accountId: buyer.walletId, ...buyer };
    const read = await rowsRead(cell, async (tx) => {
      const page = await listLegs(tx, wallet, { after: 0n, upTo: 1n << 62n, limit: 40 });
      assert.equal(page.length, 40);
      assert.ok(page.every((leg) => leg.code === 'correction' || leg.purchase_reference !== null));
    });
    assert.ok(read <= 100, `${read} rows were read for a page of 40`);
  });

  it('counts movements of a wallet since its last mark once', async () => {
    const counted = new Map<bigint, Counted>();
    const readOnce = async (): Promise<{ read: number; count: bigint }> => {
      let count = 0n;
      const read = await rowsRead(cell, async (tx) => {
        const [wallet] = await countUnmarked(tx, 10_000, counted, buyer.walletId);
        assert.ok(wallet);
        counted.set(wallet.accountId, wallet);
        count = wallet.count;
      });
      return { read, count };
    };
    const first = await readOnce();
    assert.ok(first.count > BigInt(PURCHASES));
    assert.ok(first.read >= Number(first.count));
    const again = await readOnce();
    assert.equal(again.count, first.count);
    assert.ok(again.read <= 4, `${again.read} rows were read to count nothing new`);
  });

  it('finds a cursor of the statement by its own rows', async () => {
    const wallet = { accountId: buyer.walletId, ...buyer };
    const read = await rowsRead(cell, async (tx) => {
      const subject = await findSubjectAt(tx, wallet, { after: 0n, upTo: 1n << 62n });
      assert.ok(subject);
      assert.ok((await findPlaceOf(tx, wallet, subject)) !== undefined);
    });
    assert.ok(read <= 4, `${read} rows were read for a cursor`);
  });

  it('finds the orders of a voucher by their own rows', async () => {
    const { merchantId, environment } = buyer;
    const [order] = await listPurchasePage(cell, buyer, {}, { limit: 1, offset: 0 });
    assert.ok(order);
    const [voucher] = await test.database.query<Pick<VoucherRow, 'id'>>(
      `with issued as (
         insert into vouchers (merchant_id, environment, issue_id, value, id, code_hash, hint)
         values ($1, $2, gen_random_uuid(), 100, gen_random_uuid(), sha256('code'), 'CODE')
         returning merchant_id, id
       ), redeemed as (
         insert into voucher_redemptions (merchant_id, purchase_id, voucher_id, redeem_id, settle_id)
         select merchant_id, $3, id, gen_random_uuid(), gen_random_uuid()
         from issued
       )
       select id
       from issued`,
      [merchantId, environment, order.id],
    );
    assert.ok(voucher);
    const row = { id: voucher.id, merchant_id: merchantId, environment };
    const read = await rowsRead(cell, async (tx) => {
      const orders = await listRedemptions(tx, row);
      assert.deepEqual(
        orders.map(({ reference }) => reference),
        [order.reference],
      );
    });
    assert.ok(read <= 4, `${read} rows were read for the one order of a voucher`);
  });
});
