/**
 * Goods that come after the success: owed once, queried by one process at a time, added once,
 * without moving money again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect, ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import {
  claimPendingFulfilment,
  giveUpPendingFulfilment,
} from '../../../src/purchases/goods/pending-fulfilment-store.ts';
import { findPurchaseById } from '../../../src/purchases/history/purchase-store.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import {
  accept,
  answer,
  assertAudited,
  count,
  moneyOf,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);

async function bought(): Promise<AcceptItem> {
  const item = purchase(buyer, 10_000n);
  assert.equal((await accept(database, item))[0]?.kind, 'accepted');
  return item;
}

type Success = Extract<ResolveEffect, { kind: 'succeed' }>;

function success(item: AcceptItem, over: Partial<Success>): ResolveItem {
  const plain = answer(buyer, item, 'success');
  assert.equal(plain.effect.kind, 'succeed');
  return { ...plain, source: 'query', effect: { ...plain.effect, ...over } as Success };
}

/** A success that still owes its goods. */
async function owing(goodsDueMs = 0): Promise<AcceptItem> {
  const item = await bought();
  assert.deepEqual(await resolveWords(database, success(item, { goodsDueMs })), ['done success']);
  return item;
}

async function goodsOf(item: AcceptItem): Promise<unknown> {
  return (await findPurchaseById(database, buyer.merchantId, buyer.environment, item.id))?.goods;
}

async function claimed(leaseMs = 60_000): Promise<string[]> {
  const owed = await claimPendingFulfilment(database, { limit: 50, leaseMs, takenAtMs: 0 });
  return owed.map(({ purchase }) => purchase.purchaseId);
}

const token = { token: '12345678901234567890', units: '23.8' };

test('a success without its goods is final, paid and flagged, and its goods are owed', async () => {
  const before = await moneyOf(database, buyer);
  const item = await owing(600_000);
  assert.deepEqual(await moneyOf(database, buyer), { posted: before.posted - 10_000n, held: before.held });
  assert.equal(await count(database, 'pending_fulfilments', item.id), 1);
  const alarms = await database.query('select kind from alarms where purchase_id = $1', [item.id]);
  assert.deepEqual(alarms, [{ kind: 'pending_fulfilments' }]);
  assert.deepEqual(await claimed(), []);
  await assertAudited(database);
});

test('a success with its goods owes nothing', async () => {
  const item = await bought();
  assert.deepEqual(await resolveWords(database, success(item, { goods: token })), ['done success']);
  assert.equal(await count(database, 'pending_fulfilments', item.id), 0);
  assert.equal(await count(database, 'alarms', item.id), 0);
  assert.deepEqual(await goodsOf(item), token);
});

test('queries due goods one at a time, by the attempt that delivered', async () => {
  const item = await owing();
  const [both, again] = [await claimed(), await claimed()];
  assert.deepEqual(both, [item.id]);
  assert.deepEqual(again, []);
  await resolveWords(database, success(item, { goodsDueMs: 0 }));
  const [owed] = await claimPendingFulfilment(database, { limit: 1, leaseMs: 60_000, takenAtMs: 7 });
  assert.ok(owed);
  const { purchase } = owed;
  assert.deepEqual(
    [purchase.purchaseId, purchase.final, purchase.queries, purchase.attempts, purchase.takenAtMs],
    [item.id, true, 1, 1, 7],
  );
  assert.deepEqual([purchase.attempt.provider, purchase.attempt.reference], ['sandbox', `p-${item.id}`]);
});

test('adds goods once; the first remain, and no money moves', async () => {
  const item = await owing(600_000);
  const money = await moneyOf(database, buyer);
  const other = { token: '99999999999999999999' };
  assert.deepEqual(
    await resolveWords(database, success(item, { goods: token }), success(item, { goods: token })),
    ['repeat success', 'repeat success'],
  );
  assert.deepEqual(await resolveWords(database, success(item, { goods: other })), ['repeat success']);
  assert.deepEqual(await goodsOf(item), token);
  assert.equal(await count(database, 'pending_fulfilments', item.id), 0);
  assert.equal(await count(database, 'purchase_goods', item.id), 1);
  assert.deepEqual(await moneyOf(database, buyer), money);
  await assertAudited(database);
});

