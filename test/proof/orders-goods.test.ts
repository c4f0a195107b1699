/**
 * Orders whose goods the provider never returns: given up with an alarm, with correct books, until
 * the operator settles them with data from the provider's support.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { oja } from '../e2e/bills.ts';
import { assertAudited, eventually, openGatewayUnderTest } from '../e2e/gateway-under-test.ts';
import { cardOrders, openCounter } from '../e2e/goods.ts';
import { misbehave } from '../e2e/provider.ts';

/** Does not wait for late cards. */
const hasty = await openGatewayUnderTest({
  settings: { OJA_TIME_SCALE: '0.5', OJA_SYNC_DEADLINE_S: '10', OJA_NOT_FOUND_GRACE_S: '120' },
});
const folder = await mkdtemp(join(tmpdir(), 'oja-order-goods-'));
after(() => rm(folder, { recursive: true, force: true }));

const destination = '08039876543';
const card = (n: number) => ({ card_number: `6034-0000-${n}`, pin: `77${n}` });

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, `${name}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function deliveryOf(id: unknown): Promise<string | undefined> {
  const [row] = await hasty.database.query<{ state: string }>(
    'select state from deliveries where purchase_id = $1',
    [id],
  );
  return row?.state;
}

async function giveUp(id: unknown): Promise<void> {
  await hasty.database.query(
    `update pending_fulfilments
     set created_at = now() - interval '8 days', due_at = now()
     where purchase_id = $1`,
    [id],
  );
  await eventually('it is given up', async () => {
    const alarms = await hasty.database.query(
      "select from alarms where purchase_id = $1 and kind = 'goods_lost'",
      [id],
    );
    return alarms.length > 0 ? alarms : undefined;
  });
}

describe('an order whose cards were given up', () => {
  it('keeps the books in order, accepts no token, and settles, seals and sends by its own command', async () => {
    const counter = await openCounter(hasty, cardOrders);
    await misbehave(hasty, { fault: 'pending_fulfilments', recipient: '191', fulfilment_ms: 600_000 });
    const answer = await counter.order({ plan_id: 300033, quantity: 2, send_via: 'sms', destination });
    assert.equal(answer.body.response_code, '00', answer.text);
    const { internal_reference: id, request_id: reference, amount } = answer.body.data;
    const early = await file('early', { cards: [card(1)] });
    await assert.rejects(oja(hasty, 'order', 'goods', id, '--file', early), /\(goods_malformed\)/);
    await giveUp(id);
    await assertAudited(hasty.database);
    const alarms = await oja(hasty, 'alarm', 'list');
    assert.match(alarms, new RegExp(`goods_lost .*${id}`));
    assert.match(alarms, new RegExp(`oja purchase show ${id}`));
    assert.equal(await deliveryOf(id), 'waiting');
    await assert.rejects(
      oja(hasty, 'purchase', 'goods', id, '--token', '1'.repeat(20)),
      /\(goods_are_sealed\)/,
    );
    await assertAudited(hasty.database);

    const wrong = await file('wrong', '{"cards": [');
    await assert.rejects(oja(hasty, 'order', 'goods', id, '--file', wrong), /\(file_malformed\)/);
    const token = await file('token', { token: '1'.repeat(20) });
    await assert.rejects(oja(hasty, 'order', 'goods', id, '--file', token), /\(goods_malformed\)/);
    const cards = [card(1), card(2)];
    const both = await file('both', { cards });
    await oja(hasty, 'order', 'goods', id, '--file', both, '--actor', 'ada');
    assert.deepEqual((await counter.look(reference)).body.data.cards, cards);
    await eventually('it is sent', async () => ((await deliveryOf(id)) === 'sent' ? true : undefined));
    await counter.assertSpent(amount);
    await assert.rejects(oja(hasty, 'order', 'goods', id, '--file', both), /\(goods_there\)/);
    assert.deepEqual((await counter.look(reference)).body.data.cards, cards);
    const entries = await hasty.database.query(
      "select actor, action, before, after from audit_log where subject = 'purchase:' || $1",
      [id],
    );
    assert.deepEqual(entries, [
      {
        actor: 'ada',
        action: 'order.goods',
        before: { status: 'success' },
        after: { status: 'success', brought: ['cards'] },
      },
    ]);
    const [clear] = await hasty.database.query<{ found: bigint }>(
      `select
         (select count(*) from purchase_goods where goods::text like '%6034-0000%')
         + (select count(*) from purchase_outcomes where goods::text like '%6034-0000%') as found`,
    );
    assert.equal(clear?.found, 0n);
    assert.ok(!hasty.output().includes('6034-0000'));
    await assertAudited(hasty.database);
  });

  it('stops querying an order that was given up', async () => {
    const counter = await openCounter(hasty, cardOrders);
    await misbehave(hasty, { fault: 'pending_fulfilments', recipient: '219', fulfilment_ms: 600_000 });
    const answer = await counter.order({ plan_id: 300044 });
    const { internal_reference: id } = answer.body.data;
    await giveUp(id);
    const [row] = await hasty.database.query<{ due: Date | null }>(
      'select due_at as due from pending_fulfilments where purchase_id = $1',
      [id],
    );
    assert.deepEqual(row, { due: null });
    await assertAudited(hasty.database);
  });
});

describe('a pending order', () => {
  it('a pending order that its provider forgot becomes a success by evidence of its support', async () => {
    const counter = await openCounter(hasty, cardOrders);
    await misbehave(hasty, { fault: 'cut_before', recipient: '352' });
    const answer = await counter.order({ plan_id: 300085 });
    assert.equal(answer.body.response_code, '02', answer.text);
    const { request_id: reference, amount } = answer.body.data;
    const path = await file('pending', { cards: [card(3)] });
    await oja(hasty, 'order', 'goods', reference, '--merchant', counter.shop.code, '--file', path);
    const found = await counter.look(reference);
    assert.deepEqual([found.body.response_code, found.body.data.cards], ['00', [card(3)]], found.text);
    await counter.assertSpent(amount);
    await assertAudited(hasty.database);
  });

  it('refuses to settle a failed order: its money is back', async () => {
    const counter = await openCounter(hasty, cardOrders);
    await misbehave(hasty, { fault: 'biller_down', recipient: '296' });
    const answer = await counter.order({ plan_id: 300070 });
    assert.equal(answer.body.response_code, '01', answer.text);
    const path = await file('failed', { cards: [card(4)] });
    const { internal_reference: id } = answer.body.data;
    await assert.rejects(oja(hasty, 'order', 'goods', id, '--file', path), /\(order_failed_finally\)/);
    await counter.assertSpent('0.00');
  });
});
