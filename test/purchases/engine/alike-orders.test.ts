/**
 * Orders that are found by number, plan and amount only: of those that are alike at an account, one
 * is unsettled at a time, in any number of processes and after any crash.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import type { Provider, ProviderOrder } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { type AlikeOrders, alikeOrders } from '../../../src/purchases/engine/alike-store.ts';
import {
  type Attempter,
  attemptPurchase,
  queryAttempt,
} from '../../../src/purchases/engine/attempt-purchase.ts';
import { sendingLock } from '../../../src/purchases/engine/sending-lock.ts';
import { type PurchaseInHand, takeAccepted } from '../../../src/purchases/state/purchase-in-hand.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { noBalances } from '../../support/no-balances.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { accept, answer, assertAudited, type Buyer, openBuyer, purchase } from '../fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(async () => {
  await assertAudited(database);
  await clone[Symbol.asyncDispose]();
});

const alike = alikeOrders(database);
const place = { account: 'account', quietMs: 0 };
const words = { code: 'c', message: 'm' };

async function bought(buyer: Buyer, fields: Partial<AcceptItem> = {}): Promise<[AcceptItem, PurchaseInHand]> {
  const item = purchase(buyer, 100n, fields);
  await accept(database, item);
  return [item, takeAccepted(item, systemClock.elapsedMs())];
}

/** Another number for each test. */
let numbers = 0;
function nextNumber(): Partial<AcceptItem> {
  numbers += 1;
  return { recipient: `23480350${numbers.toString().padStart(5, '0')}` };
}

describe('orders that are alike', () => {
  it('are sent one at a time, also for other merchants', async () => {
    const number = nextNumber();
    const [first, held] = await bought(await openBuyer(database, 1_000n), number);
    const buyer = await openBuyer(database, 1_000n);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(held, place), true);
    assert.equal(await alike.claim(second, place), false);
    const other = { merchantId: first.merchantId } as Buyer;
    await resolvePurchases(database, [
      { ...answer({ ...buyer, ...other }, first, 'failed'), walletId: first.walletId },
    ]);
    assert.equal(await alike.claim(second, { ...place, quietMs: 60_000 }), false);
    assert.equal(await alike.claim(second, place), true);
  });

  it('are those of one account, number, plan and amount', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const number = nextNumber();
    const [, held] = await bought(buyer, number);
    assert.equal(await alike.claim(held, place), true);
    const planned = { details: { planCodes: { sandbox: { variation_code: '1' } } } };
    for (const more of [{ faceValue: 101n }, { network: 'GLO' }, planned, nextNumber()]) {
      const [, one] = await bought(buyer, { ...number, ...more });
      assert.equal(await alike.claim(one, place), true, JSON.stringify(Object.keys(more)));
    }
    const [, elsewhere] = await bought(buyer, number);
    assert.equal(await alike.claim(elsewhere, { ...place, account: 'other' }), true);
  });

  it('that are claimed at once are sent by one', async () => {
    const buyer = await openBuyer(database, 100_000n);
    const number = nextNumber();
    const all = await Promise.all(Array.from({ length: 12 }, () => bought(buyer, number)));
    const claimed = await Promise.all(all.map(([, one]) => alike.claim(one, place)));
    assert.equal(claimed.filter((yes) => yes).length, 1);
  });

  it('do not wait for one that provably did not leave', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [first, held] = await bought(buyer, number);
    assert.equal(await alike.claim(held, place), true);
    const effect = { kind: 'retry', dueMs: 0, provider: 'sandbox' } as const;
    await resolvePurchases(database, [answer(buyer, first, 'not_sent', { effect })]);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(second, place), true);
  });

  it('have the ids of each other, and know whether they left', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [first, held] = await bought(buyer, number);
    assert.deepEqual(await alike.find(held), { isClaimed: false, otherIds: [] });
    await alike.claim(held, place);
    const base = answer(buyer, first, 'success');
    await resolvePurchases(database, [{ ...base, answer: { ...base.answer, providerId: 'row-7' } }]);
    const [, second] = await bought(buyer, number);
    await alike.claim(second, place);
    assert.deepEqual(await alike.find(second), { isClaimed: true, otherIds: ['row-7'] });
    assert.deepEqual(await alike.find(held), { isClaimed: true, otherIds: [] });
  });
});

