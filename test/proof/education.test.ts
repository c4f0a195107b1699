/**
 * Education PINs through HTTP: verified where the network has customers, bought, returned, and
 * stored only sealed.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { attemptsOf, buy, electricity, oja, verificationOf, verify } from '../e2e/bills.ts';
import {
  assertAudited,
  assertRefused,
  eventually,
  footprint,
  newReference,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, release, untilHeld } from '../e2e/provider.ts';
import { openShop } from '../e2e/shop.ts';
import type { CallOptions } from '../support/gateway.ts';

const gateway = await openGatewayUnderTest();
// Ten seconds of it are reserved for the last query, so it waits three seconds for late goods.
/** Waits for late goods until a second before its deadline. */
const patient = await openGatewayUnderTest({
  settings: { OJA_TIME_SCALE: '0.2', OJA_SYNC_DEADLINE_S: '40' },
});

type Fields = Record<string, unknown>;
type Pin = { readonly serial?: string; readonly pin: string };

/**
 * A valid purchase of a WAEC result checker with test credentials. `fields` override its fields.
 */
function checker(fields: Fields = {}): Fields {
  return electricity({
    product: 'EDUCATION',
    network: 'WAEC',
    msisdn: '08000000010',
    plan_code: '2301',
    amount: '5350.00',
    ...fields,
  });
}

/** A valid purchase of a JAMB PIN with test credentials. `fields` override its fields. */
function jamb(fields: Fields = {}): Fields {
  const utme = { network: 'JAMB', msisdn: '1000000001', plan_code: '2303', amount: '7700.00' };
  return checker({ ...utme, phone: '08031234567', ...fields });
}

/** Buys, and checks create and status for the same fields. */
async function bought(body: Fields, as?: CallOptions['as']): Promise<Fields & { pins: readonly Pin[] }> {
  const created = await buy(gateway, body, as);
  assert.deepEqual([created.status, created.body.response_code], [200, '00'], created.text);
  const { data } = created.body;
  const { payload } = (await statusOf(gateway, body.request_ref, as)).body;
  assert.deepEqual(payload.pins, data.pins);
  assert.deepEqual(
    [data.product, data.network, data.msisdn, data.plan, data.amount],
    [body.product, body.network, body.msisdn, body.plan_code, body.amount],
  );
  return data;
}

