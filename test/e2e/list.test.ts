/** GET /v1/transactions: pages, filters and totals, compared with individually known purchases. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newId } from '../../src/core/ids.ts';
import type { Answer } from '../support/gateway.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataSync,
  newReference,
  openSharedGateway,
  statusOf,
} from './gateway-under-test.ts';
import { misbehave } from './provider.ts';
import { credit, openShop } from './shop.ts';

const gateway = await openSharedGateway();
const shop = await openShop(gateway, { balance: 1_000_000n });
const other = await openShop(gateway);

const ada = '08031112222';
const bola = '08057654321';
const broken = '08000000001';
const slow = '08099990000';

type Bought = {
  readonly request_id: unknown;
  readonly product: string;
  readonly network: string;
  readonly msisdn: string;
  readonly status: string;
};

/** Every live purchase of the shop, newest first. */
const bought: Bought[] = [];

async function buy(path: string, body: Record<string, unknown>, status: string): Promise<void> {
  const answer = await gateway.call('POST', path, { as: shop.live, body: { ...body, merchant: shop.code } });
  assert.equal(answer.body.status, status, answer.text);
  const { product, network, msisdn, request_id } = answer.body.data;
  bought.unshift({ product, network, msisdn, request_id, status });
}

function list(query: string, as = shop.live): Promise<Answer> {
  return gateway.call('GET', `${anyProduct}${query}`, { as });
}

async function references(query: string): Promise<unknown[]> {
  const answer = await list(query);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.result.items.map((item: { request_id: string }) => item.request_id);
}

function expected(of: (purchase: Bought) => boolean): unknown[] {
  return bought.filter(of).map((purchase) => purchase.request_id);
}

/** All results of a filter in one page, with the total. */
async function assertFinds(query: string, of: (purchase: Bought) => boolean): Promise<void> {
  const answer = await list(`?limit=100${query}`);
  assert.equal(answer.status, 200, answer.text);
  const { items, page_info } = answer.body.result;
  assert.deepEqual(
    items.map((item: { request_id: string }) => item.request_id),
    expected(of),
    query,
  );
  assert.equal(page_info.total_items, items.length, query);
}

before(async () => {
  await misbehave(
    gateway,
    { fault: 'refused', recipient: broken },
    { fault: 'pending_then_success', recipient: slow, settle_ms: 600_000 },
  );
  for (const [network, msisdn] of [
    ['mtn', ada],
    ['glo', ada],
    ['mtn', bola],
    ['9mobile', bola],
    ['airtel', `+234${ada.slice(1)}`],
    ['mtn', `234${ada.slice(1)}`],
  ] as const) {
    await buy(airtimeSync, airtime({ network, msisdn, amount: '20' }), 'success');
  }
  await buy(dataSync, data({ msisdn: ada }), 'success');
  await buy(airtimeSync, airtime({ msisdn: broken, amount: '20' }), 'failed');
  await buy(airtimeSync, airtime({ msisdn: broken, amount: '20', network: 'glo' }), 'failed');
  await buy(airtimeSync, airtime({ msisdn: ada, amount: '50000' }), 'failed');
  for (const network of ['mtn', 'airtel']) {
    const body = airtime({ network, msisdn: slow, amount: '20', product: 'airtime' });
    await buy(anyProduct, body, 'pending');
  }
  // Rows that must not appear: the other environment and other merchants.
  const elsewhere = airtime({ msisdn: ada, merchant: shop.code, amount: '20' });
  await gateway.call('POST', airtimeSync, { as: shop.test, body: elsewhere });
  await gateway.call('POST', airtimeSync, { as: other.live, body: { ...elsewhere, merchant: other.code } });
});

