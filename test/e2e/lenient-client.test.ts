/**
 * Unusual spellings of clients: null for absent, both names of a field, empty query values, numbers
 * for ids, letter case. Each has a variant that is refused.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import { announceChange } from '../../src/db/change-notice-store.ts';
import type { Answer } from '../support/gateway.ts';
import { betting, electricity, postpaid, verifyPath } from './bills.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  data,
  dataAsync,
  dataSync,
  eventually,
  type Fields,
  merchantCode,
  newReference,
  openSharedGateway,
  statusOf,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();

function post(path: string, body: unknown): Promise<Answer> {
  return gateway.call('POST', path, { body });
}

async function assertSold(path: string, body: Fields): Promise<Answer> {
  const answer = await post(path, body);
  assert.equal(answer.body?.response_code, '00', answer.text);
  return answer;
}

describe('a member that is null', () => {
  it('null is absent: in optional fields, beside an alias, in unknown fields', async () => {
    await assertSold(anyProduct, electricity({ phone: null, plan: null, service_id: null, more: null }));
    const { request_ref, msisdn, merchant, ...rest } = airtime();
    const aliases = { client_request_id: request_ref, customer_msisdn: msisdn, merchant_code: merchant };
    const nulls = { request_ref: null, msisdn: null, merchant: null };
    await assertSold(airtimeSync, { ...rest, ...aliases, ...nulls });
    const card = { request_id: newReference(), plan_id: 300002, quantity: null, face_value: null };
    await assertSold('/v1/giftcards/orders', { ...card, send_via: null, destination: null });
    const quote = await post('/v1/giftcards/quote', { plan_id: 300002, face_value: null });
    assert.equal(quote.status, 200, quote.text);
  });

  it('null in a required field is a missing field: 422', async () => {
    assertRefused(await post(airtimeSync, airtime({ amount: null })), 422, 'amount');
    assertRefused(await post(dataSync, data({ plan_code: null })), 422, 'plan_code');
    assertRefused(await post('/v1/giftcards/orders', { request_id: null, plan_id: 300002 }), 422);
    assertRefused(await post(airtimeSync, null), 400);
  });
});

describe('a member that is empty text', () => {
  it('empty text is absent in an optional field', async () => {
    await assertSold(anyProduct, electricity({ phone: '', plan: '', merchant_code: '' }));
    await assertSold(dataSync, data({ plan: '', client_request_id: '', phone: '' }));
    const card = { request_id: newReference(), plan_id: 300002, send_via: '', destination: '' };
    await assertSold('/v1/giftcards/orders', card);
  });

  it('refuses empty text in a required field', async () => {
    for (const field of ['msisdn', 'network', 'amount', 'request_ref', 'merchant', 'plan_code']) {
      assertRefused(await post(dataSync, data({ [field]: '' })), 400, field);
    }
  });

  it('empty text is a missing field where a product requires what is optional for another', async () => {
    for (const phone of ['', null, undefined]) {
      assertRefused(await post(anyProduct, betting({ phone })), 422, 'phone');
    }
    assertRefused(await post(anyProduct, betting({ phone: ' ' })), 400, 'phone');
    await assertSold(anyProduct, betting());
  });

  it('empty text counts as absent beside an alias', async () => {
    const merchant_code = merchantCode();
    await assertSold(airtimeSync, airtime({ merchant: '', merchant_code }));
    await assertSold(airtimeSync, airtime({ merchant: merchant_code, merchant_code: '' }));
    const differs = airtime({ merchant: 'OTHER', merchant_code });
    assertRefused(await post(airtimeSync, differs), 400, 'merchant');
    assertRefused(await post(airtimeSync, airtime({ merchant: '', merchant_code: '' })), 400, 'merchant');
  });
});

describe('both names of a field', () => {
  it('accepts both names of a field with the same meaning, and echoes the first', async () => {
    const sold = await assertSold(
      airtimeSync,
      airtime({
        merchant_code: merchantCode().toLowerCase(),
        msisdn: '08031234567',
        customer_msisdn: '+2348031234567',
      }),
    );
    assert.equal(sold.body.data.msisdn, '08031234567');
    await assertSold(dataSync, data({ plan_code: 'MTN-1', plan: 'mtn-1' }));
    await assertSold(anyProduct, electricity({ plan_code: '2001', plan: 2001 }));
  });

  it('refuses both names of a field with different meanings', async () => {
    for (const [fields, field] of [
      [{ merchant_code: 'DEMO2' }, 'merchant'],
      [{ customer_msisdn: '08031234568' }, 'msisdn'],
      [{ customer_msisdn: 'x' }, 'msisdn'],
      [{ request_ref: 'order-A', client_request_id: 'order-a' }, 'request_ref'],
      [{ request_ref: newReference(), client_request_id: 7 }, 'request_ref'],
    ] as const) {
      assertRefused(await post(airtimeSync, airtime(fields)), 400, field);
    }
    // Two meters.
    const meters = electricity({ msisdn: '08031234567', customer_msisdn: '2348031234567' });
    assertRefused(await post(anyProduct, meters), 400, 'msisdn');
  });
});

describe('a query', () => {
  it('treats empty query parameters as absent, on every route', async () => {
    for (const path of [
      `${anyProduct}?page=&limit=&msisdn=&network=&status=&cursor=`,
      '/v1/plans/bills/electricity?network=',
      '/v1/wallet/balance?currency=',
      '/v1/wallet/balance?currency=&currency=NGN',
      '/v1/wallet/statement?from=&to=&limit=&cursor=&format=&currency=',
      '/v1/giftcards/catalog?search=&currency=&featured=',
      '/v1/giftcards/plans/300002/availability?quantity=&face_value=',
      '/v1/esim/catalog?country=',
    ]) {
      const answer = await gateway.call('GET', path);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    }
    const { request_ref } = airtime();
    await assertSold(airtimeSync, airtime({ request_ref }));
    const status = `${anyProduct}/status?request_id=&client_request_id=&request_ref=${request_ref}`;
    assert.equal((await gateway.call('GET', status)).status, 200);
    assertRefused(await gateway.call('GET', `${anyProduct}/status?request_ref=`), 400);
  });

  it('refuses a repeated query parameter with 400', async () => {
    for (const [path, field] of [
      [`${anyProduct}?network=mtn&network=glo`, 'network'],
      [`${anyProduct}?page=1&page=2`, 'page'],
      [`${anyProduct}/status?request_ref=a&request_ref=b`, 'request_ref'],
      ['/v1/wallet/balance?currency=NGN&currency=USD', 'currency'],
      ['/v1/giftcards/plans/300002/quote?face_value=1&face_value=2', 'face_value'],
    ] as const) {
      const answer = await gateway.call('GET', path);
      assertRefused(answer, 400, { field, reason: 'field_repeated' });
    }
  });
});

describe('an id of a plan', () => {
  it('accepts a whole number as id of a plan', async () => {
    await assertSold(dataSync, data({ plan_code: 1010 }));
    await assertSold(anyProduct, electricity({ plan_code: 2001 }));
    const verified = await post(verifyPath, electricity({ plan_code: 2001 }));
    assert.equal(verified.status, 200, verified.text);
    // Read as text, which names no eSIM.
    const esim = await post('/v1/esim/orders', { request_id: newReference(), plan_id: 12 });
    assertRefused(esim, 404, { field: 'plan_id', reason: 'esim_plan_unknown' });
  });

  it('refuses other numbers as id, and any number as money', async () => {
    for (const plan_code of [1010.5, -1e21, true, [1010], { id: 1010 }]) {
      assertRefused(await post(dataSync, data({ plan_code })), 400, 'plan_code');
    }
    assertRefused(await post(airtimeSync, airtime({ amount: 100 })), 400, 'amount');
    assertRefused(await post(airtimeSync, airtime({ request_ref: 100 })), 400, 'request_ref');
  });
});

describe('letter case', () => {
  it('ignores letter case in currencies, channels and formats', async () => {
    for (const path of [
      '/v1/wallet/balance?currency=ngn',
      '/v1/wallet/statement?currency=Ngn&format=JSON',
      '/v1/giftcards/catalog?currency=usd',
    ]) {
      assert.equal((await gateway.call('GET', path)).status, 200, path);
    }
    const csv = await gateway.call('GET', '/v1/wallet/statement?format=CSV');
    assert.match(String(csv.headers['content-type']), /^text\/csv/);
    const order = { plan_id: 300002, send_via: 'EMAIL', destination: 'ada@example.com' };
    await assertSold('/v1/giftcards/orders', { ...order, request_id: newReference() });
  });

  it('refuses unknown words in any letter case', async () => {
    assertRefused(await gateway.call('GET', '/v1/wallet/balance?currency=naira'), 400, 'currency');
    assertRefused(await gateway.call('GET', '/v1/wallet/statement?format=xml'), 400, 'format');
    const order = { plan_id: 300002, send_via: 'POST', destination: 'ada@example.com' };
    const answer = await post('/v1/giftcards/orders', { ...order, request_id: newReference() });
    assertRefused(answer, 400, 'send_via');
  });
});

describe('the plan of a purchase', () => {
  it('echoes the plan as it was sent, in addition to its code', async () => {
    for (const [path, body, plan, plan_code] of [
      [dataSync, data({ plan_code: '1010' }), '1010', 'MTN-1'],
      [dataAsync, data({ plan_code: 'mtn-1' }), 'mtn-1', 'MTN-1'],
      [anyProduct, electricity({ plan_code: undefined, plan: 401 }), '401', '2001'],
      [anyProduct, electricity(), '2001', '2001'],
    ] as const) {
      const { data: told, response_code: code } = (await post(path, body)).body;
      assert.notEqual(code, '01');
      const { payload } = (await statusOf(gateway, body.request_ref)).body;
      const rows = (await gateway.call('GET', '/v1/transactions')).body.result.items;
      const row = rows.find((one: Fields) => one.request_id === body.request_ref);
      for (const one of [told, payload, row]) assert.deepEqual([one.plan, one.plan_code], [plan, plan_code]);
    }
    const sold = await assertSold(airtimeSync, airtime());
    assert.deepEqual([sold.body.data.plan, 'plan_code' in sold.body.data], ['', false]);
  });
});

describe('data of 9mobile', () => {
  type Entry = { readonly plan_code: string; readonly id: number; readonly price: string };
  async function plans(): Promise<readonly Entry[]> {
    return (await gateway.call('GET', '/v1/plans/9mobile')).body.data;
  }
  const buy = (fields: Fields): Promise<Answer> =>
    post(dataSync, data({ network: '9mobile', msisdn: '08091234567', ...fields }));

  it('sells data by amount under a catalog id and under a plan code', async () => {
    const [first, ...others] = await plans();
    const second = others.find(({ price }) => price !== first?.price);
    assert.ok(first && second);
    const named = await buy({ plan_code: String(first.id), amount: first.price });
    assert.equal(named.body.data?.plan_code, first.plan_code, named.text);
    for (const plan_code of [first.id, String(first.id), first.plan_code, first.plan_code.toLowerCase()]) {
      const other = await buy({ plan_code, amount: second.price });
      assert.deepEqual(
        [other.body.data?.plan, other.body.data?.plan_code],
        [String(plan_code), second.plan_code],
        other.text,
      );
      assert.equal(other.body.data.amount, second.price);
      assertRefused(await buy({ plan_code, amount: '77.77' }), 400, 'amount');
    }
  });

  it('requires the amount to match the price on the other networks', async () => {
    for (const network of ['mtn', 'glo', 'airtel']) {
      const { data: listed } = (await gateway.call('GET', `/v1/plans/${network}`)).body;
      const [one, two] = listed;
      const plan_code = network === 'mtn' ? one.tarrifTypeId : String(one.id);
      for (const code of [one.plan_code, plan_code]) {
        const other = { network, plan_code: code, amount: two.price };
        assertRefused(await post(dataSync, data(other)), 400, 'amount');
      }
    }
  });
});

describe('data of Glo', () => {
  it('buys data of Glo by every id that the list shows', async () => {
    const [plan] = (await gateway.call('GET', '/v1/plans/glo')).body.data;
    for (const plan_code of [plan.plan_code, plan.id, plan.tarrifTypeId, plan.shortCode]) {
      const sold = await assertSold(dataSync, data({ network: 'glo', plan_code, amount: plan.price }));
      assert.deepEqual([sold.body.data.plan, sold.body.data.plan_code], [String(plan_code), plan.plan_code]);
      const { payload } = (await statusOf(gateway, sold.body.data.request_id)).body;
      assert.deepEqual([payload.plan, payload.plan_code], [String(plan_code), plan.plan_code]);
    }
    assertRefused(await post(dataSync, data({ network: 'glo', plan_code: '999', amount: plan.price })), 400);
  });
});

describe('kobo', () => {
  it('accepts kobo for electricity', async () => {
    const sold = await assertSold(anyProduct, postpaid({ amount: '5000.37' }));
    assert.equal(sold.body.data.amount, '5000.37');
  });

  it('sends kobo to providers that accept them, and refuses with 400 if there is none', async () => {
    const shop = await openShop(gateway);
    const live = { environment: 'live', product: 'ELECTRICITY', network: '*' } as const;
    const route = (...providers: string[]): Promise<void> =>
      gateway.database.transaction(async (tx) => {
        await tx.query(
          `insert into merchant_products (merchant_id, environment, product)
           values ($1, 'live', 'ELECTRICITY') on conflict do nothing`,
          [shop.id],
        );
        await setRoute(tx, { ...live, providers });
        await announceChange(tx, 'routes');
        await announceChange(tx, 'merchants');
      });
    const pay = (amount: string): Promise<{ answer: Answer; reference: unknown }> => {
      const body = electricity({ merchant: shop.code, msisdn: '45021234567', amount });
      return gateway
        .call('POST', anyProduct, { as: shop.live, body })
        .then((answer) => ({ answer, reference: body.request_ref }));
    };
    await route('nomba');
    const refused = await eventually('kobo are refused', async () => {
      const tried = await pay('2000.50');
      return tried.answer.status === 400 ? tried : undefined;
    });
    assertRefused(refused.answer, 400, 'amount');
    assertRefused(await statusOf(gateway, refused.reference, shop.live), 404);
    // The same rule applies to a test purchase.
    assertRefused(await post(anyProduct, electricity({ amount: '2000.50' })), 400, {
      field: 'amount',
      reason: 'amount_not_whole_naira',
    });
    await assertSold(anyProduct, electricity({ amount: '2000.00' }));
    await route('nomba', 'vtpass');
    const paid = await eventually('kobo are taken', async () => {
      const tried = await pay('2000.50');
      return tried.answer.status === 200 ? tried.answer : undefined;
    });
    assert.equal(paid.body.response_code, '00', paid.text);
    const attempts = await gateway.database.query('select provider from attempts where purchase_id = $1', [
      paid.body.data.internal_reference,
    ]);
    assert.deepEqual(attempts, [{ provider: 'vtpass' }]);
  });
});
