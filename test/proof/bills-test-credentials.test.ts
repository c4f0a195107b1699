/**
 * Bills with test credentials: accepted customers and their goods, rejected customers, and free
 * verification.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  betting,
  buy,
  cable,
  electricity,
  postpaid,
  testBettingId,
  testDebtMeter,
  testKeyChangeMeter,
  testMeter,
  testPostpaidMeter,
  testSmartcards,
  verificationOf,
  verify,
} from '../e2e/bills.ts';
import {
  assertRefused,
  footprint,
  merchantCode,
  openSharedGateway,
  statusOf,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import type { Answer } from '../support/gateway.ts';

const gateway = await openSharedGateway();

const token = /^[0-9]{20}$/;
const electricityNetworks = [
  ['Ikeja Electric', 2001],
  ['EKEDC', 2003],
  ['AEDC', 2005],
  ['IBEDC', 2007],
  ['EEDC', 2009],
  ['KEDCO', 2011],
  ['JED', 2013],
  ['PHED', 2015],
  ['BEDC', 2017],
  ['ABEDC', 2019],
  ['KAEDCO', 2021],
  ['YEDC', 2023],
  ['ABA', 2025],
] as const;

/** The goods fields of an answer's data or payload. */
function goodsIn(purchase: Record<string, unknown>): Record<string, unknown> {
  const names = ['token', 'units', 'kct1', 'kct2', 'payment_spent_on', 'customer_name'];
  return Object.fromEntries(Object.entries(purchase).filter(([name]) => names.includes(name)));
}

/** Buys, and checks create and status for the same fields. */
async function paid(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const created = await buy(gateway, body);
  assert.equal(created.status, 200, created.text);
  assert.deepEqual([created.body.status, created.body.response_code], ['success', '00']);
  const { data } = created.body;
  assert.match(data.created_at, /^20\d\d-\d\d-\d\dT[0-9:.]+\+01:00$/);
  assert.deepEqual(
    [data.msisdn, data.product, data.network, data.amount, data.plan, data.request_id],
    [body.msisdn, body.product, body.network, body.amount, String(body.plan_code), body.request_ref],
  );
  const { payload, message, ...status } = (await statusOf(gateway, body.request_ref)).body;
  assert.deepEqual(status, { state: 'success', code: '00' });
  assert.equal(message, created.body.response_message);
  assert.equal(payload.merchant_name, 'Demo Merchant');
  const { created_at: _sent, ...same } = data;
  const { created_at: _stored, updated_at: _final, merchant_name: _name, ...kept } = payload;
  assert.deepEqual(kept, same);
  return goodsIn(data);
}

/** Fails at the biller: 01 with a reason, in create and status. No money moves. */
async function refused(body: Record<string, unknown>): Promise<string> {
  const before = await walletOf(gateway);
  const created = await buy(gateway, body);
  assert.equal(created.status, 200, created.text);
  assert.deepEqual([created.body.status, created.body.response_code], ['failed', '01'], created.text);
  assert.deepEqual(goodsIn(created.body.data), {});
  const status = await statusOf(gateway, body.request_ref);
  assert.deepEqual([status.body.state, status.body.code], ['failed', '01']);
  assert.equal(status.body.message, created.body.response_message);
  assert.equal(status.body.payload.reason, created.body.data.reason);
  assert.equal(status.body.payload.telco_message, created.body.data.telco_message);
  assert.deepEqual(await walletOf(gateway), before);
  return created.body.data.telco_message;
}

