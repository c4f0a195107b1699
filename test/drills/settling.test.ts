/**
 * An unresolved purchase, by an operator's commands: queried now, settled by hand if its provider
 * does not contradict, refunded; and its state as the merchant sees it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { runOja } from '../cli/harness.ts';
import { buy, electricity, newMeter, oja } from '../e2e/bills.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  eventually,
  newNumber,
  newReference,
  openGatewayUnderTest,
  putOffQuestions,
  statusOf,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { cardOrders } from '../e2e/goods.ts';
import { misbehave } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';

// Without a date, a statement is of today.
await awayFromMidnight();
// Own gateway: a short deadline, and queries that tests can postpone.
const gateway = await openGatewayUnderTest({ settings: { OJA_TIME_SCALE: '1', OJA_SYNC_DEADLINE_S: '4' } });
const { database } = gateway;

const settle = (id: unknown, ...args: string[]): Promise<string> =>
  oja(gateway, 'purchase', 'settle', String(id), ...args, '--actor', 'ada');

const told = ['--evidence', 'ticket 4411'] as const;

/** Airtime that the provider does not answer for, and whose call has ended. */
async function buyPending(shop: Shop, isEverTold = false) {
  const msisdn = newNumber();
  await misbehave(
    gateway,
    { fault: 'odd_reply', recipient: msisdn, operation: 'pay', delivered: true },
    ...(isEverTold ? [] : [{ fault: 'odd_reply', recipient: msisdn, operation: 'requery' }]),
  );
  const order = airtime({ merchant: shop.code, msisdn });
  const { body } = await gateway.call('POST', airtimeAsync, { as: shop.live, body: order });
  const id: string = body.data.internal_reference;
  await eventually('its call is over', async () => {
    const answers = await database.query('select from provider_answers where purchase_id = $1', [id]);
    return answers.length > 0 ? true : undefined;
  });
  // Its first query is due after five seconds.
  await putOffQuestions(gateway, id);
  return { id, order };
}

/** The provider reports an amount other than the ordered one, in every query. */
async function deliverOther(recipient: string): Promise<void> {
  const fault = { fault: 'other_amount', recipient, provider: 'vtpass' };
  await misbehave(gateway, fault, { ...fault, operation: 'requery' });
}

/** The alarm of a delivery that differs from the order. */
async function alarmOf(id: string): Promise<string> {
  const [row] = await database.query<{ message: string }>(
    "select message from alarms where purchase_id = $1 and kind = 'overdue'",
    [id],
  );
  return row?.message ?? '';
}

async function enableElectricity(shop: Shop): Promise<void> {
  await database.query(
    "insert into merchant_products (merchant_id, environment, product) values ($1, 'live', 'ELECTRICITY')",
    [shop.id],
  );
}

