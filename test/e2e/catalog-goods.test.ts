/**
 * Catalogs, plans, quotes and availability of gift cards and eSIMs, on the demo's gateway. A
 * changed rate or plan is visible at once.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRate } from '../../src/catalog/fx-rate.ts';
import { setFxRate } from '../../src/catalog/operations/set-fx-rate.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import { assertRefused, eventually, footprint, openGatewayUnderTest } from './gateway-under-test.ts';
import { openShop } from './shop.ts';

// Own gateway: changes the catalog that all merchants share.
const gateway = await openGatewayUnderTest();

type Item = Readonly<Record<string, unknown>>;

async function items(path: string, as: 'test' | 'live' = 'test'): Promise<readonly Item[]> {
  const answer = await gateway.call('GET', path, { as });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(
    [answer.body.status, answer.body.code, typeof answer.body.message],
    ['success', 200, 'string'],
  );
  return answer.body.data;
}

async function data(path: string): Promise<Item> {
  const answer = await gateway.call('GET', path);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.status, answer.body.code], ['success', 200]);
  return answer.body.data;
}

const cards = '/v1/giftcards/catalog';
const esims = '/v1/esim/catalog';
const distinct = (list: readonly Item[], field: string): Set<unknown> =>
  new Set(list.map((item) => item[field]));

async function cardWhere(test: (item: Item) => boolean): Promise<Item> {
  const found = (await items(cards)).find(test);
  assert.ok(found);
  return found;
}

describe('the gift card catalog', () => {
  it('lists cards of many brands, in every currency, each with its naira price', async () => {
    const all = await items(cards, 'live');
    assert.ok(all.length >= 120, String(all.length));
    assert.ok(distinct(all, 'brand').size >= 30);
    assert.deepEqual([...distinct(all, 'currency_code')].sort(), ['AED', 'CAD', 'EUR', 'GBP', 'USD']);
    assert.equal(distinct(all, 'plan_id').size, all.length);
    for (const item of all) {
      assert.equal(typeof item.plan_id, 'number');
      assert.match(String(item.ngn_price), /^[0-9]+\.[0-9]{2}$/);
      assert.equal(typeof item.featured, 'boolean');
      assert.equal(typeof item.fixed_price === 'boolean' && item.fixed_price, 'face_value' in item);
      assert.equal(item.fixed_price === false, 'min_price' in item && 'max_price' in item);
    }
    const amazon25 = all.filter((item) => item.brand === 'Amazon' && item.face_value === 25);
    assert.ok(distinct(amazon25, 'region').size >= 3 && distinct(amazon25, 'plan_id').size >= 3);
  });

  it('searches titles and categories, and filters by brand, currency, category and featured, in any letter case', async () => {
    const all = await items(cards);
    for (const search of ['aMaZon', 'gaming', 'usd 25']) {
      const found = await items(`${cards}?search=${encodeURIComponent(search)}`);
      const wanted = all.filter((item) =>
        [item.title, item.ui_category].some((text) =>
          String(text).toLowerCase().includes(search.toLowerCase()),
        ),
      );
      assert.deepEqual(found, wanted, search);
      assert.ok(found.length > 0 && found.length < all.length);
    }
    for (const [query, field, value] of [
      ['brand=steam', 'brand', 'Steam'],
      ['currency=gbp', 'currency_code', 'GBP'],
      ['category=travel', 'ui_category', 'Travel'],
      ['featured=true', 'featured', true],
    ] as const) {
      const found = await items(`${cards}?${query}`);
      assert.deepEqual(
        found,
        all.filter((item) => item[field] === value),
      );
      assert.ok(found.length > 0);
    }
    const both = await items(`${cards}?currency=USD&brand=Steam&search=50`);
    assert.deepEqual(
      both.map((item) => item.title),
      ['Steam US USD 50'],
    );
    assert.deepEqual(await items(`${cards}?search=no+such+card`), []);
    assert.deepEqual(await items(`${cards}?search=&featured=false`), all);
  });

  it('shows plans of the sandbox to test credentials only', async () => {
    assert.equal((await items(`${cards}?brand=Sandbox`)).length, 4);
    assert.deepEqual(await items(`${cards}?brand=Sandbox`, 'live'), []);
    assert.equal((await gateway.call('GET', '/v1/giftcards/plans/990001/quote')).status, 200);
    assertRefused(
      await gateway.call('GET', '/v1/giftcards/plans/990001/quote', { as: 'live' }),
      400,
      'plan_id',
    );
  });

  it('refuses unknown filters', async () => {
    for (const [query, field] of [
      ['currency=NGN', 'currency'],
      ['currency=USD&currency=GBP', 'currency'],
      ['featured=yes', 'featured'],
      [`search=${'x'.repeat(101)}`, 'search'],
      ['search=%00', 'search'],
    ] as const) {
      assertRefused(await gateway.call('GET', `${cards}?${query}`), 400, field);
    }
  });
});

describe('a gift card quote', () => {
  it('quotes the catalog’s price, by path and by body', async () => {
    const item = await cardWhere(({ fixed_price }) => fixed_price === true);
    const byPath = await data(`/v1/giftcards/plans/${item.plan_id}/quote`);
    assert.deepEqual(byPath, {
      plan_id: item.plan_id,
      title: item.title,
      face_value: item.face_value,
      currency_code: item.currency_code,
      ngn_price: item.ngn_price,
      ngn_amount: item.ngn_price,
    });
    const body = { plan_id: item.plan_id, face_value: 999_999 };
    const byBody = await gateway.call('POST', '/v1/giftcards/quote', { body });
    assert.deepEqual([byBody.status, byBody.body.data], [200, byPath]);
  });

  it('quotes a variable card by its face value, within its range', async () => {
    const item = await cardWhere(({ fixed_price }) => fixed_price === false);
    const path = `/v1/giftcards/plans/${item.plan_id}/quote`;
    assert.equal((await data(path)).ngn_price, item.ngn_price);
    const most = await data(`${path}?face_value=${item.max_price}`);
    assert.equal(most.face_value, item.max_price);
    assert.ok(Number(most.ngn_price) > Number(item.ngn_price));
    for (const face_value of [
      Number(item.max_price) + 0.01,
      Number(item.min_price) - 0.01,
      0,
      -5,
      'ten',
      10.001,
      true,
    ]) {
      const answer = await gateway.call('POST', '/v1/giftcards/quote', {
        body: { plan_id: item.plan_id, face_value },
      });
      assertRefused(answer, 400, 'face_value');
    }
    const text = await gateway.call('POST', '/v1/giftcards/quote', {
      body: { plan_id: item.plan_id, face_value: String(item.max_price) },
    });
    assert.equal(text.body.data.ngn_price, most.ngn_price);
  });

  it('refuses an unknown card', async () => {
    for (const id of ['1', '0', '-1', 'abc', '1.5', '99999999999']) {
      assertRefused(await gateway.call('GET', `/v1/giftcards/plans/${id}/quote`), 400, 'plan_id');
    }
    for (const plan_id of ['300001', 1.5, 0]) {
      assertRefused(await gateway.call('POST', '/v1/giftcards/quote', { body: { plan_id } }), 400, 'plan_id');
    }
    assertRefused(await gateway.call('POST', '/v1/giftcards/quote', { body: {} }), 422, 'plan_id');
    const none = { plan_id: null };
    assertRefused(await gateway.call('POST', '/v1/giftcards/quote', { body: none }), 422, 'plan_id');
    assertRefused(await gateway.call('POST', '/v1/giftcards/quote', { body: '[' }), 400);
  });
});

describe('availability', () => {
  it('always succeeds for test credentials, except for the cards that show other answers', async () => {
    const { plan_id } = await cardWhere(({ brand }) => brand === 'Amazon');
    const path = (id: unknown): string => `/v1/giftcards/plans/${id}/availability`;
    const { detail, ...yes } = await data(`${path(plan_id)}?quantity=5`);
    assert.deepEqual(yes, { available: true, fulfillment: 'immediate' });
    assert.equal(typeof detail, 'string');
    const words = [];
    for (const id of [990001, 990002, 990003, 990004]) {
      const { available, fulfillment } = await data(path(id));
      words.push([available, fulfillment]);
    }
    assert.deepEqual(words, [
      [true, 'standard'],
      [true, 'immediate'],
      [false, 'out_of_stock'],
      [false, 'preorder'],
    ]);
  });

  it('refuses a quantity that is not 1 to 5', async () => {
    for (const quantity of ['0', '6', '1.5', 'abc', '-1', '1&quantity=2']) {
      const answer = await gateway.call(
        'GET',
        `/v1/giftcards/plans/300001/availability?quantity=${quantity}`,
      );
      assertRefused(answer, 400, 'quantity');
    }
    assertRefused(await gateway.call('GET', '/v1/giftcards/plans/7/availability'), 400, 'plan_id');
  });

  it('returns the provider’s availability of a live card', async () => {
    const answer = await gateway.call('GET', '/v1/giftcards/plans/300001/availability', { as: 'live' });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.available, true);
  });
});

describe('eSIMs', () => {
  it('lists many countries and regions, each plan with its naira price', async () => {
    const all = await items(esims, 'live');
    assert.ok(all.length >= 60, String(all.length));
    assert.ok(distinct(all, 'country').size >= 31);
    for (const item of all) {
      assert.deepEqual(
        [typeof item.plan_id, typeof item.country, typeof item.region, typeof item.data_gb],
        ['string', 'string', 'string', 'number'],
      );
      assert.equal(typeof item.duration_days, 'number');
      assert.match(String(item.ngn_price), /^[0-9]+\.[0-9]{2}$/);
    }
    const one = await data('/v1/esim/plans/NG-1GB-7D');
    assert.deepEqual(
      one,
      all.find((item) => item.plan_id === 'NG-1GB-7D'),
    );
    const quote = await data('/v1/esim/plans/NG-1GB-7D/quote');
    assert.equal(quote.ngn_amount, one.ngn_price);
  });

  it('filters by country and part of a region, and searches', async () => {
    const all = await items(esims);
    const check = async (query: string, wanted: (item: Item) => boolean): Promise<void> => {
      const found = await items(`${esims}?${query}`);
      assert.deepEqual(found, all.filter(wanted), query);
      assert.ok(found.length > 0, query);
    };
    await check('country=fr', ({ country }) => country === 'FR');
    await check('region=EUR', ({ region }) => region === 'Europe');
    await check('search=japan', ({ country }) => country === 'JP');
    await check('search=GL-5gb', ({ plan_id }) => plan_id === 'GL-5GB-30D');
    await check('country=ZA&search=10%20gb', ({ plan_id }) => plan_id === 'ZA-10GB-30D');
    for (const country of ['NGA', 'N', '1A', 'Nigeria']) {
      assertRefused(await gateway.call('GET', `${esims}?country=${country}`), 400, 'country');
    }
    assertRefused(await gateway.call('GET', '/v1/esim/plans/NOPE'), 404, 'plan_id');
    assertRefused(await gateway.call('GET', '/v1/esim/plans/NOPE/quote'), 404, 'plan_id');
    assertRefused(await gateway.call('GET', '/v1/esim/plans/TEST-FAIL', { as: 'live' }), 404, 'plan_id');
    assert.equal((await data('/v1/esim/plans/TEST-FAIL')).plan_id, 'TEST-FAIL');
  });
});

describe('callers without access', () => {
  it('refuses callers without credentials, and products that are not enabled', async () => {
    const shop = await openShop(gateway);
    for (const path of [
      cards,
      '/v1/giftcards/plans/300001/quote',
      '/v1/giftcards/plans/300001/availability',
      esims,
      '/v1/esim/plans/NG-1GB-7D',
      '/v1/esim/plans/NG-1GB-7D/quote',
    ]) {
      assert.equal((await gateway.call('GET', path, { as: 'nobody' })).status, 401, path);
      assert.equal((await gateway.call('GET', path, { as: shop.test })).status, 403, path);
    }
  });
});

describe('a change', () => {
  it('a changed rate is in catalog and quote within 5 s', async () => {
    const before = await data('/v1/esim/plans/NG-1GB-7D/quote');
    const rateMicro = parseRate('2000');
    assert.ok(rateMicro);
    await gateway.database.transaction((tx) =>
      setFxRate(tx, { currency: 'USD', rateMicro, marginBasisPoints: 0 }, 'test', { force: true }),
    );
    await eventually('the new rate', async () => {
      const quote = await data('/v1/esim/plans/NG-1GB-7D/quote');
      return quote.ngn_amount === before.ngn_amount ? undefined : true;
    });
    const [item] = await items(`${esims}?search=NG-1GB`);
    // 2.18 dollars at 2,000 naira.
    assert.equal(item?.ngn_price, '4360.00');
  });

  it('withdrawing a card removes it from catalog and quote, and changes nothing else', async () => {
    const before = await footprint(gateway.database);
    await gateway.database.transaction(async (tx) => {
      await tx.query('update gift_card_plans set active = false where plan_id = 300002');
      await announceChange(tx, 'plans');
    });
    await eventually('the card is gone', async () =>
      (await items(cards)).some(({ plan_id }) => plan_id === 300002) ? undefined : true,
    );
    assertRefused(await gateway.call('GET', '/v1/giftcards/plans/300002/quote'), 400, 'plan_id');
    assert.deepEqual(await footprint(gateway.database), before);
  });
});
