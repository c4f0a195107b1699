/**
 * Live bills through both simulated providers: verified, paid, sent to the next provider after a
 * failure, with a known outcome and a complete timeline.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  attemptsOf,
  betting,
  buy,
  cable,
  electricity,
  newMeter,
  oja,
  postpaid,
  strikesOn,
  testDebtMeter,
  testKeyChangeMeter,
  verificationOf,
  verify,
} from './bills.ts';
import {
  airtime,
  airtimeSync,
  assertRefused,
  eventually,
  footprint,
  merchantCode,
  newReference,
  openSharedGateway,
  statusOf,
  walletOf,
} from './gateway-under-test.ts';
import { deliveriesTo, misbehave } from './provider.ts';
import { credit } from './shop.ts';

const gateway = await openSharedGateway();
const first = 'first of the route';
const next = 'next of the route: the one before did not take the order';

type Bill = Record<string, unknown>;

/** Makes a live purchase. Returns the data of the answer, which the status has as well. */
async function paid(body: Bill): Promise<Record<string, unknown>> {
  const created = await buy(gateway, body, 'live');
  assert.deepEqual([created.status, created.body.response_code], [200, '00'], created.text);
  const { data } = created.body;
  const { payload } = (await statusOf(gateway, body.request_ref, 'live')).body;
  for (const name of ['token', 'units', 'kct1', 'kct2', 'payment_spent_on', 'telco_message']) {
    assert.equal(payload[name], data[name], name);
  }
  return data;
}

async function failed(body: Bill): Promise<Record<string, unknown>> {
  const created = await buy(gateway, body, 'live');
  assert.deepEqual([created.status, created.body.response_code], [200, '01'], created.text);
  assert.equal((await statusOf(gateway, body.request_ref, 'live')).body.code, '01');
  return created.body.data;
}

/** The deliveries to one customer, as `provider amount`. */
async function delivered(recipient: unknown): Promise<string[]> {
  const lines = await deliveriesTo(gateway, recipient);
  return lines.map(({ provider, product, amount }) => `${provider} ${product} ${amount}`);
}