/** Every row of the database, as text. */
async function everything({ database }: typeof gateway): Promise<string> {
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select t::text as row from "${name}" t`);
    parts.push(...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

async function assertNowhereInClear(at: typeof gateway, pins: readonly Pin[]): Promise<void> {
  assert.ok(pins.length > 0);
  const stored = await everything(at);
  const metrics = await (await fetch(`${at.metricsUrl}/metrics`)).text();
  for (const secret of pins.flatMap((pin) => Object.values(pin))) {
    assert.ok(!stored.includes(secret), 'in clear in the database');
    assert.ok(!at.output().includes(secret), 'in the log');
    assert.ok(!metrics.includes(secret), 'in the metrics');
  }
}

describe('education PINs', () => {
  it('lists plans at fixed prices', async () => {
    const listed = await gateway.call('GET', '/v1/plans/bills/education');
    assert.equal(listed.status, 200, listed.text);
    assert.deepEqual(
      listed.body.data.map((plan: Fields) => [plan.network, plan.name, plan.amount_type, plan.price]),
      [
        ['WAEC', 'WAEC Result Checker PIN', 'fixed', '5350.00'],
        ['WAEC', 'WAEC Registration PIN', 'fixed', '37500.00'],
        ['JAMB', 'JAMB UTME with mock', 'fixed', '7700.00'],
        ['JAMB', 'JAMB UTME without mock', 'fixed', '6200.00'],
        ['JAMB', 'JAMB Direct Entry', 'fixed', '4700.00'],
      ],
    );
    const one = await gateway.call('GET', '/v1/plans/bills/EDUCATION?network=jamb');
    assert.equal(one.body.data.length, 3);
  });

  it('verifies a profile code at JAMB, and no customer at WAEC', async () => {
    for (const as of ['test', 'live'] as const) {
      const msisdn = as === 'test' ? '1000000001' : '1234567891';
      const answer = await verify(gateway, verificationOf(jamb({ msisdn, network: 'jamb' })), as);
      assert.equal(answer.status, 200, answer.text);
      const { customer_name: name, ...rest } = answer.body.result;
      assert.ok(name);
      assert.deepEqual(rest, { product: 'EDUCATION', network: 'JAMB', msisdn });
      assertRefused(await verify(gateway, verificationOf(checker()), as), 400, 'network');
    }
    const before = await footprint(gateway.database);
    assertRefused(await verify(gateway, verificationOf(jamb({ msisdn: '1000000002' }))), 400, 'msisdn');
    assertRefused(await verify(gateway, verificationOf(jamb({ msisdn: '12345' }))), 400, 'msisdn');
    const nobody = verificationOf(jamb({ msisdn: '1234567000' }));
    assertRefused(await verify(gateway, nobody, 'live'), 400, 'msisdn');
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('buys on test credentials, with a serial number where there is one', async () => {
    const before = await walletOf(gateway);
    const card = await bought(checker());
    assert.match(String(card.pins[0]?.serial), /^TST[0-9]{9}$/);
    assert.match(String(card.pins[0]?.pin), /^[0-9]{12}$/);
    assert.ok(!('customer_name' in card));
    const token = await bought(checker({ msisdn: '2348000000020', plan_code: '2302', amount: '37500.00' }));
    assert.deepEqual(Object.keys(token.pins[0] ?? {}), ['pin']);
    const utme = await bought(jamb());
    assert.equal(utme.customer_name, 'TEST CUSTOMER');
    assert.deepEqual([utme.pins.length, Object.keys(utme.pins[0] ?? {})], [1, ['pin']]);
    const spellings = { product: 'education', network: 'Waec', plan_code: 2301 };
    const spelt = await buy(gateway, checker(spellings));
    assert.deepEqual([spelt.body.data.product, spelt.body.data.network], ['EDUCATION', 'WAEC']);
    const after = await walletOf(gateway);
    assert.equal(Number(before.balance) - Number(after.balance), 5350 * 2 + 37_500 + 7700);
    await assertNowhereInClear(gateway, [...card.pins, ...token.pins, ...utme.pins]);
  });

  it('buys each plan live from VTpass', async () => {
    for (const [body, line] of [
      [checker({ msisdn: '08031110001' }), 'vtpass EDUCATION 5350.00'],
      [checker({ msisdn: '+2348031110002' }), 'vtpass EDUCATION 5350.00'],
      [
        checker({ msisdn: '08031110003', plan_code: '2302', amount: '37500.00' }),
        'vtpass EDUCATION 37500.00',
      ],
      [jamb({ msisdn: '1234500001' }), 'vtpass EDUCATION 7700.00'],
      [jamb({ msisdn: '1234500002', plan_code: '2304', amount: '6200.00' }), 'vtpass EDUCATION 6200.00'],
      [jamb({ msisdn: '1234500003', plan_code: '2305', amount: '4700.00' }), 'vtpass EDUCATION 4700.00'],
    ] as const) {
      const { pins } = await bought(body, 'live');
      assert.equal(pins.length, 1);
      assert.match(String(pins[0]?.pin), /^[0-9]{12,19}$/);
      assert.equal(pins[0]?.serial !== undefined, body.plan_code === '2301');
      const lines = await deliveriesTo(gateway, body.msisdn);
      assert.deepEqual(
        lines.map(({ provider, product, amount }) => `${provider} ${product} ${amount}`),
        [line],
      );
      await assertNowhereInClear(gateway, pins);
    }
  });

  it('lists PINs as transactions, without the PINs', async () => {
    const body = checker({ msisdn: '08000000010' });
    await bought(body);
    const page = await gateway.call('GET', '/v1/transactions?network=waec&msisdn=08000000010');
    const [row] = page.body.result.items;
    assert.deepEqual([row.request_id, row.product, row.code], [body.request_ref, 'EDUCATION', '00']);
    assert.ok(!page.text.includes('pins'));
  });

  it('is 01 for other customers on test credentials, and for an unknown one at JAMB', async () => {
    for (const [body, as] of [
      [checker({ msisdn: '08031234567' }), 'test'],
      [checker({ msisdn: '08000000001' }), 'test'],
      [jamb({ msisdn: '1000000002' }), 'test'],
      [jamb({ msisdn: '1234567000' }), 'live'],
    ] as const) {
      const before = await walletOf(gateway, as);
      const answer = await buy(gateway, body, as);
      assert.deepEqual([answer.status, answer.body.response_code], [200, '01'], answer.text);
      assert.ok(answer.body.data.telco_message);
      assert.ok(!('pins' in answer.body.data));
      assert.deepEqual(await walletOf(gateway, as), before);
    }
    const msisdn = '08031110009';
    await misbehave(gateway, { fault: 'refused', recipient: msisdn });
    const refused = await buy(gateway, checker({ msisdn }), 'live');
    assert.equal(refused.body.response_code, '01');
    assert.deepEqual(await deliveriesTo(gateway, msisdn), []);
  });

  it('refuses a wrong request before anything is stored', async () => {
    const before = await footprint(gateway.database);
    for (const [body, field] of [
      [checker({ amount: '5349.99' }), 'amount'],
      [checker({ msisdn: '1000000001' }), 'msisdn'],
      [jamb({ msisdn: '08000000010' }), 'msisdn'],
      [jamb({ plan_code: '2301', amount: '5350.00' }), 'plan_code'],
      [checker({ network: 'NECO' }), 'network'],
      [jamb({ phone: '12' }), 'phone'],
    ] as const) {
      assertRefused(await buy(gateway, body), 400, field);
    }
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('is 403 for a merchant without the product, and sells once it is enabled', async () => {
    const shop = await openShop(gateway);
    const body = checker({ merchant: shop.code });
    assertRefused(await buy(gateway, body, shop.test), 403);
    assertRefused(await verify(gateway, verificationOf(jamb({ merchant: shop.code })), shop.test), 403);
    await oja(gateway, 'merchant', 'enable', shop.code, 'EDUCATION', '--env', 'test');
    const answer = await eventually('the merchant is enabled', async () => {
      const asked = await buy(gateway, body, shop.test);
      return asked.status === 403 ? undefined : asked;
    });
    assert.equal(answer.body.response_code, '00', answer.text);
    assertRefused(await buy(gateway, { ...body, request_ref: newReference() }, shop.live), 403);
  });

  it('sells once under one key', async () => {
    const body = checker({ msisdn: '08031110020' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(gateway, body, 'live')));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [
      200,
      ...Array.from({ length: 9 }, () => 422),
    ]);
    for (const answer of answers.filter(({ status }) => status === 422)) {
      assertRefused(answer, 422, 'request_ref');
      assert.ok(!answer.text.includes('"pin"'));
    }
    assert.equal((await deliveriesTo(gateway, body.msisdn)).length, 1);
  });

  it('gets a PIN from the query after a lost answer', async () => {
    const msisdn = '08031110030';
    await misbehave(gateway, { fault: 'cut_after', recipient: msisdn });
    const data = await bought(checker({ msisdn }), 'live');
    assert.equal(data.pins.length, 1);
    const [attempts, ...others] = await attemptsOf(gateway, data.internal_reference);
    assert.match(attempts ?? '', /^vtpass \(first of the route\) unknown success$/);
    assert.deepEqual(others, []);
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
  });

  it('shows PINs to operators only with an audit entry', async () => {
    const body = checker();
    const { pins } = await bought(body);
    const env = { DATABASE_URL: gateway.databaseUrl, OJA_DATA_DIR: gateway.dataDir };
    const masked = await runOja(env, ['purchase', 'show', String(body.request_ref)]);
    assert.ok(masked.out.includes('sealed') && !masked.out.includes(String(pins[0]?.pin)), masked.out);
    const shown = await runOja(env, ['purchase', 'reveal', String(body.request_ref)]);
    assert.ok(shown.out.includes(String(pins[0]?.pin)), shown.out + shown.err);
  });

  it('keeps the books even', async () => {
    await assertAudited(gateway.database);
  });
});

describe('a PIN that is late', () => {
  it('queries a late PIN, and returns it sealed with the status', async () => {
    const msisdn = '08031110040';
    await misbehave(patient, { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 600_000 });
    const body = checker({ msisdn });
    const created = await buy(patient, body, 'live');
    assert.equal(created.body.response_code, '00', created.text);
    assert.ok(!('pins' in created.body.data), 'the payment stands without its PIN');
    const early = await statusOf(patient, body.request_ref, 'live');
    assert.ok(early.body.code === '00' && !('pins' in early.body.payload));
    const added = await runOja({ DATABASE_URL: patient.databaseUrl, OJA_DATA_DIR: patient.dataDir }, [
      'purchase',
      'goods',
      String(created.body.data.internal_reference),
      '--token',
      '1'.repeat(20),
    ]);
    assert.notEqual(added.code, 0, 'a token is no PIN');
    await release(patient, msisdn);
    const look = async (): Promise<readonly Pin[] | undefined> =>
      (await statusOf(patient, body.request_ref, 'live')).body.payload.pins;
    const pins = await eventually('the PIN is there', look);
    assert.equal(pins.length, 1);
    assert.equal((await deliveriesTo(patient, msisdn)).length, 1);
    await assertNowhereInClear(patient, pins);
    await assertAudited(patient.database);
  });

  it('waits for a PIN within the deadline', async () => {
    const msisdn = '08031110041';
    await misbehave(
      gateway,
      { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 600_000 },
      { fault: 'slow', recipient: msisdn, operation: 'requery', hold: true },
    );
    const buying = buy(gateway, checker({ msisdn }), 'live');
    await untilHeld(gateway, msisdn);
    await release(gateway, msisdn);
    const created = await buying;
    assert.equal(created.body.data.pins?.length, 1, created.text);
  });

  it('has the PIN of a pending purchase with its outcome', async () => {
    const msisdn = '1234500009';
    await misbehave(patient, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 500 });
    const body = jamb({ msisdn });
    await buy(patient, body, 'live');
    const final = await untilFinal(patient, body.request_ref, 'live');
    assert.equal(final.body.payload.pins?.length, 1, final.text);
  });
});
