/** The database stores the products of the records: their kinds, and test routes of new ones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeProducts } from '../../../src/catalog/routes/operations/store-products.ts';
import { listRoutes, setRoute } from '../../../src/catalog/routes/route-store.ts';
import { giftCard } from '../../../src/core/products/gift-card.ts';
import { productRecords } from '../../../src/core/products/registry.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { openFileDatabase } from '../../support/file-database.ts';

const database = await openFileDatabase();

const novelty = { ...giftCard, name: 'NOVELTY', isSealed: false };
const providers = builtInProviders.map((provider) => ({
  ...provider,
  products: new Set([...provider.products, 'NOVELTY']),
}));

async function stored(): Promise<{ product: string; kind: string; sealed: boolean }[]> {
  return await database.query('select product, kind, sealed from products order by known_since, product');
}

async function testRoutesOf(product: string): Promise<string[]> {
  const routes = await listRoutes(database);
  return routes
    .filter((route) => route.environment === 'test' && route.product === product)
    .map(({ network, provider }) => `${network} ${provider}`);
}

test('a database that is up to date has every product with its flags, and a test route for each', async () => {
  const rows = await stored();
  for (const { name, kind, isSealed } of productRecords) {
    assert.ok(
      rows.some((row) => row.product === name && row.kind === kind && row.sealed === isSealed),
      name,
    );
    assert.deepEqual(await testRoutesOf(name), ['* sandbox'], name);
  }
  assert.equal(rows.length, productRecords.length);
});

test('creates the row and the test route of a new product once, however many processes start', async () => {
  const before = await stored();
  await Promise.all(
    Array.from({ length: 4 }, () =>
      database.transaction((tx) => storeProducts(tx, [...productRecords, novelty], providers)),
    ),
  );
  assert.deepEqual(await stored(), [...before, { product: 'NOVELTY', kind: 'order', sealed: false }]);
  assert.deepEqual(await testRoutesOf('NOVELTY'), ['* sandbox']);
});

test('a known product keeps the routes that the operator chose, also an empty list', async () => {
  await database.transaction((tx) =>
    setRoute(tx, { environment: 'test', product: 'NOVELTY', network: '*', providers: [] }),
  );
  await database.transaction((tx) => storeProducts(tx, [novelty], providers));
  assert.deepEqual(await testRoutesOf('NOVELTY'), []);
});

test('stores a changed flag, and leaves the other products unchanged', async () => {
  const before = await stored();
  await database.transaction((tx) => storeProducts(tx, [{ ...novelty, isSealed: true }], providers));
  assert.deepEqual(
    await stored(),
    before.map((row) => (row.product === 'NOVELTY' ? { ...row, sealed: true } : row)),
  );
});
