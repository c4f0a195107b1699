/** The changes of the catalog that a provider's list causes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDemoCatalog } from '../../src/app/demo/read-demo-catalog.ts';
import { compareWithProvider, type ProviderOffer } from '../../src/catalog/compare-provider.ts';
import { diffCatalog } from '../../src/catalog/diff-catalog.ts';
import { dataItem } from '../../src/catalog/records/data-plan-record.ts';
import { esimItem } from '../../src/catalog/records/esim-record.ts';
import { giftCardItem } from '../../src/catalog/records/gift-card-record.ts';
import { unreadablePlan } from '../../src/providers/plan-facts.ts';
import { usualListCodes } from '../../src/providers/plan-list-codes.ts';
import type { ProviderPlan } from '../../src/providers/provider.ts';

const goods = await readDemoCatalog();
const cards = goods.giftCards.map(giftCardItem);
const esims = goods.esims.map(esimItem);
const data = goods.dataPlans.map(dataItem);
const present = [...data, ...cards, ...esims];

const testProviders = new Set(['sandbox']);
const nothing: ProviderOffer = {
  provider: 'x',
  listCodes: usualListCodes,
  plans: new Map(),
  listings: new Map(),
};

function changesOf(offer: Partial<ProviderOffer>, add = false): string[] {
  const { incoming } = compareWithProvider(present, { ...nothing, ...offer }, { add, testProviders });
  const { changes, faults } = diffCatalog(present, incoming);
  assert.deepEqual(faults, []);
  return changes.map(({ change, key, steep }) => `${change} ${key}${steep ? ' steep' : ''}`);
}

test('changes nothing for an equal list; a different one changes prices and withdraws missing plans', () => {
  const sold = goods.giftCards.filter((plan) => plan.providerCodes.reloadly);
  const listings = sold.map((plan) => ({
    planCodes: plan.providerCodes.reloadly ?? {},
    title: plan.title,
    currency: plan.currency,
    ...(plan.faceValue === undefined
      ? { minPrice: plan.minPrice, maxPrice: plan.maxPrice }
      : { price: plan.faceValue }),
  }));
  const list = (all: typeof listings): Partial<ProviderOffer> => ({
    provider: 'reloadly',
    listings: new Map([['GIFTCARD', all]]),
  });
  assert.deepEqual(changesOf(list(listings)), []);
  assert.deepEqual(changesOf(list(listings.slice(1))), [`withdrawn ${sold[0]?.planId}`]);
  const fresh = { planCodes: { product_id: '99999' }, title: 'New', currency: 'USD' as const, price: 500n };
  assert.deepEqual(changesOf(list([...listings, fresh])), []);
  assert.deepEqual(changesOf(list([...listings, fresh]), true), ['added 400001']);
  for (const title of ['New', 'New US']) {
    const offer = { ...nothing, ...list([{ ...fresh, title, country: 'US' } as typeof fresh]) };
    const added = compareWithProvider(present, offer, { add: true, testProviders }).incoming.at(-1);
    assert.equal(added?.record.title, 'New US USD 5.00');
  }
  const range = listings.findIndex((listing) => 'minPrice' in listing);
  const widened = listings.map((listing, index) =>
    index === range && 'maxPrice' in listing ? { ...listing, maxPrice: listing.maxPrice * 2n } : listing,
  );
  assert.deepEqual(changesOf(list(widened)), [`changed ${sold[range]?.planId} steep`]);
});

test('an eSIM follows its provider’s price, and keeps its slug', () => {
  const listings = goods.esims.flatMap((plan) =>
    plan.providerCodes.esimaccess === undefined
      ? []
      : [
          {
            planCodes: plan.providerCodes.esimaccess,
            title: plan.title,
            currency: plan.currency,
            price: plan.price,
          },
        ],
  );
  const list = (all: typeof listings): Partial<ProviderOffer> => ({
    provider: 'esimaccess',
    listings: new Map([['ESIM', all]]),
  });
  assert.deepEqual(changesOf(list(listings)), []);
  const dearer = listings.map((one, index) =>
    index === 0 ? { ...one, price: one.price + 1n, planCodes: { ...one.planCodes, price: '1' } } : one,
  );
  assert.deepEqual(changesOf(list(dearer)), [`changed ${goods.esims[0]?.planId}`]);
});

test('updates a data plan from its variation; a missing one is only reported while another provider has it', () => {
  const own = data.filter(
    ({ item }) => 'price' in item && item.providerCodes.vtpass?.service_id === 'mtn-data',
  );
  const plans = own.map(({ item }) => ({
    code: 'providerCodes' in item ? (item.providerCodes.vtpass?.variation_code ?? '') : '',
    name: 'a plan',
    price: 'price' in item ? (item.price ?? 0n) : 0n,
    fixed: true,
  }));
  assert.ok(plans.length > 5);
  const offer = (list: typeof plans): ProviderOffer => ({
    ...nothing,
    provider: 'vtpass',
    plans: new Map([['mtn-data', list]]),
  });
  assert.deepEqual(changesOf(offer(plans)), []);
  const moved = plans.map((plan, index) => (index === 0 ? { ...plan, price: plan.price + 100n } : plan));
  assert.deepEqual(changesOf(offer(moved)), [`changed ${own[0]?.key}`]);
  const { incoming, notes } = compareWithProvider(present, offer(plans.slice(1)), {
    add: false,
    testProviders,
  });
  assert.deepEqual(diffCatalog(present, incoming).changes, []);
  assert.equal(notes.length, 1);
});

test('a row with an unreadable price leaves its plan unchanged, and is reported', () => {
  const [plan] = goods.dataPlans.filter((one) => one.providerCodes.vtpass?.variation_code !== undefined);
  const [card] = goods.giftCards.filter((one) => one.providerCodes.reloadly !== undefined);
  const [esim] = goods.esims.filter((one) => one.providerCodes.esimaccess !== undefined);
  assert.ok(plan?.providerCodes.vtpass && card?.providerCodes.reloadly && esim?.providerCodes.esimaccess);
  const { service_id: service = '', variation_code: code = '' } = plan.providerCodes.vtpass;
  const row = { code, name: 'x', price: undefined, fixed: true };
  const unreadable = { title: 'x', isUnreadable: true } as const;
  const offers: [Partial<ProviderOffer>, string][] = [
    [{ provider: 'vtpass', plans: new Map([[service, [row]]]) }, plan.planCode],
    [
      {
        provider: 'reloadly',
        listings: new Map([
          ['GIFTCARD', [{ ...unreadable, planCodes: card.providerCodes.reloadly, currency: card.currency }]],
        ]),
      },
      String(card.planId),
    ],
    [
      {
        provider: 'esimaccess',
        listings: new Map([
          ['ESIM', [{ ...unreadable, planCodes: esim.providerCodes.esimaccess, currency: esim.currency }]],
        ]),
      },
      esim.planId,
    ],
  ];
  for (const [offer, key] of offers) {
    const { incoming, notes } = compareWithProvider(
      present,
      { ...nothing, ...offer },
      { add: true, testProviders },
    );
    assert.ok(!incoming.some((item) => item.key === key), `${offer.provider} ${key}`);
    assert.ok(
      notes.some((note) => note.includes(key)),
      notes.join(),
    );
  }
});

test('a row without a readable code withdraws nothing of its list, and is reported', () => {
  const sold = goods.dataPlans.filter((one) => one.providerCodes.vtpass?.variation_code !== undefined);
  const inList = (list: string) => sold.filter((one) => one.providerCodes.vtpass?.service_id === list);
  const [listed, missing] = inList('mtn-data');
  const [other] = inList('glo-data');
  assert.ok(listed && missing && other);
  const [card] = goods.giftCards.filter((one) => one.providerCodes.reloadly && one.currency === 'USD');
  const [esim] = goods.esims.filter((one) => one.providerCodes.esimaccess !== undefined);
  assert.ok(card && esim);
  const cardItem = giftCardItem({ ...card, providerCodes: { reloadly: card.providerCodes.reloadly ?? {} } });
  const compare = (items: Parameters<typeof compareWithProvider>[0], offer: Partial<ProviderOffer>) => {
    const { incoming, notes } = compareWithProvider(
      items,
      { ...nothing, ...offer },
      { add: true, testProviders },
    );
    const { changes } = diffCatalog(items, incoming);
    return { changes: changes.map(({ change, key }) => `${change} ${key}`), notes };
  };

  const code = listed.providerCodes.vtpass?.variation_code;
  const known: ProviderPlan = { code, name: 'x', price: listed.price, fixed: true };
  const offer = (...mtn: readonly ProviderPlan[]): Partial<ProviderOffer> => ({
    provider: 'vtpass',
    plans: new Map([
      ['mtn-data', mtn],
      ['glo-data', [{ code: 'x', name: 'x', price: 1_00n, fixed: true }]],
    ]),
  });
  const items = [listed, missing, other].map(({ providerCodes: { vtpass = {} }, ...plan }) =>
    dataItem({ ...plan, providerCodes: { vtpass } }),
  );
  const gone = compare(items, offer(known));
  assert.deepEqual(gone.changes, [`withdrawn ${missing.planCode}`, `withdrawn ${other.planCode}`]);
  const kept = compare(items, offer(known, unreadablePlan));
  assert.deepEqual(kept.changes, [`withdrawn ${other.planCode}`]);
  assert.ok(kept.notes.some((note) => note.includes(missing.planCode)));

  const row = { planCodes: {}, title: '', currency: 'USD', isUnreadable: true } as const;
  for (const [item, product, provider] of [
    [cardItem, 'GIFTCARD', 'reloadly'],
    [esimItem(esim), 'ESIM', 'esimaccess'],
  ] as const) {
    const others = { planCodes: { product_id: '9', slug: 'x' }, title: 'x', currency: 'USD' as const };
    const list = (more: readonly (typeof row)[]) =>
      compare([item], { provider, listings: new Map([[product, [others, ...more]]]) });
    assert.deepEqual(list([]).changes, [`withdrawn ${item.key}`]);
    assert.deepEqual(list([row]).changes, []);
    assert.ok(list([row]).notes.some((note) => note.includes(item.key)));
  }
});

test('a list is followed by the codes that its provider names', () => {
  const [plan] = goods.dataPlans;
  assert.ok(plan);
  const codes = { biller_code: 'BIL108', item_code: 'MD136' };
  const item = dataItem({ ...plan, providerCodes: { flutter: codes } });
  const follow = (price: bigint, code = 'MD136') => {
    const offer: ProviderOffer = {
      ...nothing,
      provider: 'flutter',
      listCodes: ({ biller_code: list, item_code: plan }) => ({ list, plan }),
      plans: new Map([['BIL108', [{ code, name: 'x', price, fixed: true }]]]),
    };
    const { incoming, notes } = compareWithProvider([item], offer, { add: false, testProviders });
    return [diffCatalog([item], incoming).changes.map(({ change }) => change), notes.length];
  };
  assert.deepEqual(follow(plan.price), [[], 0]);
  assert.deepEqual(follow(plan.price + 1_00n), [['changed'], 0]);
  assert.deepEqual(follow(plan.price, 'other'), [['withdrawn'], 0]);
  // The customer chooses the amount, so the list states no price.
  assert.deepEqual(follow(0n), [[], 1]);
});
