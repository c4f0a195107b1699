/**
 * Changes that would sell below cost, by their operations: a discount, a price, a rate, a route,
 * and a combination of changes that are each allowed.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CatalogItem } from '../../../src/catalog/catalog-item.ts';
import type { GoodsCurrency } from '../../../src/catalog/fx-rate.ts';
import { changeCatalog } from '../../../src/catalog/operations/change-catalog.ts';
import { setDiscount } from '../../../src/catalog/operations/set-discount.ts';
import { setFxRate } from '../../../src/catalog/operations/set-fx-rate.ts';
import { dataItem } from '../../../src/catalog/records/data-plan-record.ts';
import { giftCardItem } from '../../../src/catalog/records/gift-card-record.ts';
import { changeRoute } from '../../../src/catalog/routes/operations/change-route.ts';
import { OperationError } from '../../../src/core/errors.ts';
import type { ProviderFacts } from '../../../src/providers/provider.ts';
import { createMerchant } from '../../../src/wallet/operations/create-merchant.ts';
import { createTestDatabase } from '../../support/database.ts';
import { refusedAct } from '../../support/refusals.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const below = refusedAct('sells_below_cost');
type Force = { readonly force?: boolean };

const registry = ['near', 'far', 'third'].map(
  (name): ProviderFacts => ({
    name,
    environment: 'live',
    products: new Set(['airtime', 'data', 'GIFTCARD']),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
  }),
);

/** The last cost at a provider. */
async function took(
  provider: string,
  what: { product: string; network: string; planCode?: string; currency?: string },
  amount: bigint,
  cost: bigint,
): Promise<void> {
  await database.query(
    `insert into known_costs (environment, product, network, provider, plan_code, currency, amount, cost, at)
     values ('live', $1, $2, $3, $4, $5, $6, $7, now())
     on conflict (environment, product, network, provider, plan_code) do update
     set amount = excluded.amount, cost = excluded.cost`,
    [what.product, what.network, provider, what.planCode ?? '', what.currency ?? 'NGN', amount, cost],
  );
}

function dataPlan(price: bigint): CatalogItem {
  return dataItem({
    planCode: 'MTN-1',
    id: 1,
    network: 'MTN',
    name: '1 GB',
    description: '1 GB',
    price,
    tariffTypeId: '1',
    legacyProductId: undefined,
    validity: '30 days',
    size: '1 GB',
    group: 'Monthly',
    planKind: 'direct',
    shortCode: 'MTN-1GB',
    providerCodes: { near: { a: '1' }, far: { a: '1' } },
    active: true,
  });
}

const card = giftCardItem({
  planId: 300_001,
  title: 'Acme',
  brand: 'Acme',
  region: 'US',
  uiCategory: 'Shopping',
  currency: 'USD',
  faceValue: 10_00n,
  minPrice: undefined,
  maxPrice: undefined,
  featured: false,
  fulfillment: 'immediate',
  testOnly: false,
  providerCodes: { near: { a: '1' } },
  active: true,
});

async function price(items: CatalogItem[], options: Force & { follows?: string } = {}): Promise<boolean> {
  const proposal = {
    incoming: () => items,
    source: 'test',
    apply: true,
    force: false,
    withdrawMissing: false,
    ...options,
  };
  return (await database.transaction((tx) => changeCatalog(tx, proposal, 'test'))).applied;
}

async function discount(
  merchantCode: string,
  product: 'airtime' | 'data',
  basisPoints: number,
  force?: Force,
) {
  const change = { merchantCode, product, network: 'MTN', basisPoints };
  return await database.transaction((tx) => setDiscount(tx, change, 'test', force));
}

async function route(
  product: 'airtime' | 'data' | 'GIFTCARD',
  providers: string[],
  force?: Force,
  strategy?: 'balanced',
) {
  const change = { environment: 'live', product, network: '*', providers, strategy } as const;
  return await database.transaction((tx) => changeRoute(tx, registry, change, 'test', force));
}

async function rate(currency: GoodsCurrency, naira: bigint, marginBasisPoints: number, force?: Force) {
  const next = { currency, rateMicro: naira * 1_000_000n, marginBasisPoints };
  return await database.transaction((tx) => setFxRate(tx, next, 'test', force));
}

async function worst(change: Promise<unknown>): Promise<readonly unknown[]> {
  const error = await change.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OperationError && error.details.code === 'sells_below_cost', String(error));
  const { examples, more } = error.details;
  const [first] = examples;
  return [first?.buyer, first?.planCode, first?.provider, first?.cost, first?.charge, more];
}

