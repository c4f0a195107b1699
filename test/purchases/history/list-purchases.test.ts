/** Lists that would take too long to fill through a gateway: many purchases, and every product. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { billProducts, products } from '../../../src/core/products/product.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import {
  listPurchases,
  type PurchasePage,
  type PurchasePageRequest,
} from '../../../src/purchases/history/find-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { refusedFor } from '../../support/refusals.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();

function list(
  { merchantId, environment }: Buyer,
  request: Partial<PurchasePageRequest>,
): Promise<PurchasePage> {
  const principal = { merchant: { id: merchantId }, environment } as unknown as Principal;
  return listPurchases(database, principal, { page: 1, limit: 100, ...request });
}

describe('a list of more than 10,000 purchases', () => {
  const stored = 10_037;
  let buyer: Buyer;

  before(async () => {
    buyer = await openBuyer(database, 100_000_000n);
    for (let left = stored; left > 0; left -= 1_000) {
      const items = Array.from({ length: Math.min(left, 1_000) }, () =>
        purchase(buyer, 1n, { network: 'MTN', mode: 'async' }),
      );
      await accept(database, ...items);
    }
  });

  for (const limit of [100, 30, 7]) {
    it(`answers each page of ${limit} that it promises`, async () => {
      const { totalItems, totalPages } = await list(buyer, { limit });
      assert.equal(totalItems, stored);
      const last = await list(buyer, { limit, page: totalPages });
      assert.equal(last.items.length, limit);
      assert.ok(last.nextCursor);
      const further = await list(buyer, { limit, cursor: last.nextCursor });
      assert.equal(further.items.length, Math.min(limit, stored - totalPages * limit));
      await assert.rejects(list(buyer, { limit, page: totalPages + 1 }), refusedFor('page_too_deep'));
    });

    it(`is empty past its end in pages of ${limit}`, async () => {
      for (const page of [Math.ceil(stored / limit) + 1, 999_999_999_999_999]) {
        const { items, totalItems, nextCursor } = await list(buyer, { limit, page });
        assert.deepEqual([items.length, totalItems, nextCursor], [0, stored, undefined]);
      }
    });
  }
});

describe('a list by product', () => {
  const networks: Readonly<Record<string, string>> = {
    airtime: 'MTN',
    data: 'MTN',
    ...Object.fromEntries(billProducts.map((product) => [product, `network of ${product}`])),
  };
  let buyer: Buyer;

  before(async () => {
    buyer = await openBuyer(database, 1_000_000n);
    for (const product of billProducts) {
      await database.query(
        `insert into billers (product, network, name, active, position)
         values ($1, $2, $2, $1 <> 'CABLE', 9000)`,
        [product, networks[product]],
      );
    }
    const items = products.flatMap((product) =>
      Array.from({ length: 4 }, (_, index) =>
        purchase(buyer, 1n, {
          product,
          network: networks[product] ?? '',
          mode: index === 3 ? 'async' : 'sync',
        }),
      ),
    );
    await accept(database, ...items);
    await resolveWords(
      database,
      ...items.flatMap((item, index) =>
        item.mode === 'sync' && index % 4 !== 2
          ? [answer(buyer, item, index % 4 === 0 ? 'failed' : 'success')]
          : [],
      ),
    );
  });

  for (const product of products) {
    it(`finds the purchases of ${product} only`, async () => {
      const { items, totalItems } = await list(buyer, { product });
      assert.deepEqual(
        items.map((purchase) => purchase.product),
        Array(4).fill(product),
      );
      assert.equal(totalItems, 4);
      for (const [status, count] of [
        ['success', 1],
        ['failed', 1],
        ['pending', 2],
      ] as const) {
        const some = await list(buyer, { product, status });
        assert.deepEqual([some.items.length, some.totalItems], [count, count], status);
      }
      const elsewhere = await list(buyer, { product, network: 'GLO' });
      assert.deepEqual([elsewhere.items.length, elsewhere.totalItems], [0, 0]);
      const page = await list(buyer, { product, limit: 3, page: 2 });
      assert.equal(page.items.length, 1);
    });
  }
});