describe('a delivery of another amount', () => {
  it('the command printed with the alarm settles it once, at the cost that the operator names', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await deliverOther(msisdn);
    const order = airtime({ merchant: shop.code, msisdn });
    const { body } = await gateway.call('POST', airtimeAsync, { as: shop.live, body: order });
    const id = body.data.internal_reference;
    await eventually('it is flagged', async () => (await alarmOf(id)) || undefined);
    assert.match(await oja(gateway, 'alarm', 'list'), new RegExp(`./oja purchase settle ${id} --success --`));
    await assert.rejects(settle(id, '--evidence', 'x'), /\(input_malformed\)/);
    await assert.rejects(settle(id, '--success'), /\(usage\).*--evidence/);
    await assert.rejects(settle(id, '--success', '--failed', ...told), /\(usage\).*--success.*--failed/);
    await assert.rejects(settle(id, '--success', '--cost', '-1', ...told), /\(input_malformed\).*\bcost\b/);
    await assert.rejects(settle(id, '--failed', '--cost', '5', ...told), /\(cost_of_nothing\)/);
    // A single person can never return its money.
    await assert.rejects(settle(id, '--failed', ...told), /\(provider_says_otherwise\)/);
    assert.equal((await walletOf(gateway, shop.live)).held, '100.00');

    const once = ['--success', '--cost', '48.50', '--key', `key-${id}`, ...told];
    assert.match(await settle(id, ...once), /success/);
    // The same key changes nothing.
    await settle(id, ...once);
    assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '00');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '900.00',
      held: '0.00',
      available: '900.00',
    });
    const [outcome] = await database.query('select cost from purchase_outcomes where purchase_id = $1', [id]);
    assert.deepEqual(outcome, { cost: 4_850n });
    for (const end of ['--success', '--failed']) {
      await assert.rejects(settle(id, end, ...told), /\(purchase_final\).*\bsuccess\b/);
    }
    const entries = await database.query(
      "select actor, before, after from audit_log where subject = 'purchase:' || $1 and action = 'purchase.settle'",
      [id],
    );
    assert.deepEqual(entries, [
      {
        actor: 'ada',
        before: { status: 'pending' },
        after: { status: 'success', provider: 'vtpass', evidence: 'ticket 4411' },
      },
    ]);
    assert.match(await oja(gateway, 'purchase', 'show', id), /success.*ticket 4411/);
  });

  it('a meter purchase still owes its token, which is added with its goods', async () => {
    const shop = await openShop(gateway);
    await enableElectricity(shop);
    const msisdn = newMeter();
    await deliverOther(msisdn);
    const bill = electricity({ merchant: shop.code, msisdn });
    const { body } = await buy(gateway, bill, shop.live);
    const id = body.data.internal_reference;
    await eventually('it is flagged', async () => (await alarmOf(id)) || undefined);
    assert.match(await settle(id, '--success', ...told), /success/);
    const tokens = ['--token', '1'.repeat(20), '--kct1', '2'.repeat(20), '--kct2', '3'.repeat(20)];
    await oja(gateway, 'purchase', 'goods', id, ...tokens, '--bonus-token', '4444-5555-6666-7777-8888');
    const { payload } = (await statusOf(gateway, bill.request_ref, shop.live)).body;
    assert.deepEqual(
      [payload.token, payload.bonus_token, payload.kct1, payload.kct2],
      ['1'.repeat(20), '44445555666677778888', '2'.repeat(20), '3'.repeat(20)],
    );
  });
});

describe('a purchase against its provider’s own word', () => {
  it('settles once a second person approves it with their own token', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await deliverOther(msisdn);
    const order = airtime({ merchant: shop.code, msisdn });
    const { body } = await gateway.call('POST', airtimeAsync, { as: shop.live, body: order });
    const id = body.data.internal_reference;
    const made = await oja(gateway, 'token', 'create', '--role', 'support', '--name', 'bob', '--json');
    const asked = await settle(id, '--failed', '--override', ...told, '--json');
    const { approval } = JSON.parse(asked).data;
    assert.deepEqual([approval.state, approval.asked_by], ['waiting', 'ada']);
    assert.match(await oja(gateway, 'approval', 'list'), new RegExp(approval.id));
    const approve = ['approval', 'approve', approval.id, '--yes'];
    // A caller with another display name is still the same user of the machine.
    await assert.rejects(oja(gateway, ...approve, '--actor', 'bob'), /approval_by_same_person/);
    const settings = {
      DATABASE_URL: gateway.databaseUrl,
      OJA_DATA_DIR: gateway.dataDir,
      OJA_TOKEN: JSON.parse(made).data.token,
    };
    const approved = await runOja(settings, approve);
    assert.equal(approved.code, 0, approved.err);
    assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '01');
    assert.equal((await walletOf(gateway, shop.live)).balance, '1000.00');
  });
});

describe('a purchase with an unknown outcome', () => {
  it('fails a purchase and returns its money, when support reports that it was refused', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const { id, order } = await buyPending(shop);
    const asked = await oja(gateway, 'purchase', 'query', id, '--json');
    const { data } = JSON.parse(asked);
    assert.deepEqual([data.said.kind, data.status, data.provider], ['unknown', 'pending', 'vtpass']);
    await settle(id, '--failed', ...told);
    assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '0.00',
      available: '1000.00',
    });
    await assert.rejects(settle(id, '--success', ...told), /\(purchase_final\).*\bfailed\b/);
    await assert.rejects(oja(gateway, 'purchase', 'query', id), /\(purchase_final\).*\bfailed\b/);
    await assert.rejects(settle('no-such-purchase', '--failed', ...told), /no-such-purchase/);
  });

  it('an answer of the provider ends it, before or during the settlement', async () => {
    const shop = await openShop(gateway);
    for (const act of [
      (id: string) => oja(gateway, 'purchase', 'query', id),
      async (id: string) => {
        await assert.rejects(settle(id, '--failed', ...told), /\(provider_decided\).*\bsuccess\b/);
      },
    ]) {
      const { id, order } = await buyPending(shop, true);
      await act(id);
      assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '00');
    }
  });
});