const airtime = { product: 'airtime', network: 'MTN' };
const bundle = { product: 'data', network: 'MTN', planCode: 'MTN-1' };

await database.transaction(async (tx) => {
  for (const code of ['ONE', 'TWO']) await createMerchant(tx, { code, name: code }, 'test');
});
await price([dataPlan(1_000_00n), card]);
for (const product of ['airtime', 'data', 'GIFTCARD'] as const) await route(product, ['near']);

test('a discount must cover the last cost at the first provider, or the cheapest one if unknown', async () => {
  await took('near', airtime, 200_00n, 194_00n);
  await discount('ONE', 'airtime', 300);
  assert.deepEqual(await worst(discount('ONE', 'airtime', 301)), ['ONE', '', 'near', 194_00n, 193_98n, 0]);
  await took('far', airtime, 100_00n, 95_00n);
  await route('airtime', ['third', 'near', 'far']);
  await discount('ONE', 'airtime', 500);
  await assert.rejects(discount('ONE', 'airtime', 501), below);
  // Back to the provider that costs more: the discount that was accepted is now refused.
  assert.deepEqual(await worst(route('airtime', ['near', 'far'])), ['ONE', '', 'near', 194_00n, 190_00n, 0]);
  await route('airtime', ['near', 'far'], { force: true });
  await discount('ONE', 'airtime', 400);
  await discount('TWO', 'airtime', 9_900, { force: true });
  await assert.rejects(discount('TWO', 'airtime', 9_950), below);
  await discount('TWO', 'airtime', 0);
  await assert.rejects(discount('TWO', 'data', 9_900), refusedAct('discount_change_large'));
});

test('a price is checked with the discounts of all merchants, and follows its provider', async () => {
  await took('near', bundle, 1_000_00n, 970_00n);
  await discount('ONE', 'data', 200);
  await discount('TWO', 'data', 100);
  assert.deepEqual(await worst(price([dataPlan(985_00n)])), ['ONE', 'MTN-1', 'near', 970_00n, 965_30n, 0]);
  assert.deepEqual(await worst(price([dataPlan(900_00n)])), ['ONE', 'MTN-1', 'near', 970_00n, 882_00n, 0]);
  assert.ok(await price([dataPlan(990_00n)]));
  // The provider has become cheaper, and so its cost has too.
  assert.ok(await price([dataPlan(900_00n)], { follows: 'near' }));
  await assert.rejects(discount('ONE', 'data', 400), below);
  await assert.rejects(price([dataPlan(800_00n)]), below);
  // A forced change accepts that the cost has changed. The next sale shows the new cost.
  assert.ok(await price([dataPlan(800_00n)], { force: true }));
  await discount('ONE', 'data', 400);
});

test('compares a rate with the others, and accepts one that corrects a mistake', async () => {
  await assert.rejects(rate('USD', 15n, 0), refusedAct('rate_unlikely'));
  await rate('USD', 1_545n, 300);
  const unlikely = refusedAct('rate_unlikely');
  await assert.rejects(rate('GBP', 206n, 0), unlikely);
  await rate('GBP', 2_065n, 0);
  await rate('EUR', 17n, 0, { force: true });
  await assert.rejects(rate('EUR', 16n, 0), unlikely);
  await rate('EUR', 18n, 0);
});

test('a rate or a margin must cover the cost of cards', async () => {
  const plan = { product: 'GIFTCARD', network: 'GIFTCARD', planCode: '300001', currency: 'USD' };
  await took('near', plan, 10_00n, 15_600_00n);
  assert.deepEqual(await worst(rate('USD', 1_500n, 300)), [
    ...[undefined, '300001', 'near', 15_600_00n, 15_450_00n, 0],
  ]);
  assert.deepEqual(await worst(rate('USD', 1_545n, 0)), [
    undefined,
    '300001',
    'near',
    15_600_00n,
    15_450_00n,
    0,
  ]);
  await rate('USD', 1_560n, 0);
  // Also for a merchant with a different order of providers: the card is more expensive at the
  // other one.
  await took('far', plan, 10_00n, 15_700_00n);
  await assert.rejects(route('GIFTCARD', ['far', 'near']), below);
  // A strategy that chooses may put the more expensive one first.
  await assert.rejects(route('GIFTCARD', ['near', 'far'], {}, 'balanced'), below);
  await route('GIFTCARD', ['near', 'far']);
  await rate('USD', 1_500n, 0, { force: true });
  // A price with a loss may lose less.
  await rate('USD', 1_520n, 0);
  await assert.rejects(rate('USD', 1_519n, 0), below);
});