describe('a test purchase of electricity', () => {
  it('every network returns token, units and the name if prepaid, only the name if postpaid', async () => {
    for (const [network, id] of electricityNetworks) {
      const goods = await paid(electricity({ network, plan_code: String(id) }));
      assert.match(String(goods.token), token);
      assert.match(String(goods.units), /^[0-9]+\.[0-9]$/);
      assert.deepEqual(Object.keys(goods).sort(), ['customer_name', 'token', 'units']);
      const receipt = await paid(postpaid({ network, plan_code: String(id + 1) }));
      assert.deepEqual(Object.keys(receipt), ['customer_name']);
    }
  });

  it('a meter that needs a key change returns both key change tokens beside its own', async () => {
    const goods = await paid(electricity({ msisdn: testKeyChangeMeter }));
    const tokens = [goods.kct1, goods.kct2, goods.token];
    for (const each of tokens) assert.match(String(each), token);
    assert.equal(new Set(tokens).size, 3);
  });

  it('a payment that clears a debt reports it and returns no token', async () => {
    const goods = await paid(electricity({ msisdn: testDebtMeter }));
    assert.deepEqual(Object.keys(goods).sort(), ['customer_name', 'payment_spent_on']);
    assert.equal(goods.payment_spent_on, 'debt');
  });

  it('debits the wallet once, by the amount', async () => {
    const before = await walletOf(gateway);
    await paid(electricity({ amount: '1234.00' }));
    const after = await walletOf(gateway);
    assert.equal(Number(before.balance) - Number(after.balance), 1234);
    assert.equal(after.held, '0.00');
  });

  it('accepts a phone and every name of network and plan', async () => {
    for (const fields of [
      { phone: '08031234567' },
      { phone: '2348031234567' },
      { network: 'ikeja electric', plan_code: '2001' },
      { network: 'IKEDC' },
      { plan_code: 2001 },
      { plan_code: '401' },
      { plan_code: '801' },
      { plan_code: undefined, plan: '2001' },
      { product: 'electricity' },
    ]) {
      const answer = await buy(gateway, electricity(fields));
      assert.equal(answer.body.response_code, '00', answer.text);
      assert.deepEqual(
        [answer.body.data.product, answer.body.data.network, answer.body.data.plan_code],
        ['ELECTRICITY', 'Ikeja Electric', '2001'],
      );
    }
  });
});

describe('a test purchase of cable and betting', () => {
  it('pays for the smartcard of each network', async () => {
    for (const [network, plan_code, amount] of [
      ['DSTV', '2101', '4400.00'],
      ['GOTV', '2131', '1900.00'],
      ['STARTIMES', '2161', '1700.00'],
    ] as const) {
      const goods = await paid(cable({ network, msisdn: testSmartcards[network], plan_code, amount }));
      assert.deepEqual(Object.keys(goods), ['customer_name']);
    }
  });

  it('pays at each betting network', async () => {
    const networks = ['BET9JA', 'SPORTYBET', '1XBET', 'BETKING', 'BETWAY', 'NAIRABET', 'MERRYBET', 'BANGBET'];
    for (const [index, network] of networks.entries()) {
      const goods = await paid(betting({ network, plan_code: String(2201 + index) }));
      assert.deepEqual(Object.keys(goods), ['customer_name']);
    }
  });
});

describe('a customer who is not a test customer', () => {
  const strangers = [
    ['a meter that is nobody', electricity({ msisdn: '45700000001' })],
    ['a prepaid meter on a postpaid plan', postpaid({ msisdn: testMeter })],
    ['a postpaid meter on a prepaid plan', electricity({ msisdn: testPostpaidMeter })],
    ['a smartcard of another network', cable({ msisdn: testSmartcards.GOTV })],
    ['a meter as a smartcard', cable({ msisdn: testMeter })],
    ['a smartcard as a meter', electricity({ msisdn: testSmartcards.DSTV })],
    ['another betting account', betting({ msisdn: 'TESTBET002' })],
    ['a betting account in lower case', betting({ msisdn: testBettingId.toLowerCase() })],
  ] as const;
  for (const [name, body] of strangers) {
    it(`rejects other customers by 400 in verification and by 01 in a purchase: ${name}`, async () => {
      const verified = await verify(gateway, verificationOf(body));
      assertRefused(verified, 400, 'msisdn');
      const reason = await refused(body);
      assert.equal(reason, verified.body.message);
      assert.ok(reason.length > 10);
    });
  }

  it('a rejected customer uses the reference up all the same', async () => {
    const body = electricity({ msisdn: '45700000001' });
    await refused(body);
    const again = await buy(gateway, { ...body, msisdn: testMeter });
    assertRefused(again, 422, 'request_ref');
    assert.deepEqual([again.body.data.status, again.body.data.response_code], ['failed', '01']);
  });

  it('an amount must stay within the customer’s own limits', async () => {
    const reason = await refused(electricity({ amount: '1500000.00' }));
    assert.ok(reason.includes('1000000.00'));
  });
});

