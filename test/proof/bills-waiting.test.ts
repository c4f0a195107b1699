/**
 * Live bills at a slow provider: its answer is late, the token is late, or neither ever comes. All
 * run at once, because some take long.
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
  testDebtMeter,
  verificationOf,
  verify,
} from '../e2e/bills.ts';
import {
  assertAudited,
  assertRefused,
  eventually,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, release, untilHeld } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import type { Answer, Gateway } from '../support/gateway.ts';

/** Reserves its whole deadline for the last query, so that it does not wait for late goods. */
const hasty = await openGatewayUnderTest({
  settings: { OJA_TIME_SCALE: '0.3', OJA_SYNC_DEADLINE_S: '10', OJA_NOT_FOUND_GRACE_S: '10' },
});
/** Waits for late goods until a second before its deadline. */
const patient = await openGatewayUnderTest({
  settings: { OJA_TIME_SCALE: '0.2', OJA_SYNC_DEADLINE_S: '40' },
});
/** The default settings. */
const unhurried = await openGatewayUnderTest();
const deaf = await openGatewayUnderTest({ simulatorUrl: 'http://127.0.0.1:9' });

const token = /^[0-9]{20}$/;

/** A shop that may buy live bills. */
async function openBillShop(gateway: Gateway, balance = 1_000_000n): Promise<Shop> {
  const shop = await openShop(gateway, { balance });
  for (const product of ['ELECTRICITY', 'CABLE', 'BETTING']) {
    await gateway.database.query(
      "insert into merchant_products (merchant_id, environment, product) values ($1, 'live', $2)",
      [shop.id, product],
    );
  }
  return shop;
}

function assertUnsettled(answer: Answer, reference: unknown): void {
  assertRefused(answer, 500, { reason: 'outcome_unknown' });
  const { internal_reference: _id, ...rest } = answer.body.data;
  assert.deepEqual(rest, { request_id: reference, status: 'pending', response_code: '02' });
}