describe('a live bill', () => {
  it('electricity returns the token of the provider, once, under each of its spellings', async () => {
    for (const [network, plan_code] of [
      ['Ikeja Electric', '2001'],
      ['EKEDC', '2003'],
      ['AEDC', '2005'],
      ['KEDCO', '2011'],
      ['JED', '2013'],
    ] as const) {
      const msisdn = newMeter();
      const data = await paid(electricity({ network, plan_code, msisdn }));
      assert.match(String(data.token), /^[0-9]{20}$/, network);
      assert.match(String(data.units), /^[0-9]+(\.[0-9]+)?$/, network);
      assert.deepEqual(await delivered(msisdn), ['vtpass ELECTRICITY 5000.00']);
      assert.ok(!('customer_name' in data));
    }
  });

  it('electricity that VTpass does not sell goes to Nomba', async () => {
    const msisdn = newMeter();
    const data = await paid(electricity({ network: 'ABEDC', plan_code: '2019', msisdn }));
    assert.match(String(data.token), /^[0-9]{20}$/);
    assert.deepEqual(await delivered(msisdn), ['nomba ELECTRICITY 5000.00']);
    assert.deepEqual(await attemptsOf(gateway, data.internal_reference), [`nomba (${first}) success`]);
  });

  it('electricity returns key change tokens, or reports that a debt took it all', async () => {
    const change = await paid(electricity({ msisdn: testKeyChangeMeter }));
    for (const name of ['token', 'kct1', 'kct2']) assert.match(String(change[name]), /^[0-9]{20}$/, name);
    const debt = await paid(electricity({ msisdn: testDebtMeter }));
    assert.deepEqual([debt.payment_spent_on, debt.token, debt.units], ['debt', undefined, undefined]);
  });

  it('postpaid electricity, cable and betting return a receipt without a token', async () => {
    for (const [bill, line] of [
      [postpaid({ msisdn: newMeter() }), 'vtpass ELECTRICITY 5000.00'],
      [cable({ msisdn: newMeter() }), 'vtpass CABLE 4400.00'],
      [
        cable({ network: 'STARTIMES', plan_code: '2161', amount: '1700.00', msisdn: newMeter() }),
        'vtpass CABLE 1700.00',
      ],
      [
        cable({ network: 'STARTIMES', plan_code: '2171', amount: '750.00', msisdn: newMeter() }),
        'nomba CABLE 750.00',
      ],
      [betting({ msisdn: 'punter42' }), 'nomba BETTING 500.00'],
      [
        betting({ network: '1xbet', plan_code: '2203', msisdn: '444837597', amount: '250000.00' }),
        'nomba BETTING 250000.00',
      ],
    ] as const) {
      const data = await paid(bill);
      assert.ok(!('token' in data));
      assert.deepEqual(await delivered(bill.msisdn), [line]);
    }
  });

  it('debits once, whether its client sends fifty times or not', async () => {
    const msisdn = newMeter();
    const body = electricity({ msisdn });
    const before = await walletOf(gateway, 'live');
    const answers = await Promise.all(Array.from({ length: 50 }, () => buy(gateway, body, 'live')));
    const codes = answers.map((answer) => answer.status).sort();
    assert.deepEqual(codes, [200, ...Array.from({ length: 49 }, () => 422)]);
    assert.deepEqual(await delivered(msisdn), ['vtpass ELECTRICITY 5000.00']);
    const after = await walletOf(gateway, 'live');
    assert.equal(Number(before.balance) - Number(after.balance), 5_000);
    assert.equal(after.held, '0.00');
  });

  it('a bill that the biller refuses is 01 with the biller’s reason, and its money is back', async () => {
    const msisdn = newMeter();
    await misbehave(gateway, { fault: 'refused', recipient: msisdn });
    const before = await walletOf(gateway, 'live');
    const data = await failed(electricity({ msisdn }));
    assert.equal(data.reason, 'provider_refused');
    assert.ok(String(data.telco_message).length > 5);
    assert.deepEqual(await attemptsOf(gateway, data.internal_reference), [`vtpass (${first}) failed`]);
    assert.deepEqual(await walletOf(gateway, 'live'), before);
    assert.deepEqual(await delivered(msisdn), []);
  });

  it('sends no bill when the wallet cannot pay', async () => {
    const { available } = await walletOf(gateway, 'live');
    const all = BigInt(Math.round(Number(available) * 100));
    await credit(gateway, merchantCode(), 'live', -all);
    try {
      const msisdn = newMeter();
      const data = await failed(electricity({ msisdn }));
      assert.equal(data.reason, 'insufficient_funds');
      assert.deepEqual(await attemptsOf(gateway, data.internal_reference), []);
      assert.deepEqual(await delivered(msisdn), []);
    } finally {
      await credit(gateway, merchantCode(), 'live', all);
    }
  });
});