describe('the list', () => {
  it('lists the newest first, ten a page, with every field of a row', async () => {
    const answer = await list('');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(Object.keys(answer.body).sort(), ['result', 'state']);
    assert.equal(answer.body.state, 'ok');
    const { items, page_info } = answer.body.result;
    const { next_cursor: next, ...numbers } = page_info;
    assert.deepEqual(numbers, { total_items: 12, page: 1, page_size: 10, total_pages: 2 });
    assert.equal(next, items.at(-1).internal_reference);
    assert.deepEqual(
      items.map((item: { request_id: string }) => item.request_id),
      expected(() => true).slice(0, 10),
    );
    const reference = bought.find((purchase) => purchase.msisdn === ada && purchase.status === 'success');
    const row = items.find((item: { request_id: string }) => item.request_id === reference?.request_id);
    const { payload } = (await statusOf(gateway, reference?.request_id, shop.live)).body;
    assert.deepEqual(row, {
      internal_reference: payload.internal_reference,
      request_id: payload.request_id,
      product: 'data',
      network: 'MTN',
      msisdn: ada,
      amount: '100.00',
      plan: 'MTN-1',
      plan_code: 'MTN-1',
      merchant_id: shop.id,
      status: 'success',
      code: '00',
      created_at: payload.created_at,
      updated_at: payload.updated_at,
    });
  });

  it('pages contain everything once, in order, for any page size', async () => {
    for (const limit of [1, 5, 7, 12, 100]) {
      const found: unknown[] = [];
      const pages = Math.ceil(bought.length / limit);
      for (let page = 1; page <= pages; page += 1) {
        const { items, page_info } = (await list(`?page=${page}&limit=${limit}`)).body.result;
        const { next_cursor: next, ...numbers } = page_info;
        assert.deepEqual(numbers, { total_items: 12, page, page_size: limit, total_pages: pages });
        assert.equal(next === null, page === pages);
        found.push(...items.map((item: { request_id: string }) => item.request_id));
      }
      assert.deepEqual(
        found,
        expected(() => true),
      );
    }
  });

  it('reads by cursor, whatever the filter and the page size', async () => {
    const filters = [
      '',
      '&status=0',
      '&status=1',
      '&status=2',
      '&network=mtn',
      `&msisdn=${ada}`,
      '&status=0&network=mtn',
      `&status=0&msisdn=${ada}`,
      `&status=1&msisdn=${broken}`,
      '&status=1&network=glo',
      `&network=mtn&msisdn=${ada}`,
      `&status=2&msisdn=${slow}`,
    ];
    for (const filter of filters) {
      const whole = await references(`?limit=100${filter}`);
      assert.ok(whole.length > 0, filter);
      for (const limit of [1, 4]) {
        const found: unknown[] = [];
        let cursor: string | null = null;
        do {
          const from: string = cursor === null ? '' : `&cursor=${cursor}`;
          const { items, page_info } = (await list(`?limit=${limit}${filter}${from}`)).body.result;
          assert.equal(page_info.total_items, whole.length);
          found.push(...items.map((item: { request_id: string }) => item.request_id));
          cursor = page_info.next_cursor;
        } while (cursor !== null);
        assert.deepEqual(found, whole, filter);
      }
    }
  });

  it('refuses a page beside a cursor', async () => {
    const { next_cursor: cursor } = (await list('?limit=5')).body.result.page_info;
    assertRefused(await list(`?limit=5&page=2&cursor=${cursor}`), 400, 'cursor');
  });

  it('is empty past its end, with the totals still right', async () => {
    for (const page of [3, 1_001, 10_001, 999_999_999_999_999]) {
      const { items, page_info } = (await list(`?page=${page}`)).body.result;
      assert.deepEqual(items, []);
      assert.deepEqual(page_info, {
        total_items: 12,
        page,
        page_size: 10,
        total_pages: 2,
        next_cursor: null,
      });
    }
  });

  it('is empty for a merchant without purchases', async () => {
    const fresh = await openShop(gateway);
    const { result } = (await list('', fresh.live)).body;
    assert.deepEqual(result, {
      items: [],
      page_info: { total_items: 0, page: 1, page_size: 10, total_pages: 0, next_cursor: null },
    });
  });

  it('separates environments and merchants', async () => {
    assert.equal((await list('', shop.test)).body.result.page_info.total_items, 1);
    assert.equal((await list('', other.live)).body.result.page_info.total_items, 1);
    assert.equal((await list('', other.test)).body.result.page_info.total_items, 0);
  });
});