describe('verification', () => {
  async function customer(body: Record<string, unknown>): Promise<Record<string, unknown>> {
    const answer = await verify(gateway, body);
    assert.equal(answer.status, 200, answer.text);
    const { result, message, ...envelope } = answer.body;
    assert.deepEqual(envelope, { state: 'ok', code: '00' });
    assert.ok(message.length > 0);
    for (const [name, value] of Object.entries(result)) {
      assert.ok(typeof value === 'string' && value !== '', name);
    }
    assert.deepEqual(
      [result.product, result.network, result.msisdn],
      [body.product, body.network, body.msisdn],
    );
    return result;
  }

  it('verifies a meter with its customer and its limits', async () => {
    for (const body of [electricity(), postpaid(), electricity({ msisdn: testKeyChangeMeter })]) {
      const result = await customer(verificationOf(body));
      assert.equal(result.customer_name, 'TEST CUSTOMER');
      assert.match(String(result.min_amount), /^[0-9]+\.[0-9]{2}$/);
      assert.match(String(result.max_amount), /^[0-9]+\.[0-9]{2}$/);
      assert.equal(result.meter_number, body.msisdn);
      for (const name of ['customer_address', 'account_type', 'meter_type', 'district', 'tariff']) {
        assert.ok(name in result, name);
      }
      assert.ok(!('arrears' in result));
    }
    const debtor = await customer(verificationOf(electricity({ msisdn: testDebtMeter })));
    assert.match(String(debtor.arrears), /^[0-9]+\.[0-9]{2}$/);
  });

  it('verifies a smartcard with its bouquet, and a betting account with its user name', async () => {
    for (const [network, plan_code] of [
      ['DSTV', '2101'],
      ['GOTV', '2131'],
      ['STARTIMES', '2161'],
    ] as const) {
      const body = cable({ network, plan_code, msisdn: testSmartcards[network] });
      const result = await customer(verificationOf(body));
      assert.deepEqual(Object.keys(result), [
        'product',
        'network',
        'msisdn',
        'customer_name',
        'current_bouquet',
      ]);
    }
    const account = await customer(verificationOf(betting()));
    assert.deepEqual(Object.keys(account), [
      'product',
      'network',
      'msisdn',
      'customer_name',
      'min_amount',
      'max_amount',
      'customer_username',
    ]);
    assert.deepEqual([account.min_amount, account.max_amount], ['100.00', '100000.00']);
  });

  it('accepts either id of a plan, old ones too, and other names of fields', async () => {
    const { plan_code: _code, merchant: _merchant, msisdn: _msisdn, ...rest } = verificationOf(electricity());
    const named = { merchant_code: merchantCode(), customer_msisdn: testMeter };
    for (const plan of [
      { plan_code: '2001' },
      { plan: '2001' },
      { plan_code: 2001 },
      { plan_code: '401' },
      { plan_code: '801' },
      { service_id: 'ikeja-electric-prepaid' },
      { service_id: '2001' },
      { service_id: 2001 },
      { service_id: '401' },
      { service_id: '801' },
      { plan_code: null, service_id: '2001' },
    ]) {
      const answer = await verify(gateway, { ...rest, ...named, ...plan });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('charges and stores nothing, whatever the result', async () => {
    const before = await footprint(gateway.database);
    const wallet = await walletOf(gateway);
    for (const body of [electricity(), cable(), betting(), electricity({ msisdn: '45700000001' })]) {
      await verify(gateway, verificationOf(body, { request_ref: 'verify-is-not-a-purchase' }));
    }
    assert.deepEqual(await footprint(gateway.database), before);
    assert.deepEqual(await walletOf(gateway), wallet);
    assertRefused(await statusOf(gateway, 'verify-is-not-a-purchase'), 404);
  });

  it('requires credentials', async () => {
    assertRefused(await verify(gateway, verificationOf(electricity()), 'nobody'), 401);
  });
});

describe('the lists of bill plans', () => {
  type Plan = {
    readonly id: number;
    readonly name: string;
    readonly network: string;
    readonly product: string;
    readonly amount_type: string;
    readonly price?: string;
  };

  function list(path: string): Promise<Answer> {
    return gateway.call('GET', `/v1/plans/bills/${path}`);
  }

  async function plans(path: string): Promise<readonly Plan[]> {
    const answer = await list(path);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.status, '2000');
    assert.ok(answer.body.description.length > 5);
    return answer.body.data;
  }

  function count(all: readonly Plan[], network: string): number {
    return all.filter((plan) => plan.network === network).length;
  }

  it('lists the networks and entries of the interface, with ids unique over all of them', async () => {
    const electricityPlans = await plans('electricity');
    const cablePlans = await plans('cable');
    const bettingPlans = await plans('betting');
    for (const [network] of electricityNetworks) {
      const names = electricityPlans.filter((plan) => plan.network === network).map((plan) => plan.name);
      assert.equal(names.length, 2);
      assert.ok(names.some((name) => /prepaid/i.test(name)) && names.some((name) => /postpaid/i.test(name)));
    }
    assert.equal(electricityPlans.length, 26);
    assert.ok(count(cablePlans, 'DSTV') >= 8);
    assert.ok(count(cablePlans, 'GOTV') >= 6);
    assert.ok(count(cablePlans, 'STARTIMES') >= 6);
    assert.equal(new Set(bettingPlans.map((plan) => plan.network)).size, 8);
    const all = [...electricityPlans, ...cablePlans, ...bettingPlans];
    assert.equal(new Set(all.map((plan) => plan.id)).size, all.length);
    for (const plan of all) {
      assert.ok(Number.isInteger(plan.id));
      assert.equal('price' in plan, plan.amount_type === 'fixed');
      if (plan.product !== 'CABLE') assert.equal(plan.amount_type, 'variable');
      else if (plan.price !== undefined) assert.match(plan.price, /^[0-9]+\.[0-9]{2}$/);
    }
  });

  it('filters by network, under any of its names, in any letter case', async () => {
    for (const network of ['EKEDC', 'ekedc', 'Eko Electric']) {
      const found = await plans(`electricity?network=${encodeURIComponent(network)}`);
      assert.deepEqual(
        found.map((plan) => plan.network),
        ['EKEDC', 'EKEDC'],
      );
    }
    const all = await plans('CABLE');
    assert.deepEqual(
      await plans('cable?network=dstv'),
      all.filter((plan) => plan.network === 'DSTV'),
    );
  });

  it('refuses lists of unknown networks', async () => {
    for (const path of ['gas', 'airtime', 'x'.repeat(150)]) {
      assertRefused(await list(path), 400, 'product');
    }
    for (const network of ['nobody', 'DSTV', 'mtn', 'x'.repeat(5_000)]) {
      assertRefused(await list(`electricity?network=${network}`), 400, 'network');
    }
    // An empty value counts as absent.
    assert.equal((await list('electricity?network=')).status, 200);
    assertRefused(await gateway.call('GET', '/v1/plans/bills/electricity', { as: 'nobody' }), 401);
  });

  it('lists plans that can be verified and paid by their ids', async () => {
    for (const plan of await plans('cable?network=DSTV')) {
      const amount = plan.price ?? '5000.00';
      const answer = await buy(gateway, cable({ plan_code: String(plan.id), amount }));
      assert.equal(answer.body.response_code, '00', `${plan.name}: ${answer.text}`);
    }
  });
});
