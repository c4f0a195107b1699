/** Goods from a provider's support, added by hand: to which purchases, and once. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect } from '../../../src/purchases/engine/resolve-store.ts';
import { addGoodsOperation } from '../../../src/purchases/goods/operations/add-goods.ts';
import { addOrderGoodsOperation } from '../../../src/purchases/goods/operations/add-order-goods.ts';
import {
  claimPendingFulfilment,
  hasPendingFulfilmentInHand,
  movePendingFulfilment,
  quarantinePendingFulfilment,
  releasePendingFulfilment,
} from '../../../src/purchases/goods/pending-fulfilment-store.ts';
import { findPurchaseById } from '../../../src/purchases/history/purchase-store.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { refusedAct } from '../../support/refusals.ts';
import { accept, answer, count, moneyOf, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);
const tester = await openBuyer(database, 1_000_000n, 'test');

const actor = { name: 'ada', principal: 'user:root', edge: 'cli' } as const;
const TOKEN = '1234-5678-9012-3456-7890';

async function bought(fields: Partial<AcceptItem>, by = buyer): Promise<AcceptItem> {
  const item = purchase(by, 10_000n, fields);
  assert.equal((await accept(database, item))[0]?.kind, 'accepted');
  return item;
}

const power = { product: 'ELECTRICITY', network: 'IKEDC', details: { goodsOwed: 'token' } } as const;
const card = {
  product: 'GIFTCARD',
  network: 'GIFTCARD',
  mode: 'order',
  details: { goodsOwed: 'cards' },
} as const;

async function succeed(item: AcceptItem, goodsDueMs: number | undefined, by = buyer): Promise<void> {
  const plain = answer(by, item, 'success');
  const effect = { ...plain.effect, goodsDueMs } as ResolveEffect;
  assert.deepEqual(await resolveWords(database, { ...plain, effect }), ['done success']);
}

const add = ({ reference }: { reference: string }, more: object = {}) =>
  database.transaction((tx) => addGoodsOperation.run({ tx, actor }, { reference, token: TOKEN, ...more }));

const sealer = async () => ({ seal: () => 'k:' });
const addCards = ({ reference }: { reference: string }, goods: object = { cards: [{ pin: '1' }] }) =>
  database.transaction((tx) => addOrderGoodsOperation.run({ tx, actor, sealer }, { reference, goods }));

describe('a token', () => {
  it('is added to a success that owes it, once, with all that came with it', async () => {
    const item = await bought(power);
    await succeed(item, 600_000);
    const money = await moneyOf(database, buyer);
    const more = { units: '23.8', bonus_token: TOKEN, kct1: TOKEN, kct2: TOKEN };
    const { brought } = await add(item, more);
    assert.deepEqual(brought, ['token', 'units', 'bonus_token', 'kct1', 'kct2']);
    const digits = '12345678901234567890';
    assert.deepEqual((await findPurchaseById(database, buyer.merchantId, 'live', item.id))?.goods, {
      token: digits,
      units: '23.8',
      bonus_token: digits,
      kct1: digits,
      kct2: digits,
    });
    assert.equal(await count(database, 'pending_fulfilments', item.id), 0);
    await assert.rejects(add(item), refusedAct('token_there'));
    assert.deepEqual(await moneyOf(database, buyer), money);
  });

  it('is refused for a purchase that is pending, failed, sealed or owes none', async () => {
    const [item, failed, sealed, airtime] = [
      await bought(power),
      await bought(power),
      await bought(card),
      await bought({}),
    ];
    await assert.rejects(add(item), refusedAct('purchase_not_delivered', { status: 'pending' }));
    await resolveWords(database, answer(buyer, failed, 'failed'));
    await assert.rejects(add(failed), refusedAct('purchase_not_delivered', { status: 'failed' }));
    await succeed(sealed, 600_000);
    await assert.rejects(add(sealed), refusedAct('goods_are_sealed'));
    await succeed(airtime, undefined);
    await assert.rejects(add(airtime), refusedAct('no_token_owed'));
    await assert.rejects(add({ reference: 'nowhere' }), refusedAct('no_purchase'));
    assert.equal(await count(database, 'purchase_goods', item.id), 0);
  });
});

describe('the goods of an order', () => {
  it('settle a pending order, whose charge is then posted, and are refused afterwards', async () => {
    const item = await bought(card);
    await resolveWords(database, answer(buyer, item, 'unknown'));
    const before = await moneyOf(database, buyer);
    const malformed = refusedAct('goods_malformed', { wanted: 'cards', quantity: 1 });
    await assert.rejects(addCards(item, { cards: [] }), malformed);
    assert.deepEqual(await moneyOf(database, buyer), before);
    const { brought, was_pending } = await addCards(item);
    assert.deepEqual([brought, was_pending], [['cards'], true]);
    const { posted, held } = await moneyOf(database, buyer);
    assert.deepEqual([posted, held], [before.posted - 10_000n, before.held - 10_000n]);
    await assert.rejects(addCards(item), refusedAct('goods_there'));
  });

  it('complete a success that owes them, and move no money', async () => {
    const item = await bought(card);
    await succeed(item, 600_000);
    const money = await moneyOf(database, buyer);
    assert.equal((await addCards(item)).was_pending, false);
    assert.deepEqual(await moneyOf(database, buyer), money);
    assert.equal(await count(database, 'pending_fulfilments', item.id), 0);
    await assert.rejects(addCards(item), refusedAct('goods_there'));
  });

  it('are refused for a failure, for what was never sent, and for goods that are not sealed', async () => {
    const [failed, unsent, token] = [
      await bought(card),
      await bought({ ...card, mode: 'async' }),
      await bought(power),
    ];
    await resolveWords(database, answer(buyer, failed, 'failed'));
    await assert.rejects(addCards(failed), refusedAct('order_failed_finally'));
    await assert.rejects(addCards(unsent), refusedAct('order_not_sent'));
    await assert.rejects(addCards(token), refusedAct('goods_not_sealed'));
  });
});

describe('a query for missing goods', () => {
  it('is brought forward for test purchases that no process queries', async () => {
    const [item, live] = [await bought(power, tester), await bought(power)];
    await succeed(item, 600_000, tester);
    await succeed(live, 600_000);
    assert.equal(await database.transaction((tx) => movePendingFulfilment(tx, tester.merchantId, 700)), 1);
    assert.equal(await database.transaction((tx) => movePendingFulfilment(tx, buyer.merchantId, 700)), 0);
    const inHand = () => database.transaction((tx) => hasPendingFulfilmentInHand(tx, tester.merchantId));
    assert.equal(await inHand(), false);
    const [owed] = await claimPendingFulfilment(database, { limit: 9, leaseMs: 60_000, takenAtMs: 0 });
    assert.equal(owed?.purchase.purchaseId, item.id);
    assert.equal(await inHand(), true);
    await releasePendingFulfilment(database, owed);
    assert.equal(await inHand(), false);
  });

  it('that cannot be made is set aside with an alarm, and is not claimed again', async () => {
    const item = await bought(power);
    await succeed(item, 0);
    const claim = () => claimPendingFulfilment(database, { limit: 9, leaseMs: 0, takenAtMs: 0 });
    const [owed] = await claim();
    assert.equal(owed?.purchase.purchaseId, item.id);
    const alarms = await count(database, 'alarms', item.id);
    await quarantinePendingFulfilment(database, owed);
    assert.equal(await count(database, 'alarms', item.id), alarms + 1);
    assert.deepEqual(await claim(), []);
  });
});
