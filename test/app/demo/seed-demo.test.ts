/** The first start seeds the demo, and later starts keep changes. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { seedDemo } from '../../../src/app/demo/seed-demo.ts';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { listRoutes, setRoute } from '../../../src/catalog/routes/route-store.ts';
import { setProduct } from '../../../src/merchants/operations/set-product.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
const { database } = clone;
const dataDir = await mkdtemp(join(tmpdir(), 'oja-seed-'));
after(async () => {
  await clone[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const pepper = createSecretKey(randomBytes(32));

async function routes(): Promise<string[]> {
  const rows = await listRoutes(database);
  return rows.map(({ environment, product, network, provider }) =>
    [environment, product, network, provider].join(' '),
  );
}

async function products(): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    "select environment || ' ' || product as line from merchant_products order by 1",
  );
  return rows.map((row) => row.line);
}

const both = (product: string): string[] => [`live ${product} * vtpass`, `live ${product} * nomba`];

const bills = ['BETTING', 'CABLE', 'EDUCATION', 'ELECTRICITY'];

test('the first start brings catalog, merchant, every product in both environments, and routes to serve them', async () => {
  await seedDemo(database, pepper, dataDir, builtInProviders);
  const all = [...bills, 'ESIM', 'GIFTCARD', 'airtime', 'data'];
  assert.deepEqual(await products(), [
    ...all.map((product) => `live ${product}`),
    ...all.map((product) => `test ${product}`),
  ]);
  assert.deepEqual(await routes(), [
    'live BETTING * nomba',
    ...both('CABLE'),
    'live EDUCATION * vtpass',
    ...both('ELECTRICITY'),
    'live ESIM * esimaccess',
    'live GIFTCARD * reloadly',
    ...['airtime', 'data'].flatMap(both),
    ...all.map((product) => `test ${product} * sandbox`),
  ]);
  const catalog = await loadCatalog(database);
  assert.equal(catalog.listBillers('ELECTRICITY').length, 13);
  assert.ok(catalog.listBillPlans('CABLE').length > 20);
  assert.ok(catalog.listDataPlans('MTN').length > 5);
  const cards = catalog.searchGiftCards('live', {});
  assert.ok(cards.length >= 120 && new Set(cards.map(({ plan }) => plan.brand)).size >= 30);
  assert.ok(cards.some(({ plan }) => plan.faceValue === undefined));
  assert.ok(cards.every(({ plan, ngnPrice }) => ngnPrice !== undefined && plan.providerCodes.reloadly));
  const esims = catalog.searchEsims('live', {});
  assert.ok(esims.length >= 60 && new Set(esims.map(({ plan }) => plan.country)).size > 30);
  assert.ok(esims.every(({ plan, ngnPrice }) => ngnPrice !== undefined && plan.providerCodes.esimaccess));
});

test('a later start keeps what an operator changed', async () => {
  const credentials = await seedDemo(database, pepper, dataDir, builtInProviders);
  await database.transaction(async (tx) => {
    const change = { merchantCode: 'DEMO', environment: 'live', product: 'BETTING', enabled: false } as const;
    await setProduct(tx, change, 'test');
    await setRoute(tx, { environment: 'live', product: 'CABLE', network: '*', providers: ['nomba'] });
    await tx.query('update plans set price = price + 100 where id = 2101');
  });
  const before = [await products(), await routes()];
  assert.deepEqual(await seedDemo(database, pepper, dataDir, builtInProviders), credentials);
  assert.deepEqual([await products(), await routes()], before);
  const [padi] = (await loadCatalog(database)).listBillPlans('CABLE', 'DSTV');
  assert.equal(padi?.price, 440_100n);
});