type Played = {
  readonly attempter: Attempter;
  readonly sent: ProviderOrder[];
  readonly queried: ProviderOrder[];
};

function play(orders: AlikeOrders): Played {
  const sent: ProviderOrder[] = [];
  const queried: ProviderOrder[] = [];
  const provider: Provider = {
    name: 'sandbox',
    environment: 'live',
    products: new Set(['airtime']),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    notFoundGraceMs: 60_000,
    deadlineMs: 1_000,
    oneAlike: { quietMs: 0 },
    mintReference: () => 'r',
    purchase: async (order) => {
      sent.push(order);
      return { kind: 'unknown', ...words };
    },
    query: async (order) => {
      queried.push(order);
      return { kind: 'accepted', ...words };
    },
    balance: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const attempter: Attempter = {
    routes: { isPaused: () => false },
    providers: new Map([['sandbox', provider]]),
    guards: noGuards,
    restoreLock: noRestoreLock,
    unsentMs: { async: 60_000, sync: 60_000, order: 60_000 },
    findSentAttempt: async () => ({ account: undefined, answer: undefined }),
    alike: orders,
    balances: noBalances,
    clock: systemClock,
    failpoints: noFailpoints,
    onAnswer: () => undefined,
  };
  return { attempter, sent, queried };
}

describe('an order that may be alike', () => {
  it('is not sent while one like it is unsettled', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const { attempter, sent } = play(alike);
    const [, first] = await bought(buyer, number);
    const [, second] = await bought(buyer, number);
    assert.equal((await attemptPurchase(attempter, first)).answer.kind, 'unknown');
    const { answer: said } = await attemptPurchase(attempter, second);
    assert.deepEqual([said.kind, said.code], ['not_sent', 'alike_unsettled']);
    assert.equal(sent.length, 1);
  });

  it('is not sent, nor queried, while the database cannot tell', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const { attempter, sent, queried } = play({ claim: away, find: away });
    const [, one] = await bought(await openBuyer(database, 1_000n), nextNumber());
    assert.equal((await attemptPurchase(attempter, one)).answer.kind, 'not_sent');
    assert.equal((await queryAttempt(attempter, one)).answer.kind, 'unknown');
    assert.deepEqual([sent.length, queried.length], [0, 0]);
  });

  it('is not looked up when the process died before it could leave', async () => {
    const { attempter, queried } = play(alike);
    const [, one] = await bought(await openBuyer(database, 1_000n), nextNumber());
    const { answer: said } = await queryAttempt(attempter, one);
    assert.deepEqual([said.kind, said.code], ['not_found', 'never_sent']);
    assert.equal(queried.length, 0);
    assert.equal((await attemptPurchase(attempter, one)).answer.kind, 'unknown');
    assert.equal((await queryAttempt(attempter, one)).answer.kind, 'accepted');
    // A final success is looked up again also after its row is gone.
    assert.equal((await queryAttempt(attempter, { ...one, final: true })).answer.kind, 'accepted');
  });

  it('stays unknown when a restore may have lost its row', async () => {
    const { attempter, queried } = play(alike);
    const [, one] = await bought(await openBuyer(database, 1_000n), nextNumber());
    const locks = [
      { isUp: true, openedAt: undefined },
      { isUp: false, openedAt: new Date(Date.now() + 1_000) },
    ];
    for (const state of locks) {
      const restored = { ...attempter, restoreLock: sendingLock(() => state) };
      const { answer: said } = await queryAttempt(restored, one);
      assert.deepEqual([said.kind, said.code], ['unknown', 'restored']);
    }
    const opened = { isUp: false, openedAt: new Date(Date.now() - 60_000) };
    const later = { ...attempter, restoreLock: sendingLock(() => opened) };
    assert.equal((await queryAttempt(later, one)).answer.kind, 'not_found');
    assert.equal(queried.length, 0);
  });
});