describe('a bill at the sync deadline', { concurrency: true }, () => {
  for (const [name, bill, recipient] of [
    ['electricity', electricity, newMeter()],
    ['cable', cable, newMeter()],
    ['betting', betting, 'slowpunter'],
  ] as const) {
    it(`a bill at the deadline is 500 with its money held, and ends when the provider answers: ${name}`, async () => {
      const shop = await openBillShop(hasty);
      await misbehave(hasty, { fault: 'slow', recipient, hold: true });
      const body = bill({ merchant: shop.code, msisdn: recipient });
      assertUnsettled(await buy(hasty, body, shop.live), body.request_ref);
      await untilHeld(hasty, recipient);
      assert.equal((await walletOf(hasty, shop.live)).held, body.amount);
      assert.equal((await statusOf(hasty, body.request_ref, shop.live)).body.code, '02');
      assertRefused(await buy(hasty, body, shop.live), 422, 'request_ref');
      await release(hasty, recipient);
      const final = await untilFinal(hasty, body.request_ref, shop.live);
      assert.equal(final.body.code, '00');
      assert.equal(token.test(final.body.payload.token), name === 'electricity');
      assert.equal((await deliveriesTo(hasty, recipient)).length, 1);
      const wallet = await walletOf(hasty, shop.live);
      assert.deepEqual([Number(wallet.balance), wallet.held], [10_000 - Number(body.amount), '0.00']);
    });
  }

  it('a bill whose provider never answers is 500 too, and ends by a query', async () => {
    const shop = await openBillShop(hasty);
    const msisdn = newMeter();
    await misbehave(
      hasty,
      { fault: 'cut_after', recipient: msisdn },
      { fault: 'slow', recipient: msisdn, operation: 'requery', hold: true },
    );
    const body = electricity({ merchant: shop.code, msisdn });
    assertUnsettled(await buy(hasty, body, shop.live), body.request_ref);
    assert.equal((await walletOf(hasty, shop.live)).held, '5000.00');
    await release(hasty, msisdn);
    const final = await untilFinal(hasty, body.request_ref, shop.live);
    assert.equal(final.body.code, '00');
    assert.match(final.body.payload.token, token);
    assert.deepEqual(await attemptsOf(hasty, final.body.payload.internal_reference), [
      'vtpass (first of the route) unknown success',
    ]);
    assert.equal((await deliveriesTo(hasty, msisdn)).length, 1);
  });

  it('a bill that fails later gives its money back', async () => {
    const shop = await openBillShop(hasty);
    const msisdn = newMeter();
    await misbehave(hasty, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const body = cable({ merchant: shop.code, msisdn });
    assertUnsettled(await buy(hasty, body, shop.live), body.request_ref);
    await release(hasty, msisdn);
    assert.equal((await untilFinal(hasty, body.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(hasty, shop.live), {
      balance: '10000.00',
      held: '0.00',
      available: '10000.00',
    });
  });

  it('never fails over on an unknown outcome, also when the first provider does not find the order', async () => {
    const shop = await openBillShop(hasty);
    const msisdn = newMeter();
    await misbehave(hasty, { fault: 'cut_before', recipient: msisdn, provider: 'vtpass' });
    const body = electricity({ merchant: shop.code, msisdn });
    assertUnsettled(await buy(hasty, body, shop.live), body.request_ref);
    const final = await untilFinal(hasty, body.request_ref, shop.live);
    assert.equal(final.body.code, '01');
    const [only, ...others] = await attemptsOf(hasty, final.body.payload.internal_reference);
    assert.match(only ?? '', /^vtpass \(first of the route\) unknown( not_found){3,}$/);
    assert.deepEqual(others, []);
    assert.deepEqual(await deliveriesTo(hasty, msisdn), []);
    assert.equal((await walletOf(hasty, shop.live)).balance, '10000.00');
  });

  it('a verification leaves time for the payment', async () => {
    const shop = await openBillShop(patient);
    const msisdn = newMeter();
    await misbehave(patient, {
      fault: 'slow',
      recipient: msisdn,
      operation: 'verify',
      provider: 'vtpass',
      hold: true,
    });
    const body = electricity({ merchant: shop.code, msisdn });
    const verified = await verify(patient, verificationOf(body), shop.live);
    assert.equal(verified.status, 200, verified.text);
    assert.equal((await buy(patient, body, shop.live)).body.response_code, '00');
  });
});

describe('a late token', { concurrency: true }, () => {
  /** The purchase's alarms, and whether its token is still queried. */
  async function owedOf(gateway: Gateway, id: unknown): Promise<readonly unknown[]> {
    return await gateway.database.query(
      `select
         array(select kind from alarms where purchase_id = $1) as alarms,
         exists (select 1 from pending_fulfilments where purchase_id = $1 and due_at is not null) as owed`,
      [id],
    );
  }

  it('a token before the deadline is in the answer', async () => {
    const shop = await openBillShop(unhurried);
    const msisdn = newMeter();
    await misbehave(unhurried, { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 600_000 });
    const body = electricity({ merchant: shop.code, msisdn });
    const bought = buy(unhurried, body, shop.live);
    await eventually('the provider has answered without the token', async () => {
      const rows = await unhurried.database.query(
        `select from provider_answers p join purchases v on v.merchant_id = p.merchant_id and v.id = p.purchase_id
         where v.reference = $1 and p.kind = 'success'`,
        [body.request_ref],
      );
      return rows.length > 0 ? true : undefined;
    });
    await release(unhurried, msisdn);
    const answer = await bought;
    assert.equal(answer.body.response_code, '00', answer.text);
    assert.match(answer.body.data.token, token);
    assert.match(answer.body.data.units, /^[0-9.]+$/);
    assert.deepEqual(await owedOf(unhurried, answer.body.data.internal_reference), [
      { alarms: [], owed: false },
    ]);
  });

  for (const [name, gateway] of [
    ['with time to wait', patient],
    ['without', hasty],
  ] as const) {
    it(`without a token at the deadline it is a flagged success, and the status has it later: ${name}`, async () => {
      const shop = await openBillShop(gateway);
      const msisdn = newMeter();
      await misbehave(gateway, { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 600_000 });
      const body = electricity({ merchant: shop.code, msisdn });
      const answer = await buy(gateway, body, shop.live);
      assert.equal(answer.body.response_code, '00', answer.text);
      assert.deepEqual([answer.body.data.token, answer.body.data.units], [undefined, undefined]);
      const id = answer.body.data.internal_reference;
      assert.deepEqual(await owedOf(gateway, id), [{ alarms: ['pending_fulfilments'], owed: true }]);
      assert.equal(Number((await walletOf(gateway, shop.live)).balance), 5_000);
      await assertAudited(gateway.database);
      await release(gateway, msisdn);
      const status = await eventually('the token came', async () => {
        const now = await statusOf(gateway, body.request_ref, shop.live);
        assert.equal(now.body.code, '00');
        return now.body.payload.token === undefined ? undefined : now;
      });
      assert.match(status.body.payload.token, token);
      assert.match(status.body.payload.units, /^[0-9.]+$/);
      assert.deepEqual(await owedOf(gateway, id), [{ alarms: ['pending_fulfilments'], owed: false }]);
      // Once, from any process.
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
      assert.equal(Number((await walletOf(gateway, shop.live)).balance), 5_000);
      assert.match(await oja(gateway, 'purchase', 'show', String(body.request_ref)), /token, units/);
    });
  }

  it('queries a missing token for a week, then raises an alarm, and the operator adds it', async () => {
    const shop = await openBillShop(hasty);
    const msisdn = newMeter();
    await misbehave(hasty, { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 600_000 });
    const body = electricity({ merchant: shop.code, msisdn });
    const answer = await buy(hasty, body, shop.live);
    assert.equal(answer.body.response_code, '00', answer.text);
    const id = answer.body.data.internal_reference;
    const age = (days: number): Promise<unknown> =>
      hasty.database.query(
        `update pending_fulfilments
         set created_at = now() - $2 * interval '1 day', due_at = now()
         where purchase_id = $1`,
        [id, days],
      );
    await age(6.9);
    await eventually('it was asked for', async () => {
      const [row] = await hasty.database.query<{ tries: number }>(
        'select tries from pending_fulfilments where purchase_id = $1 and due_at > now()',
        [id],
      );
      return row !== undefined && row.tries > 0 ? row : undefined;
    });
    assert.deepEqual(await owedOf(hasty, id), [{ alarms: ['pending_fulfilments'], owed: true }]);
    await age(7.1);
    await eventually('it is given up', async () => {
      const [row] = (await owedOf(hasty, id)) as { owed: boolean }[];
      return row?.owed === false ? row : undefined;
    });
    assert.deepEqual(await owedOf(hasty, id), [
      { alarms: ['pending_fulfilments', 'goods_lost'], owed: false },
    ]);
    assert.match(await oja(hasty, 'alarm', 'list'), new RegExp(`oja purchase show ${id}`));
    await assertAudited(hasty.database);

    const told = '1234-5678-9012-3456-7890';
    await assert.rejects(
      oja(hasty, 'purchase', 'goods', id, '--token', '123'),
      /\(input_malformed\).*\btoken\b/,
    );
    await oja(hasty, 'purchase', 'goods', id, '--token', told, '--units', '23.8', '--actor', 'ada');
    const { payload } = (await statusOf(hasty, body.request_ref, shop.live)).body;
    assert.deepEqual([payload.token, payload.units], ['12345678901234567890', '23.8']);
    await assert.rejects(oja(hasty, 'purchase', 'goods', id, '--token', '9'.repeat(20)), /\(token_there\)/);
    const entries = await hasty.database.query(
      `select actor, action, before, after from audit_log where subject = 'purchase:' || $1`,
      [id],
    );
    assert.deepEqual(entries, [
      { actor: 'ada', action: 'purchase.goods', before: null, after: { brought: ['token', 'units'] } },
    ]);
    await assertAudited(hasty.database);
  });

  it('adds no token to a purchase that owes none', async () => {
    const shop = await openBillShop(hasty);
    const refused = async (bill: Record<string, unknown>, reason: RegExp): Promise<void> => {
      const id = (await buy(hasty, bill, shop.live)).body.data.internal_reference;
      await assert.rejects(oja(hasty, 'purchase', 'goods', id, '--token', '9'.repeat(20)), reason);
      assert.deepEqual(await owedOf(hasty, id), [{ alarms: [], owed: false }]);
    };
    const meter = { merchant: shop.code, amount: '1000' };
    await refused(electricity({ ...meter, msisdn: newMeter(), plan_code: '2002' }), /\(no_token_owed\)/);
    await refused(electricity({ ...meter, msisdn: newMeter() }), /\(token_there\)/);
    await refused(electricity({ ...meter, msisdn: testDebtMeter }), /\(token_there\)/);
    await refused(electricity({ ...meter, msisdn: '45000000000' }), /\(purchase_not_delivered\)/);
    await assertAudited(hasty.database);
  });

  it('does not wait for a token if none is owed', async () => {
    const shop = await openBillShop(hasty);
    const msisdn = newMeter();
    await misbehave(hasty, { fault: 'pending_fulfilments', recipient: msisdn, fulfilment_ms: 60_000 });
    const body = electricity({ merchant: shop.code, msisdn, plan_code: '2002' });
    const answer = await buy(hasty, body, shop.live);
    assert.equal(answer.body.response_code, '00');
    assert.deepEqual(await owedOf(hasty, answer.body.data.internal_reference), [{ alarms: [], owed: false }]);
  });
});

describe('without any provider', { concurrency: true }, () => {
  it('without a provider a verification is 502 and a bill 01, and nothing was sent', async () => {
    for (const bill of [
      electricity({ msisdn: newMeter() }),
      cable({ msisdn: newMeter() }),
      betting({ msisdn: 'punter9' }),
    ]) {
      const verified = await verify(deaf, verificationOf(bill), 'live');
      assertRefused(verified, 502, { reason: 'customer_not_verified' });
      const answer = await buy(deaf, bill, 'live');
      assert.deepEqual([answer.status, answer.body.response_code], [200, '01'], answer.text);
      assert.equal(answer.body.data.reason, 'customer_not_verified');
      assert.deepEqual(await attemptsOf(deaf, answer.body.data.internal_reference), []);
    }
    assert.equal((await walletOf(deaf, 'live')).held, '0.00');
  });

  it('serves test credentials as usual', async () => {
    assert.equal((await verify(deaf, verificationOf(electricity()))).status, 200);
    assert.equal((await buy(deaf, electricity())).body.response_code, '00');
  });
});