describe('the filters of the list', () => {
  it('finds a number in any spelling', async () => {
    const spellings = [ada, `234${ada.slice(1)}`, `%2B234${ada.slice(1)}`];
    for (const spelling of spellings) {
      await assertFinds(`&msisdn=${spelling}`, ({ msisdn }) => msisdn.endsWith(ada.slice(1)));
    }
    const digits = [ada.slice(0, 4), ada.slice(4, 7), ada.slice(7)];
    for (const spelling of [
      ...[' ', '-', '\u00a0', '\u2011'].map((sign) => digits.join(sign)),
      `+234 ${ada.slice(1)}`,
      `(${digits[0]}) ${digits[1]}-${digits[2]}`,
    ]) {
      await assertFinds(`&msisdn=${encodeURIComponent(spelling)}`, ({ msisdn }) =>
        msisdn.endsWith(ada.slice(1)),
      );
    }
    // A plus sign as people type it into an address.
    await assertFinds(`&msisdn=+234${ada.slice(1)}`, ({ msisdn }) => msisdn.endsWith(ada.slice(1)));
    for (const nobody of ['08030000000', '0803', 'abc', '12345678901234567890', '12/34/5678']) {
      await assertFinds(`&msisdn=${encodeURIComponent(nobody)}`, () => false);
    }
  });

  it('finds a network in any spelling', async () => {
    for (const network of ['mtn', 'MTN'])
      await assertFinds(`&network=${network}`, (one) => one.network === 'MTN');
    for (const network of ['9mobile', 't2', 'Etisalat']) {
      await assertFinds(`&network=${network}`, (one) => one.network === '9MOBILE');
    }
    await assertFinds('&network=DSTV', () => false);
  });

  it('finds a product in any letter case, by itself and with others', async () => {
    for (const [product, spellings] of [
      ['data', ['data', 'DATA']],
      ['airtime', ['airtime', 'Airtime']],
    ] as const) {
      for (const spelling of spellings) {
        await assertFinds(`&product=${spelling}`, (one) => one.product === product);
      }
      await assertFinds(
        `&product=${product}&network=mtn`,
        (one) => one.product === product && one.network === 'MTN',
      );
      await assertFinds(
        `&product=${product}&msisdn=${ada}`,
        (one) => one.product === product && one.msisdn.endsWith(ada.slice(1)),
      );
      for (const [code, status] of ['success', 'failed', 'pending'].entries()) {
        await assertFinds(
          `&product=${product}&status=${code}`,
          (one) => one.product === product && one.status === status,
        );
      }
    }
    for (const product of ['ELECTRICITY', 'cable', 'betting']) {
      await assertFinds(`&product=${product}`, () => false);
    }
  });

  it('returns the reason of each failure that its status has, and none of other purchases', async () => {
    const { items } = (await list('?limit=100')).body.result;
    const failed = items.filter((item: { status: string }) => item.status === 'failed');
    assert.ok(failed.length > 0);
    for (const item of failed) {
      const { payload } = (await statusOf(gateway, item.request_id, shop.live)).body;
      assert.equal(item.reason, payload.reason);
      assert.equal(typeof item.reason, 'string');
    }
    for (const item of items) assert.equal('reason' in item, item.status === 'failed');
  });

  for (const [status, spellings] of [
    ['success', ['0', '00']],
    ['failed', ['1', '01']],
    ['pending', ['2', '02']],
  ] as const) {
    it(`finds ${status} as ${spellings.join(' and ')}`, async () => {
      for (const spelling of spellings) {
        await assertFinds(`&status=${spelling}`, (one) => one.status === status);
        for (const network of ['MTN', 'GLO', 'AIRTEL', '9MOBILE']) {
          await assertFinds(
            `&status=${spelling}&network=${network}`,
            (one) => one.status === status && one.network === network,
          );
        }
        for (const msisdn of [ada, bola, broken, slow]) {
          await assertFinds(
            `&status=${spelling}&msisdn=${msisdn}&network=mtn`,
            (one) => one.status === status && one.network === 'MTN' && one.msisdn.endsWith(msisdn.slice(1)),
          );
        }
      }
    });
  }

  it('pages filtered lists like the whole list', async () => {
    const all = expected((one) => one.network === 'MTN' && one.status === 'success');
    assert.ok(all.length > 2);
    assert.deepEqual(await references('?network=mtn&status=0&limit=2'), all.slice(0, 2));
    assert.deepEqual(await references('?network=mtn&status=0&limit=2&page=2'), all.slice(2, 4));
  });

  it('ignores unknown filters', async () => {
    assert.equal((await references('?colour=red&limit=100')).length, bought.length);
  });
});

describe('a list query that is wrong', () => {
  for (const [field, values] of [
    ['page', ['0', '-1', '1.5', 'x', '1e2', '0x1', '%201', '%2B1', '99999999999999999999', 'NaN', '1,2']],
    ['cursor', ['x', '1', '%00', '019aa5f0', `${newId()}.`, newId().toUpperCase()]],
    ['limit', ['0', '-5', '101', '2.5', 'all', '99999999999999999999', '١٠']],
    ['msisdn', ['%00', '%20', '0803%0A', '%27 or 1=1', 'a@b.example', 'x'.repeat(65)]],
    ['product', ['GIFTCARD', 'esim', 'data%20', 'water']],
    ['network', ['vodafone', 'mtn%20', 'mtn%00', 'm', '%00']],
    ['status', ['3', '000', 'success', '-1', '0.0', '0%00', '03']],
  ] as const) {
    it(`refuses a wrong query, naming ${field}`, async () => {
      for (const value of values) {
        assertRefused(await list(`?${field}=${encodeURI(value)}`.replace('%25', '%')), 400, field);
      }
      assertRefused(await list(`?${field}=1&${field}=1`), 400, field);
    });
  }

  it('names all errors at once', async () => {
    const answer = await list('?page=0&limit=1000&status=9&network=%00&msisdn=%00');
    assertRefused(answer, 400);
    assert.deepEqual(answer.body.errors.map((fault: { field: string }) => fault.field).sort(), [
      'limit',
      'msisdn',
      'network',
      'page',
      'status',
    ]);
  });
});

describe('the totals of the list', () => {
  it('totals are right while purchases arrive and end', async () => {
    await credit(gateway, shop.code, 'test', 10_000_000n);
    const before = (await list('?limit=1', shop.test)).body.result.page_info.total_items;
    const codes = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const msisdn = index % 4 === 0 ? broken : ada;
        const body = airtime({ merchant: shop.code, msisdn, request_ref: newReference() });
        return (await gateway.call('POST', airtimeSync, { as: shop.test, body })).body.response_code;
      }),
    );
    assert.equal(codes.filter((code) => code === '01').length, 10);
    const total = async (query: string): Promise<number> =>
      (await list(`?limit=1${query}`, shop.test)).body.result.page_info.total_items;
    assert.equal(await total(''), before + 40);
    assert.equal(await total('&status=1'), 10);
    assert.equal(await total('&status=0'), before + 30);
    assert.equal(await total('&status=2'), 0);
  });
});