describe('the verification before a purchase', () => {
  it('ends the bill of a rejected customer: 01 with the reason, nothing sent, nothing held', async () => {
    const before = await walletOf(gateway, 'live');
    for (const [body, reason] of [
      [electricity({ msisdn: '45000001000' }), /not a valid meter/],
      [electricity({ msisdn: '10000000005' }), /does not accept payments/],
      [electricity({ msisdn: '10000000002' }), /not a valid meter/],
      [cable({ msisdn: '10000000020' }), /not valid/],
      [betting({ msisdn: 'punter000' }), /not found/],
    ] as const) {
      const verified = await verify(gateway, verificationOf(body), 'live');
      assertRefused(verified, 400, { field: 'msisdn', reason: 'customer_rejected' });
      const data = await failed(body);
      assert.equal(data.reason, 'customer_rejected');
      assert.match(String(data.telco_message), reason);
      assert.equal(data.telco_message, verified.body.message);
      assert.deepEqual(await attemptsOf(gateway, data.internal_reference), []);
      assert.deepEqual(await delivered(body.msisdn), []);
    }
    assert.deepEqual(await walletOf(gateway, 'live'), before);
  });

  it('applies the meter’s own limits to the amount', async () => {
    const msisdn = newMeter();
    const { result } = (await verify(gateway, verificationOf(electricity({ msisdn })), 'live')).body;
    assert.deepEqual([result.min_amount, result.max_amount], ['1000.00', '1000000.00']);
    for (const [amount, limit] of [
      ['999.00', '1000.00'],
      ['1000001.00', '1000000.00'],
    ] as const) {
      const data = await failed(electricity({ msisdn, amount }));
      assert.equal(data.reason, 'amount_out_of_range');
      assert.ok(String(data.telco_message).includes(limit));
      assert.deepEqual(await attemptsOf(gateway, data.internal_reference), []);
    }
    assert.deepEqual(await delivered(msisdn), []);
    await paid(electricity({ msisdn, amount: '1000.00' }));
    assert.deepEqual(await delivered(msisdn), ['vtpass ELECTRICITY 1000.00']);
  });

  it('uses the limits of the plan when the meter reports none', async () => {
    const body = electricity({ network: 'AEDC', plan_code: '2005', msisdn: newMeter() });
    const { result } = (await verify(gateway, verificationOf(body), 'live')).body;
    assert.deepEqual([result.min_amount, result.max_amount], ['100.00', '2000000.00']);
    await paid({ ...body, amount: '100.00' });
  });

  it('a failed verification is 502, and 01 in a purchase, which is not sent', async () => {
    for (const [fault, more] of [
      ['error_5xx', {}],
      ['cut_before', {}],
      ['broken_json', {}],
      ['html_page', {}],
      ['no_reply', {}],
      ['biller_down', {}],
    ] as const) {
      const msisdn = newMeter();
      await misbehave(gateway, { fault, recipient: msisdn, operation: 'verify', ...more });
      const body = electricity({ msisdn });
      const answer = await verify(gateway, verificationOf(body), 'live');
      assertRefused(answer, 502, { reason: 'customer_not_verified' });
      assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'message', 'reason', 'status']);
      assert.doesNotMatch(answer.text, /vtpass|nomba|HTTP 5|biller_down/i);
      const before = await walletOf(gateway, 'live');
      const data = await failed(body);
      assert.equal(data.reason, 'customer_not_verified');
      assert.ok(!('telco_message' in data));
      assert.deepEqual(await attemptsOf(gateway, data.internal_reference), []);
      assert.deepEqual(await delivered(msisdn), []);
      assert.deepEqual(await walletOf(gateway, 'live'), before);
    }
  });

  it('verifies at the second provider if the first cannot, and uses its answer', async () => {
    const msisdn = newMeter();
    await misbehave(gateway, {
      fault: 'error_5xx',
      recipient: msisdn,
      operation: 'verify',
      provider: 'vtpass',
    });
    const body = electricity({ msisdn });
    const { result } = (await verify(gateway, verificationOf(body), 'live')).body;
    assert.deepEqual(Object.keys(result).sort(), [
      'customer_name',
      'max_amount',
      'min_amount',
      'msisdn',
      'network',
      'product',
    ]);
    const data = await paid(body);
    assert.deepEqual(await attemptsOf(gateway, data.internal_reference), [`vtpass (${first}) success`]);
  });

  it('does not verify again for a used reference', async () => {
    const msisdn = newMeter();
    await misbehave(gateway, { fault: 'slow', recipient: msisdn, operation: 'verify', delay_ms: 0 });
    const body = electricity({ msisdn });
    await paid(body);
    assert.deepEqual(await strikesOn(gateway, msisdn), [1]);
    assertRefused(await buy(gateway, body, 'live'), 422, 'request_ref');
    assertRefused(await buy(gateway, { ...body, amount: '6000.00' }, 'live'), 422, 'request_ref');
    assert.deepEqual(await strikesOn(gateway, msisdn), [1]);
    await verify(gateway, verificationOf(body), 'live');
    assert.deepEqual(await strikesOn(gateway, msisdn), [2]);
  });

  it('a verification by a merchant stores nothing', async () => {
    const before = await footprint(gateway.database);
    for (const bill of [
      electricity({ msisdn: newMeter() }),
      cable({ msisdn: newMeter() }),
      betting({ msisdn: 'punter7' }),
      electricity({ msisdn: '45000001000' }),
    ]) {
      await verify(gateway, verificationOf(bill), 'live');
    }
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('returns the bouquet of a smartcard and its renewal price', async () => {
    const body = cable({ msisdn: newMeter() });
    // The faults above opened the breaker of the first provider's reads, for two seconds.
    const result = await eventually('the first provider is asked again', async () => {
      const answer = await verify(gateway, verificationOf(body), 'live');
      return 'renewal_amount' in answer.body.result ? answer.body.result : undefined;
    });
    assert.match(result.renewal_amount, /^[0-9]+\.[0-9]{2}$/);
    assert.ok(result.current_bouquet.length > 3 && result.due_date.length >= 10);
    const renewal = cable({ msisdn: body.msisdn, plan_code: '2113', amount: result.renewal_amount });
    await paid(renewal);
    const short = await failed({ ...renewal, amount: '1000.00', request_ref: newReference() });
    assert.match(
      String(short.telco_message),
      new RegExp(`amount due is ${result.renewal_amount.replace('.', '\\.')}`),
    );
  });
});

