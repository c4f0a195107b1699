/**
 * Invalid requests for bills: the right status, the field named, and nothing stored or held, with
 * either kind of credential.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  betting,
  buy,
  cable,
  electricity,
  oja,
  postpaid,
  testBettingId,
  testMeter,
  testSmartcards,
  verificationOf,
  verify,
} from './bills.ts';
import {
  assertRefused,
  eventually,
  type Fields,
  footprint,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();

const long = 'x'.repeat(10_000);
const longNumber = '1'.repeat(10_000);

type Case = readonly [what: string, body: Record<string, unknown>, status: number, field: string];

function without(body: Record<string, unknown>, field: string): Record<string, unknown> {
  return { ...body, [field]: undefined };
}

const purchases: readonly Case[] = [
  ['letters in a meter', electricity({ msisdn: '1000000000A' }), 400, 'msisdn'],
  ['a meter too short', electricity({ msisdn: '12345' }), 400, 'msisdn'],
  ['a meter too long', electricity({ msisdn: '12345678901234' }), 400, 'msisdn'],
  ['a meter with a space', electricity({ msisdn: '10000 00001' }), 400, 'msisdn'],
  ['a meter as a number', electricity({ msisdn: 10000000001 }), 400, 'msisdn'],
  ['a meter of digits that are not ASCII', electricity({ msisdn: '١٠٠٠٠٠٠٠٠٠١' }), 400, 'msisdn'],
  ['letters in a smartcard', cable({ msisdn: 'DSTV0000010' }), 400, 'msisdn'],
  ['a smartcard too short', cable({ msisdn: '123456789' }), 400, 'msisdn'],
  ['a betting id with a sign', betting({ msisdn: 'TEST-BET-001' }), 400, 'msisdn'],
  ['a betting id too long', betting({ msisdn: 'A'.repeat(31) }), 400, 'msisdn'],
  ...[electricity, cable, betting].flatMap((bill): Case[] => [
    [`an id of 10,000 characters: ${bill.name}`, bill({ msisdn: longNumber }), 400, 'msisdn'],
    [`a plan of 10,000 characters: ${bill.name}`, bill({ plan_code: long }), 400, 'plan_code'],
    [`a network of 10,000 characters: ${bill.name}`, bill({ network: long }), 400, 'network'],
    [`a reference of 10,000 characters: ${bill.name}`, bill({ request_ref: long }), 400, 'request_ref'],
    [`a phone of 10,000 characters: ${bill.name}`, bill({ phone: longNumber }), 400, 'phone'],
    [`no plan: ${bill.name}`, without(bill(), 'plan_code'), 422, 'plan_code'],
    [`no amount: ${bill.name}`, without(bill(), 'amount'), 422, 'amount'],
    [`no customer: ${bill.name}`, without(bill(), 'msisdn'), 422, 'msisdn'],
    [`no network: ${bill.name}`, without(bill(), 'network'), 422, 'network'],
    [`no reference: ${bill.name}`, without(bill(), 'request_ref'), 422, 'request_ref'],
    [`an unknown plan: ${bill.name}`, bill({ plan_code: '9999999' }), 400, 'plan_code'],
    [`a data plan: ${bill.name}`, bill({ plan_code: 'MTN-1' }), 400, 'plan_code'],
    [`an unknown network: ${bill.name}`, bill({ network: 'nobody' }), 400, 'network'],
    [`a mobile network: ${bill.name}`, bill({ network: 'mtn' }), 400, 'network'],
    [`a third decimal: ${bill.name}`, bill({ amount: '4400.505' }), 400, 'amount'],
    [`an amount that is a number: ${bill.name}`, bill({ amount: 5000 }), 400, 'amount'],
    [`nothing: ${bill.name}`, bill({ amount: '0' }), 400, 'amount'],
    [`a phone that is none: ${bill.name}`, bill({ phone: testMeter }), 400, 'phone'],
  ]),
  ['a plan of another network', electricity({ network: 'EKEDC' }), 400, 'plan_code'],
  ['a bouquet of another network', cable({ network: 'GOTV' }), 400, 'plan_code'],
  ['a betting plan of another network', betting({ network: 'SPORTYBET' }), 400, 'plan_code'],
  ['a plan of another product', electricity({ plan_code: '2101' }), 400, 'plan_code'],
  ['a network of another product', electricity({ network: 'DSTV' }), 400, 'network'],
  ['an unknown product', electricity({ product: 'GAS' }), 400, 'product'],
  ['no product', without(electricity(), 'product'), 422, 'product'],
  ['a product of two words', electricity({ product: 'ELECTRICITY ' }), 400, 'product'],
  ['no phone for betting', without(betting(), 'phone'), 422, 'phone'],
  ['the wrong price of a bouquet', cable({ amount: '4399.00' }), 400, 'amount'],
  ['kobo at a betting house', betting({ amount: '500.50' }), 400, 'amount'],
  ['the price of a bouquet and a kobo', cable({ amount: '4400.01' }), 400, 'amount'],
  ['less than the plan takes', electricity({ amount: '99.00' }), 400, 'amount'],
  ['more than the plan takes', electricity({ amount: '2000001.00' }), 400, 'amount'],
  ['less than the betting plan takes', betting({ amount: '99.00' }), 400, 'amount'],
  ['more than the betting plan takes', betting({ amount: '100001.00' }), 400, 'amount'],
  ['both names of the plan with two values', electricity({ plan: '2002' }), 400, 'plan_code'],
];

describe('a bill purchase', () => {
  for (const as of ['test', 'live'] as const) {
    it(`refuses a wrong bill purchase with its field, and stores nothing: ${as}`, async () => {
      const before = await footprint(gateway.database);
      const wallet = await walletOf(gateway, as);
      for (const [what, body, status, field] of purchases) {
        const answer = await buy(gateway, body, as);
        assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
        assertRefused(answer, status, field);
        assert.ok(answer.text.length < 5_000, what);
      }
      assert.deepEqual(await footprint(gateway.database), before);
      assert.deepEqual(await walletOf(gateway, as), wallet);
    });
  }

  it('names the current price of a bouquet, and every error at once', async () => {
    const price = await buy(gateway, cable({ amount: '4000.00' }));
    assertRefused(price, 400, { field: 'amount', reason: 'amount_not_price' });
    assert.ok(price.body.message.includes('4400.00'));
    const several = await buy(gateway, betting({ amount: '1.00', msisdn: '#' }));
    assert.deepEqual(
      several.body.errors.map((fault: { field: string }) => fault.field),
      ['msisdn', 'amount'],
    );
  });

  it('accepts a refused reference again', async () => {
    const body = electricity({ amount: '99.00' });
    assertRefused(await buy(gateway, body), 400, 'amount');
    assert.equal((await buy(gateway, { ...body, amount: '100.00' })).body.response_code, '00');
  });
});

const verifications: readonly Case[] = [
  ...purchases
    .filter(([, , , field]) => !['amount', 'phone', 'request_ref'].includes(field))
    .map(([what, body, , field]): Case => [what, verificationOf(body), 400, field]),
  ['both ids', verificationOf(electricity(), { service_id: 'ikeja-electric-prepaid' }), 400, 'service_id'],
  ['both ids', verificationOf(electricity(), { service_id: 'ikeja-electric-prepaid' }), 400, 'plan_code'],
  [
    'a service id of another network',
    verificationOf(electricity(), { plan_code: undefined, service_id: 'dstv-padi' }),
    400,
    'service_id',
  ],
  [
    'a service id of 10,000 characters',
    verificationOf(electricity(), { plan_code: undefined, service_id: long }),
    400,
    'service_id',
  ],
  ['a product without customers', verificationOf(electricity(), { product: 'airtime' }), 400, 'product'],
  ['no merchant', verificationOf(without(electricity(), 'merchant')), 400, 'merchant'],
];

describe('a verification', () => {
  for (const as of ['test', 'live'] as const) {
    it(`a wrong verification is 400 with its field, and stores nothing: ${as}`, async () => {
      const before = await footprint(gateway.database);
      for (const [what, body, status, field] of verifications) {
        const answer = await verify(gateway, body, as);
        assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
        assertRefused(answer, 400, field);
      }
      for (const body of ['', '{', '[]', '"x"', 'null']) assertRefused(await verify(gateway, body, as), 400);
      assert.deepEqual(await footprint(gateway.database), before);
    });
  }

  it('refuses a verification for another merchant', async () => {
    const shop = await openShop(gateway);
    assertRefused(
      await verify(gateway, verificationOf(electricity({ merchant: shop.code }))),
      403,
      'merchant',
    );
    assertRefused(
      await verify(gateway, verificationOf(electricity({ merchant: 'NOBODY' }))),
      404,
      'merchant',
    );
  });
});

describe('a bill product', () => {
  const bills: readonly [
    product: string,
    bill: (fields?: Fields) => Record<string, unknown>,
    live: string,
  ][] = [
    ['ELECTRICITY', electricity, '45030000001'],
    ['CABLE', cable, '45030000011'],
    ['BETTING', betting, 'punter1'],
  ];

  it('buys and verifies a bill product only where it is enabled, in either environment, at once', async () => {
    const shop = await openShop(gateway);
    for (const [product, bill, customer] of bills) {
      const body = (as: 'test' | 'live'): Record<string, unknown> =>
        bill({ merchant: shop.code, ...(as === 'live' ? { msisdn: customer } : {}) });
      const assertClosed = async (as: 'test' | 'live'): Promise<void> => {
        const before = await footprint(gateway.database);
        assertRefused(await buy(gateway, body(as), shop[as]), 403);
        assertRefused(await verify(gateway, verificationOf(body(as)), shop[as]), 403);
        assert.deepEqual(await footprint(gateway.database), before);
      };
      const untilVerified = (as: 'test' | 'live', status: number): Promise<true> =>
        eventually(`${product} is ${status} in ${as}`, async () => {
          const answer = await verify(gateway, verificationOf(body(as)), shop[as]);
          return answer.status === status ? true : undefined;
        });
      await assertClosed('test');
      await assertClosed('live');
      await oja(gateway, 'merchant', 'enable', shop.code, product, '--env', 'test');
      await untilVerified('test', 200);
      assert.equal((await buy(gateway, body('test'), shop.test)).body.response_code, '00');
      await assertClosed('live');
      await oja(gateway, 'merchant', 'enable', shop.code, product);
      await untilVerified('live', 200);
      assert.equal((await buy(gateway, body('live'), shop.live)).body.response_code, '00');
      await oja(gateway, 'merchant', 'disable', shop.code, product);
      await untilVerified('live', 403);
      await untilVerified('test', 403);
      await assertClosed('test');
      await assertClosed('live');
    }
  });

  it('a bill product without a provider is 503 before anything is stored', async () => {
    await oja(gateway, 'route', 'set', 'live', 'CABLE', 'star times', 'vtpass');
    const body = cable({
      network: 'STARTIMES',
      msisdn: testSmartcards.STARTIMES,
      // VTpass has no code for it.
      plan_code: '2171',
      amount: '1000.00',
    });
    const refused = await eventually('the route is known', async () => {
      const answer = await verify(gateway, verificationOf(body), 'live');
      return answer.status === 503 ? answer : undefined;
    });
    assertRefused(refused, 503, { reason: 'no_provider' });
    const before = await footprint(gateway.database);
    const bought = await buy(gateway, body, 'live');
    assertRefused(bought, 503, { reason: 'no_provider' });
    assert.notEqual(bought.body.message, refused.body.message);
    assert.deepEqual(await footprint(gateway.database), before);
    await oja(gateway, 'route', 'remove', 'live', 'CABLE', 'STARTIMES', '--yes');
    await eventually('the route is gone', async () => {
      const answer = await verify(gateway, verificationOf(body), 'live');
      return answer.status === 200 ? true : undefined;
    });
  });

  it('a bill product whose providers are paused is 503, also for verification', async () => {
    const body = cable();
    await oja(gateway, 'route', 'set', 'live', 'CABLE', 'DSTV', 'vtpass');
    await oja(gateway, 'provider', 'pause', 'vtpass', '--product', 'CABLE', '--reason', 'a test');
    const refused = await eventually('it is paused', async () => {
      const answer = await verify(gateway, verificationOf(body), 'live');
      return answer.status === 503 ? answer : undefined;
    });
    assertRefused(refused, 503, { reason: 'selling_paused' });
    const bought = await buy(gateway, body, 'live');
    assertRefused(bought, 503, { reason: 'selling_paused' });
    assert.notEqual(bought.body.message, refused.body.message);
    await oja(gateway, 'provider', 'resume', 'vtpass', '--product', 'CABLE');
    await oja(gateway, 'route', 'remove', 'live', 'CABLE', 'DSTV', '--yes');
    await eventually('it is sold again', async () => {
      const answer = await verify(gateway, verificationOf(body), 'live');
      return answer.status === 200 ? true : undefined;
    });
  });
});

describe('the list of purchases', () => {
  it('finds customers of bills in the list as sent, and eleven digits in either meaning', async () => {
    const shop = await openShop(gateway);
    for (const product of ['ELECTRICITY', 'CABLE', 'BETTING']) {
      await oja(gateway, 'merchant', 'enable', shop.code, product, '--env', 'test');
    }
    await eventually('bills are enabled', async () => {
      const answer = await verify(gateway, verificationOf(betting({ merchant: shop.code })), shop.test);
      return answer.status === 200 ? true : undefined;
    });
    const meterLikeAMobile = '08031234567';
    const bought = [
      await buy(gateway, electricity({ merchant: shop.code }), shop.test),
      await buy(gateway, postpaid({ merchant: shop.code }), shop.test),
      await buy(gateway, betting({ merchant: shop.code }), shop.test),
      await buy(gateway, electricity({ merchant: shop.code, msisdn: meterLikeAMobile }), shop.test),
      await gateway.call('POST', '/v1/transactions/airtime/sync', {
        as: shop.test,
        body: { ...electricity({ merchant: shop.code }), network: 'mtn', msisdn: '2348031234567' },
      }),
    ].map((answer) => answer.body.data.request_id);
    const found = async (query: string): Promise<unknown[]> => {
      const answer = await gateway.call('GET', `/v1/transactions?${query}`, { as: shop.test });
      assert.equal(answer.status, 200, answer.text);
      const { items, page_info } = answer.body.result;
      const ids = items.map((item: { request_id: string }) => item.request_id);
      if (!query.includes('limit')) assert.equal(page_info.total_items, ids.length, query);
      return ids;
    };
    const [meter, account, punter, odd, airtime] = bought;
    assert.deepEqual(await found(`msisdn=${testMeter}`), [meter]);
    assert.deepEqual(await found(`msisdn=${testBettingId}`), [punter]);
    assert.deepEqual(await found(`msisdn=${testBettingId.toLowerCase()}`), []);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}`), [airtime, odd]);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}&limit=1`), [airtime]);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}&limit=1&page=2`), [odd]);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}&status=1`), [odd]);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}&status=2`), []);
    assert.deepEqual(await found(`msisdn=${meterLikeAMobile}&network=mtn`), [airtime]);
    assert.deepEqual(await found('msisdn=2348031234567'), [airtime]);
    assert.deepEqual(await found('network=ikedc'), [odd, account, meter]);
    assert.deepEqual(await found('network=Ikeja%20Electric&status=00'), [account, meter]);
    assert.deepEqual(await found('network=bet9ja'), [punter]);
    assertRefused(
      await gateway.call('GET', '/v1/transactions?network=nobody', { as: shop.test }),
      400,
      'network',
    );
    const { items } = (await gateway.call('GET', '/v1/transactions', { as: shop.test })).body.result;
    assert.deepEqual(
      items.map((item: { product: string; plan: string }) => `${item.product} ${item.plan}`),
      ['airtime ', 'ELECTRICITY 2001', 'BETTING 2201', 'ELECTRICITY 2002', 'ELECTRICITY 2001'],
    );
  });
});
