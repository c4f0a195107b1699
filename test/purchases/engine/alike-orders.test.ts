/**
 * Orders that are found only by number, plan and amount: among equal ones at an account, only one
 * is unsettled at a time, with any number of processes and after any crash.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import type { OneAlike, Provider, ProviderOrder } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import {
  type AlikeAccount,
  type AlikeOrders,
  alikeOrders,
} from '../../../src/purchases/engine/alike-store.ts';
import {
  type Attempter,
  attemptPurchase,
  queryAttempt,
} from '../../../src/purchases/engine/attempt-purchase.ts';
import type { SendingLock } from '../../../src/purchases/engine/sending-lock.ts';
import { type PurchaseInHand, takeAccepted } from '../../../src/purchases/state/purchase-in-hand.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { noBalances } from '../../support/no-balances.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { accept, answer, type Buyer, openAuditedDatabase, openBuyer, purchase } from '../fixture.ts';

const database = await openAuditedDatabase();

const alike = alikeOrders(database);
const oneAlike: OneAlike = {
  place: 'panel.example',
  quietMs: 0,
  recordMs: 0,
  likenessOf: ({ recipient, amount, planCodes }) => `${recipient} ${planCodes?.variation_code ?? amount}`,
};
const account = accountWith();

function accountWith(rules: Partial<OneAlike> = {}, name = 'sandbox'): AlikeAccount {
  return { name, oneAlike: { ...oneAlike, ...rules } };
}

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
  it('sends similar orders one at a time, also for other merchants', async () => {
    const number = nextNumber();
    const [first, held] = await bought(await openBuyer(database, 1_000n), number);
    const buyer = await openBuyer(database, 1_000n);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(held, account), true);
    assert.equal(await alike.claim(second, account), false);
    const other = { merchantId: first.merchantId } as Buyer;
    await resolvePurchases(database, [
      { ...answer({ ...buyer, ...other }, first, 'failed'), walletId: first.walletId },
    ]);
    assert.equal(await alike.claim(second, accountWith({ quietMs: 60_000 })), false);
    assert.equal(await alike.claim(second, account), true);
  });

  it('compares account, number, plan and amount', async () => {
    const buyer = await openBuyer(database, 10_000n);
    const number = nextNumber();
    const [, held] = await bought(buyer, number);
    assert.equal(await alike.claim(held, account), true);
    const planned = { details: { planCodes: { sandbox: { variation_code: '1' } } } };
    for (const more of [{ faceValue: 101n }, planned, nextNumber()]) {
      const [, one] = await bought(buyer, { ...number, ...more });
      assert.equal(await alike.claim(one, account), true, JSON.stringify(Object.keys(more)));
    }
    const [, elsewhere] = await bought(buyer, number);
    assert.equal(await alike.claim(elsewhere, accountWith({ place: 'elsewhere' }, 'other')), true);
  });

  it('still compares when the account is added again under another name, or moves', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [, held] = await bought(buyer, number);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(held, account), true);
    assert.equal(await alike.claim(second, accountWith({}, 'added-again')), false);
    assert.equal(await alike.claim(second, accountWith({ place: 'www2.panel.example' })), false);
    assert.deepEqual(await alike.find(second, accountWith({}, 'added-again')), {
      isClaimed: false,
      otherIds: [],
    });
  });

  it('waits for the record of one that ended without it', async () => {
    const patient = accountWith({ recordMs: 60_000 });
    const buyer = await openBuyer(database, 10_000n);
    const ended = async (providerId: string | undefined, kind: 'success' | 'failed' | 'not_sent') => {
      const number = nextNumber();
      const [first, held] = await bought(buyer, number);
      assert.equal(await alike.claim(held, patient), true);
      const base = answer(buyer, first, kind);
      await resolvePurchases(database, [
        { ...base, answer: { ...base.answer, ...(providerId !== undefined && { providerId }) } },
      ]);
      const [, second] = await bought(buyer, number);
      return await alike.claim(second, patient);
    };
    assert.equal(await ended(undefined, 'success'), false);
    assert.equal(await ended('row-9', 'success'), true);
    // The provider refused it before it had a record.
    assert.equal(await ended(undefined, 'failed'), true);
  });

  it('waits for the record of one that a person settled as failed', async () => {
    const patient = accountWith({ recordMs: 60_000 });
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [first, held] = await bought(buyer, number);
    assert.equal(await alike.claim(held, patient), true);
    await resolvePurchases(database, [{ ...answer(buyer, first, 'failed'), source: 'operator' }]);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(second, patient), false);
    assert.equal(await alike.claim(second, account), true);
  });

  it('sends one of the orders that are claimed at once', async () => {
    const buyer = await openBuyer(database, 100_000n);
    const number = nextNumber();
    const all = await Promise.all(Array.from({ length: 12 }, () => bought(buyer, number)));
    const claimed = await Promise.all(all.map(([, one]) => alike.claim(one, account)));
    assert.equal(claimed.filter((yes) => yes).length, 1);
  });

  it('does not wait for one that provably did not leave', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [first, held] = await bought(buyer, number);
    assert.equal(await alike.claim(held, account), true);
    const effect = { kind: 'retry', dueMs: 0, provider: 'sandbox' } as const;
    await resolvePurchases(database, [answer(buyer, first, 'not_sent', { effect })]);
    const [, second] = await bought(buyer, number);
    assert.equal(await alike.claim(second, account), true);
  });

  it('reads the ids of similar orders, and whether they left', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const number = nextNumber();
    const [first, held] = await bought(buyer, number);
    assert.deepEqual(await alike.find(held, account), { isClaimed: false, otherIds: [] });
    await alike.claim(held, account);
    const base = answer(buyer, first, 'success');
    await resolvePurchases(database, [{ ...base, answer: { ...base.answer, providerId: 'row-7' } }]);
    const [, second] = await bought(buyer, number);
    await alike.claim(second, account);
    assert.deepEqual(await alike.find(second, account), { isClaimed: true, otherIds: ['row-7'] });
    assert.deepEqual(await alike.find(held, account), { isClaimed: true, otherIds: [] });
  });
});

type Played = {
  readonly attempter: Attempter;
  readonly sent: ProviderOrder[];
  readonly queried: ProviderOrder[];
};

function play(orders: AlikeOrders, restoreLock: SendingLock = noRestoreLock): Played {
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
    oneAlike,
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
    restoreLock,
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
  it('does not send while a similar order is unsettled', async () => {
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

  it('neither sends nor queries while the database is unavailable', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const { attempter, sent, queried } = play({ claim: away, find: away });
    const [, one] = await bought(await openBuyer(database, 1_000n), nextNumber());
    assert.equal((await attemptPurchase(attempter, one)).answer.kind, 'not_sent');
    assert.equal((await queryAttempt(attempter, one)).answer.kind, 'unknown');
    assert.deepEqual([sent.length, queried.length], [0, 0]);
  });

  it('does not query when the process died before the call could leave', async () => {
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

  it('queries after a restore, because the database may not know that the order was sent', async () => {
    const [, one] = await bought(await openBuyer(database, 1_000n), nextNumber());
    for (const lock of [
      { isUp: () => true, isBefore: () => false },
      { isUp: () => false, isBefore: () => true },
    ]) {
      const { attempter, queried } = play(alike, lock);
      assert.equal((await queryAttempt(attempter, one)).answer.kind, 'accepted');
      assert.equal(queried.length, 1);
    }
  });

  it('waits after a restore for the records of orders that the database lacks', async () => {
    await using restored = await createTestDatabase();
    const orders = alikeOrders(restored.database);
    const item = purchase(await openBuyer(restored.database, 1_000n), 100n, nextNumber());
    await accept(restored.database, item);
    const one = takeAccepted(item, systemClock.elapsedMs());
    const lock = (source: string, ago: string) =>
      restored.database.query(
        `insert into restore_locks (id, cause, source, reason, lost_from, raised_at, raised_by, lifted_at, lifted_by)
         values (gen_random_uuid(), 'went_back', $1, 'restored', now(), now() - $2::interval, 'somebody', now(), 'somebody')`,
        [source, ago],
      );
    await lock('long ago', '2 minutes');
    assert.equal(await orders.claim(one, accountWith({ recordMs: 60_000 })), true);
    await lock('just now', '0');
    const again = { ...one, attempts: 2 };
    assert.equal(await orders.claim(again, accountWith({ recordMs: 60_000 })), false);
    assert.equal(await orders.claim(again, account), true);
  });
});