describe('falling over to the second provider', () => {
  for (const fault of ['float_out', 'no_access']) {
    it(`fails over on a fault of the first provider: ${fault}`, async () => {
      for (const bill of [electricity, postpaid, cable]) {
        const msisdn = newMeter();
        await misbehave(gateway, { fault, recipient: msisdn, provider: 'vtpass' });
        const body = bill({ msisdn });
        const data = await paid(body);
        assert.deepEqual(await attemptsOf(gateway, data.internal_reference), [
          `vtpass (${first}) failed`,
          `nomba (${next}) success`,
        ]);
        assert.deepEqual(await delivered(msisdn), [`nomba ${data.product} ${data.amount}`]);
        assert.equal(/own|wallet|vtpass|018|028/i.test(String(data.telco_message)), false);
      }
    });
  }

  it('fails when both providers are at fault, without naming them to the merchant', async () => {
    const msisdn = newMeter();
    const before = await walletOf(gateway, 'live');
    await misbehave(gateway, { fault: 'float_out', recipient: msisdn });
    const data = await failed(electricity({ msisdn }));
    assert.ok(!('telco_message' in data));
    assert.equal((await attemptsOf(gateway, data.internal_reference)).length, 2);
    assert.deepEqual(await walletOf(gateway, 'live'), before);
    assert.deepEqual(await delivered(msisdn), []);
  });

  it('does not fail over when the biller refuses', async () => {
    for (const fault of ['refused', 'biller_down']) {
      const msisdn = newMeter();
      await misbehave(gateway, { fault, recipient: msisdn, provider: 'vtpass' });
      const data = await failed(electricity({ msisdn }));
      assert.deepEqual(await attemptsOf(gateway, data.internal_reference), [`vtpass (${first}) failed`]);
      assert.deepEqual(await delivered(msisdn), []);
    }
  });

  it('shows each step of a failover to the operator', async () => {
    const msisdn = newMeter();
    await misbehave(gateway, { fault: 'float_out', recipient: msisdn, provider: 'vtpass' });
    const data = await paid(electricity({ msisdn }));
    const shown = await oja(gateway, 'purchase', 'show', String(data.request_id), '--env', 'live');
    for (const line of [
      /^Product +ELECTRICITY Ikeja Electric 2001$/m,
      /accepted +sync, .*route vtpass,nomba$/m,
      /attempt 1 +vtpass, as \S+ \(first of the route\)$/m,
      /answer to 1 +vtpass says failed \(code 018: our wallet at the provider is too low/m,
      /attempt 2 +nomba, as \S+ \(next of the route: the one before did not take the order\)$/m,
      /answer to 2 +nomba says success/m,
      /success +delivered: .*brought token, units$/m,
      /transfer +purchase cost: 5000\.00 from wallet to float nomba$/m,
    ]) {
      assert.match(shown, line);
    }
    assert.ok(!shown.includes(String(data.token)));
  });

  it('fails airtime and data over too', async () => {
    const msisdn = '08035550001';
    await misbehave(gateway, { fault: 'float_out', recipient: msisdn, provider: 'vtpass' });
    const answer = await gateway.call('POST', airtimeSync, { as: 'live', body: airtime({ msisdn }) });
    assert.equal(answer.body.response_code, '00', answer.text);
    assert.deepEqual(await delivered(msisdn), ['nomba airtime 100.00']);
  });
});

describe('an account number in parts', () => {
  it('pays an account number in parts, and lists it in the spelling of the biller', async () => {
    const msisdn = '12/34/56/7890-01';
    await paid(postpaid({ msisdn, amount: '2000.00' }));
    const rows = (await gateway.call('GET', `/v1/transactions?msisdn=${msisdn}`, { as: 'live' })).body.result;
    assert.deepEqual(
      rows.items.map((row: { msisdn: string }) => row.msisdn),
      [msisdn],
    );
  });
});
