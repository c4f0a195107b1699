/**
 * A pending purchase that only a person can end: what the operator's command does with it, and
 * which ones it leaves alone.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buy, electricity, newMeter, oja } from './bills.ts';
import {
  airtime,
  airtimeSync,
  eventually,
  newNumber,
  openGatewayUnderTest,
  statusOf,
  walletOf,
} from './gateway-under-test.ts';
import { misbehave } from './provider.ts';
import { openShop, type Shop } from './shop.ts';

const gateway = await openGatewayUnderTest({ settings: { OJA_SYNC_DEADLINE_S: '2' } });
const { database } = gateway;

const settle = (id: unknown, ...args: string[]): Promise<string> =>
  oja(gateway, 'vend', 'settle', String(id), ...args, '--actor', 'ada');

/** Airtime that the provider does not answer for; flagged for a person where it says so. */
async function buyPending(shop: Shop, fault: string, isFlagged: boolean) {
  const msisdn = newNumber();
  await misbehave(
    gateway,
    { fault, recipient: msisdn },
    { fault: 'odd_reply', recipient: msisdn, operation: 'requery' },
  );
  const order = airtime({ merchant: shop.code, msisdn });
  const { status, body } = await gateway.call('POST', airtimeSync, { as: shop.live, body: order });
  assert.equal(status, 500);
  const id: string = body.data.internal_reference;
  if (isFlagged) {
    await database.query('update pending_vends set flagged_at = now() where vend_id = $1', [id]);
  }
  return { id, order };
}

/** What the alarm about a delivery of something else says. */
async function alarmOf(id: string): Promise<string> {
  const [row] = await database.query<{ message: string }>(
    "select message from alarms where vend_id = $1 and kind = 'overdue'",
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
  it('is ended by the command in its alarm, once, at the cost that the operator names', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'other_amount', recipient: msisdn });
    const order = airtime({ merchant: shop.code, msisdn });
    const { body } = await gateway.call('POST', airtimeSync, { as: shop.live, body: order });
    const id = body.data.internal_reference;
    assert.match(await alarmOf(id), new RegExp(`oja vend settle ${id}`));
    await assert.rejects(settle(id), /required option '--as <end>'/);
    await assert.rejects(settle(id, '--as', 'lost'), /Allowed choices are delivered, refused/);
    await assert.rejects(settle(id, '--as', 'delivered', '--cost', '-1'), /must be an amount/);
    // Its money never goes back by a refusal.
    await assert.rejects(settle(id, '--as', 'refused'), /said that it delivered: settle it as delivered/);
    assert.equal((await walletOf(gateway, shop.live)).held, '100.00');

    assert.match(await settle(id, '--as', 'delivered', '--cost', '48.50'), /a success: its money is taken/);
    assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '00');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '900.00',
      held: '0.00',
      available: '900.00',
    });
    const [outcome] = await database.query('select cost from vend_outcomes where vend_id = $1', [id]);
    assert.deepEqual(outcome, { cost: 4_850n });
    for (const end of ['delivered', 'refused']) {
      await assert.rejects(settle(id, '--as', end), /the purchase is a success already/);
    }
    const entries = await database.query(
      "select actor, action, before, after from audit_log where subject = 'vend:' || $1",
      [id],
    );
    assert.deepEqual(entries, [
      {
        actor: 'ada',
        action: 'vend.settle',
        before: { status: 'pending' },
        after: { status: 'success', provider: 'vtpass' },
      },
    ]);
  });

  it('of a meter still owes its token, which is added with all that came', async () => {
    const shop = await openShop(gateway);
    await enableElectricity(shop);
    const msisdn = newMeter();
    await misbehave(gateway, { fault: 'other_amount', recipient: msisdn, provider: 'vtpass' });
    const bill = electricity({ merchant: shop.code, msisdn });
    const { body } = await buy(gateway, bill, shop.live);
    const id = body.data.internal_reference;
    await eventually('it is flagged', async () => (await alarmOf(id)) || undefined);
    assert.match(await settle(id, '--as', 'delivered'), /It owes its token: oja vend goods adds it/);
    const tokens = ['--token', '1'.repeat(20), '--kct1', '2'.repeat(20), '--kct2', '3'.repeat(20)];
    await oja(gateway, 'vend', 'goods', id, ...tokens, '--bonus-token', '4444-5555-6666-7777-8888');
    const { payload } = (await statusOf(gateway, bill.request_ref, shop.live)).body;
    assert.deepEqual(
      [payload.token, payload.bonus_token, payload.kct1, payload.kct2],
      ['1'.repeat(20), '44445555666677778888', '2'.repeat(20), '3'.repeat(20)],
    );
  });
});

describe('a purchase that nobody knows the end of', () => {
  it('is failed with its money back, where the support says that it was refused', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const { id, order } = await buyPending(shop, 'timeout', true);
    await assert.rejects(settle(id, '--as', 'refused', '--cost', '5'), /a refused purchase costs nothing/);
    assert.match(await settle(id, '--as', 'refused'), /failed: its money went back/);
    assert.equal((await statusOf(gateway, order.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '0.00',
      available: '1000.00',
    });
    await assert.rejects(settle(id, '--as', 'delivered'), /the purchase is a failure already/);
  });

  it('is left alone while its provider is still asked, unless the operator insists', async () => {
    const shop = await openShop(gateway);
    const { id } = await buyPending(shop, 'timeout', false);
    for (const end of ['delivered', 'refused']) {
      await assert.rejects(settle(id, '--as', end), /its provider is still being asked/);
    }
    assert.match(await settle(id, '--as', 'delivered', '--cost', '0', '--force'), /is now a success/);
    const [outcome] = await database.query('select cost from vend_outcomes where vend_id = $1', [id]);
    assert.deepEqual(outcome, { cost: 0n });
    await assert.rejects(settle('no-such-purchase', '--as', 'refused'), /no-such-purchase/);
  });
});