describe('money back for a success', () => {
  it('the merchant sees it in status, list and statement, and the operator too', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const order = airtime({ merchant: shop.code, msisdn: newNumber() });
    const plain = airtime({ merchant: shop.code, msisdn: newNumber() });
    for (const body of [plain, order]) {
      const bought = await gateway.call('POST', airtimeSync, { as: shop.live, body });
      assert.equal(bought.body.response_code, '00');
    }
    const ref = String(order.request_ref);
    const refund = (...args: string[]) =>
      oja(gateway, 'purchase', 'refund', ref, '--reason', 'the line was barred', '--actor', 'ada', ...args);
    await assert.rejects(refund('--amount', '100.01'), /\(refund_too_large\)/);
    const once = ['--amount', '40', '--key', `half-${ref}`];
    assert.match(await refund(...once), /\b40\.00\b.*\b100\.00\b|\b100\.00\b.*\b40\.00\b/s);
    // The same key changes nothing.
    await refund(...once);
    assert.match(await refund(), /\b60\.00\b.*\b100\.00\b|\b100\.00\b.*\b60\.00\b/s);
    await assert.rejects(refund(), /\(nothing_to_refund\).*\b100\.00\b/);
    assert.match(
      await oja(gateway, 'purchase', 'provider-refund', ref, '--reason', 'credit note 12'),
      /\b97\.00\b/,
    );

    const status = await statusOf(gateway, ref, shop.live);
    assert.deepEqual([status.body.code, status.body.payload.refunded_amount], ['00', '100.00']);
    const untouched = await statusOf(gateway, plain.request_ref, shop.live);
    assert.ok(!('refunded_amount' in untouched.body.payload));
    const list = await gateway.call('GET', '/v1/transactions', { as: shop.live });
    assert.deepEqual(
      list.body.result.items.map((item: Record<string, unknown>) => [item.request_id, item.refunded_amount]),
      [
        [ref, '100.00'],
        [plain.request_ref, undefined],
      ],
    );
    const statement = await gateway.call('GET', '/v1/wallet/statement', { as: shop.live });
    assert.deepEqual(
      statement.body.result.items
        .slice(-2)
        .map((item: Record<string, unknown>) => [item.type, item.reference, item.amount]),
      [
        ['refund', ref, '40.00'],
        ['refund', ref, '60.00'],
      ],
    );
    assert.match(await oja(gateway, 'purchase', 'list', '--reference', ref), /\b100\.00\b/);
    const { data: shown } = JSON.parse(await oja(gateway, 'purchase', 'show', ref, '--json'));
    const { refunded, cost_refunded: costRefunded, margin } = shown;
    assert.deepEqual(
      { refunded, costRefunded, margin },
      { refunded: '100.00', costRefunded: '97.00', margin: '0.00' },
    );
    assert.match(await oja(gateway, 'purchase', 'show', ref), /the line was barred/);
    const { checks } = await auditPurchases(database);
    assert.deepEqual(
      checks.filter(({ ok }) => !ok),
      [],
    );
  });

  it('shows a settled order in its lookup too', async () => {
    const order = { request_id: newReference(), plan_id: 300002 };
    const bought = await gateway.call('POST', cardOrders, { body: order });
    assert.equal(bought.body.response_code, '00', bought.text);
    const { amount } = bought.body.data;
    await oja(
      gateway,
      'purchase',
      'refund',
      order.request_id,
      '--env',
      'test',
      '--reason',
      'the card was used',
    );
    const look = await gateway.call('GET', `${cardOrders}/${order.request_id}`);
    assert.deepEqual([look.body.response_code, look.body.data.refunded_amount], ['00', amount]);
  });
});