test('goods for a purchase that owes none change nothing', async () => {
  const item = await bought();
  assert.deepEqual(await resolveWords(database, success(item, {})), ['done success']);
  assert.deepEqual(await resolveWords(database, success(item, { goods: token })), ['repeat success']);
  assert.deepEqual(await goodsOf(item), {});
});

test('records a provider that reverses its success, and queries for the goods again an hour later', async () => {
  const item = await owing();
  assert.deepEqual(await claimed(0), [item.id]);
  assert.deepEqual(await resolveWords(database, { ...answer(buyer, item, 'failed'), source: 'query' }), [
    'contradiction success',
  ]);
  assert.equal(await count(database, 'pending_fulfilments', item.id), 1);
  assert.deepEqual(await claimed(), []);
  // It is reported every hour, and one alarm is enough until a person has seen it.
  const contradictions = async () =>
    (
      await database.query("select id from alarms where purchase_id = $1 and kind = 'contradiction'", [
        item.id,
      ])
    ).length;
  await resolveWords(database, { ...answer(buyer, item, 'failed'), source: 'query' });
  assert.equal(await contradictions(), 1);
  await database.query('update alarms set acknowledged_at = now() where purchase_id = $1', [item.id]);
  await resolveWords(database, { ...answer(buyer, item, 'failed'), source: 'query' });
  assert.equal(await contradictions(), 2);
});

test('keeps given-up goods given up, whatever contradicts them, and accepts them if they arrive', async () => {
  const item = await owing();
  const [owed] = await claimPendingFulfilment(database, { limit: 1, leaseMs: 60_000, takenAtMs: 0 });
  assert.equal(owed?.purchase.purchaseId, item.id);
  assert.equal(await giveUpPendingFulfilment(database, owed), true);
  await assertAudited(database);
  const against = { ...answer(buyer, item, 'failed'), source: 'query' as const };
  assert.deepEqual(await resolveWords(database, against), ['contradiction success']);
  assert.deepEqual(await claimed(), []);
  const due = await database.query('select due_at from pending_fulfilments where purchase_id = $1', [
    item.id,
  ]);
  assert.deepEqual(due, [{ due_at: null }]);
  assert.deepEqual(await resolveWords(database, success(item, { goods: token })), ['repeat success']);
  assert.deepEqual(await goodsOf(item), token);
  assert.equal(await count(database, 'pending_fulfilments', item.id), 0);
  await assertAudited(database);
});

test('keeps goods owed after an answer without them, and queries again on request', async () => {
  const item = await owing();
  assert.deepEqual(await claimed(), [item.id]);
  const unknown = { ...answer(buyer, item, 'unknown'), source: 'query' as const };
  assert.deepEqual(
    await resolveWords(database, { ...unknown, effect: { kind: 'wait', dueMs: 0, flag: false } }),
    ['repeat success'],
  );
  assert.deepEqual(await claimed(), [item.id]);
});

test('accepts times that are no whole milliseconds', async () => {
  const [one, two, three] = [await bought(), await bought(), await bought()];
  assert.deepEqual(
    await resolveWords(
      database,
      success(one, { goodsDueMs: 2_988.927_85 }),
      { ...answer(buyer, two, 'unknown'), effect: { kind: 'wait', dueMs: 2_988.927_85, flag: false } },
      { ...answer(buyer, three, 'not_sent'), effect: { kind: 'retry', dueMs: 0.5, provider: 'sandbox' } },
    ),
    ['done success', 'waiting', 'waiting'],
  );
});
