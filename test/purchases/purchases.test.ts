/**
 * The whole path of a purchase over a real database and scripted providers: the calls, their
 * providers, and purchases that are only queried.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataPlanMatch } from '../../src/catalog/data-plan-index.ts';
import type { Guards } from '../../src/catalog/margins/guards.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { noFailpoints } from '../../src/core/failpoints.ts';
import { newId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import type { Database } from '../../src/db/database.ts';
import { ConnectionLostError } from '../../src/db/database-errors.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import { confirmRefusal } from '../../src/providers/answers.ts';
import type { Provider, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import type { Bought, Marked } from '../../src/providers/reference-mark.ts';
import type { PurchaseLock } from '../../src/purchases/engine/sending-lock.ts';
import { type Purchases, startPurchases } from '../../src/purchases/purchases.ts';
import type { Purchase, PurchaseMode, PurchaseRequest } from '../../src/purchases/state/purchase.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { fixedRoutes } from '../support/fixed-routes.ts';
import { noGuards } from '../support/no-guards.ts';
import { noRestoreLock } from '../support/no-restore-lock.ts';
import { refusedFor } from '../support/refusals.ts';
import { until } from '../support/until.ts';
import { assertAudited, type Buyer, moneyOf, openBuyer } from './fixture.ts';

const said = {
  delivered: { kind: 'success', code: '00', message: 'delivered', cost: 9_700n },
  refused: { kind: 'failed', code: '16', message: 'refused', fault: 'order' },
  noFloat: { kind: 'failed', code: '18', message: 'float is out', fault: 'provider' },
  working: { kind: 'accepted', code: '99', message: 'works on it' },
  silence: { kind: 'unknown', code: 'timeout', message: 'no answer' },
  neverHeard: { kind: 'not_found', code: '15', message: 'never heard of it' },
  doubted: { kind: 'unknown', code: 'refused_400', message: 'Invalid meter' },
  otherAmount: { kind: 'unknown', code: 'other_amount', message: '50 instead of 100', delivered: true },
  notSent: { kind: 'not_sent', code: 'refused', message: 'connection refused' },
} as const satisfies Record<string, ProviderAnswer>;

type Said = keyof typeof said | 'a fault';

type Scripted = Provider & { readonly purchases: string[]; readonly queries: string[] };

/**
 * Returns the script's answers in turn, and repeats the last one. Records every reference it was
 * called with.
 */
function scripted(
  name: string,
  script: {
    purchase?: readonly Said[];
    query?: readonly Said[];
    onPurchase?: () => Promise<void>;
    graceMs?: number;
  },
): Scripted {
  const purchases: string[] = [];
  const queries: string[] = [];
  const next = async (
    answers: readonly Said[] | undefined,
    calls: string[],
    reference: string,
  ): Promise<ProviderAnswer> => {
    const answer = answers?.[Math.min(calls.length, answers.length - 1)];
    calls.push(reference);
    assert.ok(answer, `${name} was not expected to be called`);
    if (answer === 'a fault') throw new Error('the connector broke');
    return said[answer];
  };
  let minted = 0;
  return {
    name,
    purchases,
    queries,
    products: new Set(['airtime', 'data']),
    environment: 'live',
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    notFoundGraceMs: script.graceMs ?? 60_000,
    deadlineMs: 1_000,
    mintReference: () => {
      minted += 1;
      return `${name}-${newId()}-${minted}`;
    },
    purchase: async (order) => {
      await script.onPurchase?.();
      return await next(script.purchase, purchases, order.reference);
    },
    query: (order) => next(script.query, queries, order.reference),
    balance: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A gateway's purchase path on a separate database, audited at its end. */
type Fixture = AsyncDisposable & {
  readonly purchases: Purchases;
  readonly database: Database;
  readonly buyer: Buyer;
  readonly principal: Principal;
  /** A purchase under a new reference. */
  request(): PurchaseRequest;
  /** The purchase once it is final. With `news` its queries need not wait until they are due. */
  buy(mode: PurchaseMode, news?: 'news'): Promise<Purchase>;
};

async function openFixture(
  providers: readonly Scripted[],
  options: {
    clock?: Clock;
    route?: readonly string[];
    balance?: bigint;
    syncDeadlineMs?: number;
    asyncPatienceMs?: number;
    /** Of the pauses between queries and tries. */
    timeScale?: number;
    /** With the guard `stop`: whether a provider's cost exceeds the charge. */
    loses?: (provider: string) => boolean;
    restoreLock?: Partial<PurchaseLock>;
    /** The connection breaks under the statement of this name. */
    breaks?: string;
    /** The connection breaks once after the statement of this name is committed. */
    losesAnswerOf?: string;
  } = {},
): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const { database } = stack.use(await createTestDatabase());
  let { losesAnswerOf } = options;
  const money: Database = {
    query: async (statement, values) => {
      const name = typeof statement === 'string' ? '' : statement.name;
      if (name === options.breaks) throw new ConnectionLostError('it broke');
      const rows = await database.query(statement, values);
      if (name !== losesAnswerOf) return rows as never;
      losesAnswerOf = undefined;
      throw new ConnectionLostError('it broke');
    },
    transaction: (work, how) => database.transaction(work, how),
    session: (work) => database.session(work),
    listen: (channel, handlers) => database.listen(channel, handlers),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const buyer = await openBuyer(database, options.balance ?? 100_000n);
  const purchases = await startPurchases({
    databases: { money, work: database, heartbeat: database, readsOf: () => database },
    guards: guardsOf(options.loses),
    restoreLock: { ...noRestoreLock, ...options.restoreLock },
    catalog: {
      findDataPlan: (): DataPlanMatch => ({ kind: 'unknown' }),
      listDataPlans: () => [],
      findBiller: () => undefined,
      findBillNetwork: () => undefined,
      listBillers: () => [],
      findBillPlan: () => ({ kind: 'unknown' }),
      findBillPlanByService: () => ({ kind: 'unknown' }),
      listBillPlans: () => [],
      findGiftCardPlan: () => undefined,
      searchGiftCards: () => [],
      findEsimPlan: () => undefined,
      searchEsims: () => [],
      fxRate: () => undefined,
      reload: async () => undefined,
    },
    routes: fixedRoutes(() => options.route ?? providers.map((provider) => provider.name)),
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    houseAccounts: createHouseAccounts(database),
    role: 'all',
    clock: options.clock ?? systemClock,
    orderWaitMs: 10_000,
    liveChannels: [],
    sealer: createSealer(newSealingKey()),
    pepper: createSecretKey(randomBytes(32)),
    newId,
    log: createLog('silent'),
    failpoints: noFailpoints,
    syncDeadlineMs: options.syncDeadlineMs ?? 30_000,
    syncWaitMs: 3_000,
    asyncPatienceMs: options.asyncPatienceMs ?? 900_000,
    timeScale: options.timeScale ?? 1,
    events: {
      onBatch: () => undefined,
      onAnswer: () => undefined,
      onFinal: () => undefined,
      onUnfunded: () => undefined,
      onRefused: () => undefined,
      onContradiction: () => undefined,
    },
  });
  const principal: Principal = {
    credentialId: buyer.credentialId,
    environment: 'live',
    rateLimitPerS: undefined,
    merchant: {
      id: buyer.merchantId,
      code: 'BUYER',
      name: 'Buyer',
      suspended: false,
      products: new Set(['airtime']),
      prices: [],
      wallets: new Map([['NGN', buyer.walletId]]),
    },
  };
  const request = (): PurchaseRequest => ({
    principal,
    reference: `r-${newId()}`,
    product: 'airtime',
    network: 'MTN',
    planCode: undefined,
    msisdn: '08031234567',
    recipient: '2348031234567',
    faceValue: 10_000n,
    phone: undefined,
  });
  stack.defer(() => assertAudited(database));
  stack.defer(() => purchases.signOff());
  stack.defer(() => purchases.drain(10_000));
  stack.use(purchases.background.work((claim) => claim().catch(() => undefined)));
  const owned = stack.move();
  return {
    purchases,
    database,
    buyer,
    principal,
    request,
    async buy(mode, news): Promise<Purchase> {
      const order = request();
      let isOver = news === undefined;
      // One after the other: on a busy machine they would pile up, and the purchase behind them.
      const messenger = (async () => {
        while (!isOver) {
          await sleep(100);
          for (const provider of providers) {
            for (const reference of provider.purchases) await purchases.queryNow(provider.name, reference);
          }
        }
      })();
      try {
        const purchase = await purchases.purchase(order, mode);
        if (mode === 'sync') return purchase;
        assert.equal(purchase.status, 'pending');
        return await untilFinal(purchases, principal, order.reference);
      } finally {
        isOver = true;
        await messenger;
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Stands still until the order has left: it may be held up for half the grace, and a busy machine
 * may need longer.
 */
function clockFromSending({ purchases }: Scripted): Clock {
  let sentAtMs: number | undefined;
  return {
    now: () => new Date(),
    elapsedMs: () => {
      if (purchases.length === 0) return 0;
      sentAtMs ??= performance.now();
      return performance.now() - sentAtMs;
    },
  };
}

function guardsOf(loses: ((provider: string) => boolean) | undefined): Guards {
  if (loses === undefined) return noGuards;
  return { ...noGuards, stops: () => true, loses: (_sale, provider) => loses(provider) };
}

async function untilFinal(purchases: Purchases, principal: Principal, reference: string): Promise<Purchase> {
  return await until('it is final', async () => {
    const purchase = await purchases.findPurchase(principal, reference);
    assert.ok(purchase);
    return purchase.status !== 'pending' && purchase;
  });
}

async function attemptsOf(fixture: Fixture, purchase: Purchase): Promise<string[]> {
  const rows = await fixture.database.query<{ provider: string }>(
    'select provider from attempts where purchase_id = $1 order by number',
    [purchase.id],
  );
  return rows.map((row) => row.provider);
}

async function assertPaid(fixture: Fixture, left: bigint): Promise<void> {
  assert.deepEqual(await moneyOf(fixture.database, fixture.buyer), { posted: left, held: 0n });
}

it('frees the place of a purchase when its caller has gone, and finishes the purchase', async () => {
  const sent = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const onPurchase = (): Promise<void> => {
    sent.resolve();
    return answered.promise;
  };
  const one = scripted('one', { purchase: ['delivered'], onPurchase });
  await using fixture = await openFixture([one]);
  const { purchases } = fixture;
  let hangUp = (): void => undefined;
  const caller = {
    onGone: (callback: () => void) => {
      hangUp = callback;
      return () => undefined;
    },
  };
  const buying = purchases.purchase(fixture.request(), 'sync', caller);
  await sent.promise;
  assert.equal(purchases.gauges().purchases.live, 1);
  hangUp();
  assert.equal(purchases.gauges().purchases.live, 0);
  answered.resolve();
  assert.equal((await buying).status, 'success');
});

it('keeps the place of a purchase that waits to be accepted, although its caller has gone', async () => {
  await using fixture = await openFixture([scripted('one', { purchase: ['delivered'] })]);
  const { purchases, database, buyer } = fixture;
  let isGone = false;
  let hangUp = (): void => undefined;
  const caller = {
    onGone: (callback: () => void) => {
      hangUp = callback;
      if (isGone) callback();
      return () => undefined;
    },
  };
  let buying: Promise<unknown> | undefined;
  await database.transaction(async (tx) => {
    await tx.query('select from wallet_owners where account_id = $1 for update', [buyer.walletId]);
    buying = purchases.purchase(fixture.request(), 'sync', caller);
    await until('it waits for its wallet', async () => {
      const [row] = await database.query<{ count: bigint }>(
        "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return row !== undefined && row.count > 0n;
    });
    isGone = true;
    hangUp();
    assert.equal(purchases.gauges().purchases.live, 1);
  });
  await buying;
  assert.equal(purchases.gauges().purchases.live, 0);
});

/** A restore lock that goes up while the first purchase is being accepted. */
function raisedAtAccept() {
  let isUp = false;
  let isOver = false;
  const restoreLock: Partial<PurchaseLock> = {
    isUp: () => isUp,
    recall: () => {
      isUp = !isOver;
      return undefined;
    },
  };
  return {
    restoreLock,
    open: () => {
      isOver = true;
      isUp = false;
    },
  };
}

describe('behind the restore lock', { concurrency: true }, () => {
  it('refuses purchases, and does not report a reference as free', async () => {
    let isUp = true;
    const one = scripted('one', { purchase: ['delivered'] });
    await using fixture = await openFixture([one], { restoreLock: { isUp: () => isUp } });
    await assert.rejects(fixture.buy('sync'), refusedFor('purchases_locked'));
    const find = () => fixture.purchases.findPurchase(fixture.principal, 'unknown');
    await assert.rejects(find(), refusedFor('purchases_locked'));
    assert.deepEqual(one.purchases, []);
    isUp = false;
    assert.equal(await find(), undefined);
    assert.equal((await fixture.buy('sync')).status, 'success');
  });

  it('sends nothing, and gives up nothing as too old, until it is removed', async () => {
    const { restoreLock, open } = raisedAtAccept();
    const one = scripted('one', { purchase: ['delivered'] });
    await using fixture = await openFixture([one], { restoreLock, asyncPatienceMs: 0 });
    const buying = fixture.buy('async');
    const waiting = async (): Promise<unknown> =>
      (await fixture.database.query("select from pending_purchases where step = 'send'")).length > 0;
    await until('it is stored', waiting);
    await fixture.purchases.background.sweep();
    assert.ok(await waiting());
    assert.deepEqual(one.purchases, []);
    open();
    await fixture.purchases.background.sweep();
    assert.deepEqual([(await buying).status, one.purchases.length], ['failed', 0]);
  });

  it('does not end a purchase that a provider refuses, because a later attempt may have delivered', async () => {
    let isUp = false;
    const one = scripted('one', {
      purchase: ['working'],
      query: ['refused'],
      onPurchase: async () => {
        isUp = true;
      },
    });
    await using fixture = await openFixture([one], { restoreLock: { ...noRestoreLock, isUp: () => isUp } });
    const buying = fixture.buy('async', 'news');
    await until('it is asked about again', () => one.queries.length >= 3);
    assert.equal((await fixture.database.query('select from purchase_outcomes')).length, 0);
    isUp = false;
    assert.deepEqual([(await buying).status, one.purchases.length], ['failed', 1]);
  });

  it('does not send purchases that waited at the backup after it is removed', async () => {
    const { restoreLock, open } = raisedAtAccept();
    const one = scripted('one', { purchase: ['delivered'] });
    await using fixture = await openFixture([one], { restoreLock: { ...restoreLock, isBefore: () => true } });
    const buying = fixture.buy('async');
    await until('it is stored', async () => {
      const rows = await fixture.database.query("select from pending_purchases where step = 'send'");
      return rows.length > 0;
    });
    open();
    assert.deepEqual([(await buying).status, one.purchases], ['failed', []]);
    await assertPaid(fixture, 100_000n);
  });

  it('does not fail over a refused purchase after it is removed', async () => {
    const one = scripted('one', { purchase: ['noFloat'] });
    const two = scripted('two', { purchase: ['delivered'] });
    const restoreLock = { isUp: () => false, isBefore: () => true };
    await using fixture = await openFixture([one, two], { restoreLock });
    assert.equal((await fixture.buy('sync')).status, 'failed');
    assert.deepEqual([one.purchases.length, two.purchases], [1, []]);
    await assertPaid(fixture, 100_000n);
  });
});

describe('a purchase', { concurrency: true }, () => {
  for (const mode of ['sync', 'async'] as const) {
    describe(mode, { concurrency: true }, () => {
      it('sends a delivered purchase once, under the stored reference', async () => {
        const one = scripted('one', { purchase: ['delivered'] });
        await using fixture = await openFixture([one]);
        const purchase = await fixture.buy(mode);
        assert.equal(purchase.status, 'success');
        const [attempt] = await fixture.database.query(
          'select reference from attempts where purchase_id = $1',
          [purchase.id],
        );
        assert.deepEqual(one.purchases, [attempt?.reference]);
        await assertPaid(fixture, 90_000n);
      });

      it('fails a refused purchase, and sends it to no other provider', async () => {
        const [one, two] = [scripted('one', { purchase: ['refused'] }), scripted('two', {})];
        await using fixture = await openFixture([one, two]);
        const purchase = await fixture.buy(mode);
        assert.deepEqual([purchase.status, purchase.reason], ['failed', 'refused']);
        assert.deepEqual(two.purchases, []);
        await assertPaid(fixture, 100_000n);
      });

      for (const first of ['notSent', 'noFloat'] as const) {
        it(`goes to the next provider with a new reference if the first answers ${first}`, async () => {
          const [one, two] = [
            scripted('one', { purchase: [first] }),
            scripted('two', { purchase: ['delivered'] }),
          ];
          await using fixture = await openFixture([one, two]);
          const purchase = await fixture.buy(mode);
          assert.equal(purchase.status, 'success');
          assert.deepEqual(await attemptsOf(fixture, purchase), ['one', 'two']);
          assert.equal(one.purchases.length, 1);
          assert.equal(two.purchases.length, 1);
          assert.notEqual(one.purchases[0], two.purchases[0]);
          await assertPaid(fixture, 90_000n);
        });
      }

      it('fails when every provider is at fault', async () => {
        const providers = [
          scripted('one', { purchase: ['noFloat'] }),
          scripted('two', { purchase: ['noFloat'] }),
        ];
        await using fixture = await openFixture(providers);
        const purchase = await fixture.buy(mode);
        assert.deepEqual([purchase.status, purchase.reason], ['failed', 'refused']);
        assert.deepEqual(
          providers.map((provider) => provider.purchases.length),
          [1, 1],
        );
        await assertPaid(fixture, 100_000n);
      });

      for (const doubt of ['silence', 'working', 'a fault'] as const) {
        it(`never sends an unknown purchase (${doubt}) again: it is queried`, async () => {
          const one = scripted('one', { purchase: [doubt], query: ['delivered'] });
          const two = scripted('two', {});
          const isSilent = doubt === 'silence';
          await using fixture = await openFixture([one, two], isSilent ? { timeScale: 0.1 } : {});
          const purchase = await fixture.buy(mode, isSilent ? undefined : 'news');
          assert.equal(purchase.status, 'success');
          assert.equal(one.purchases.length, 1);
          // News may come while a query is under way, and then there are two of it.
          assert.deepEqual([...new Set(one.queries)], one.purchases);
          assert.deepEqual(two.purchases, []);
          await assertPaid(fixture, 90_000n);
        });
      }

      it('delivers once when the line is back, if the first call did not leave', async () => {
        const one = scripted('one', { purchase: ['notSent', 'delivered'] });
        await using fixture = await openFixture([one]);
        assert.equal((await fixture.buy(mode)).status, 'success');
        assert.equal(one.purchases.length, 2);
        await assertPaid(fixture, 90_000n);
      });

      it('fails after the grace, unsent, when its provider does not find it', async () => {
        const one = scripted('one', { purchase: ['silence'], query: ['neverHeard'], graceMs: 1_000 });
        const two = scripted('two', {});
        const settings = { clock: clockFromSending(one), timeScale: 0.1 };
        await using fixture = await openFixture([one, two], settings);
        const purchase = await fixture.buy(mode);
        assert.deepEqual([purchase.status, purchase.reason], ['failed', 'not_found']);
        assert.deepEqual([one.purchases.length, two.purchases.length], [1, 0]);
        await assertPaid(fixture, 100_000n);
      });

      it('does not send an order that was delayed after its commit', async () => {
        const held = { ms: 0 };
        const clock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() + held.ms };
        const one = scripted('one', { purchase: ['delivered'] });
        const mintReference = one.mintReference.bind(one);
        // As when the machine sleeps between the first commit and the call.
        const asleep = {
          ...one,
          mintReference: (now: Date, purchase: Marked, bought: Bought): string => {
            held.ms += 60_000;
            return mintReference(now, purchase, bought);
          },
        };
        await using fixture = await openFixture([asleep], {
          clock,
          syncDeadlineMs: 65_000,
          asyncPatienceMs: 30_000,
        });
        const purchase = await fixture.buy(mode);
        assert.deepEqual([purchase.status, purchase.reason], ['failed', 'not_sent']);
        assert.deepEqual(one.purchases, []);
        await assertPaid(fixture, 100_000n);
      });
    });
  }
});

// Apart from the others, which keep the machine so busy that fewer tries fit in.
describe('a purchase that cannot be sent', { concurrency: true }, () => {
  for (const mode of ['sync', 'async'] as const) {
    it(`${mode}: tries again after growing waits until it is too old, and then fails`, async () => {
      const one = scripted('one', { purchase: ['notSent'] });
      await using fixture = await openFixture([one], {
        timeScale: 0.3,
        syncDeadlineMs: 6_000,
        asyncPatienceMs: 3_000,
      });
      const purchase = await fixture.buy(mode);
      assert.deepEqual([purchase.status, purchase.reason], ['failed', 'not_sent']);
      // At once, after 0.3 s, after 0.6 s more, after 1.2 s more. Where a clock is behind, the last
      // attempt is made at the end, and not sent.
      assert.ok(one.purchases.length >= 3 && one.purchases.length <= 5, `${one.purchases.length} calls`);
      assert.equal(new Set(one.purchases).size, one.purchases.length);
      const gaps = await fixture.database.query<{ ms: number }>(
        `select extract(epoch from started_at - lag(started_at) over (order by number)) * 1000 as ms
         from attempts
         where purchase_id = $1
         order by number`,
        [purchase.id],
      );
      assert.ok(Number(gaps[1]?.ms) >= 300 && Number(gaps[2]?.ms) >= 600, JSON.stringify(gaps));
      assert.ok([0, 1].includes(gaps.length - one.purchases.length), `${gaps.length} attempts`);
      await assertPaid(fixture, 100_000n);
    });
  }
});

describe('a purchase that no provider can serve', () => {
  it('refuses before anything is stored', async () => {
    const one = scripted('one', {});
    for (const route of [[], ['stranger']]) {
      await using fixture = await openFixture([one], { route });
      await assert.rejects(fixture.buy('sync'), refusedFor('no_provider'));
      await assertPaid(fixture, 100_000n);
    }
  });
});

describe('a sync purchase past its deadline', () => {
  it('stays pending with its money held, and ends by itself', async () => {
    const gate = Promise.withResolvers<void>();
    const one = scripted('one', { purchase: ['delivered'], onPurchase: () => gate.promise });
    await using fixture = await openFixture([one], { syncDeadlineMs: 1_500 });
    await assert.rejects(fixture.buy('sync'), refusedFor('outcome_unknown'));
    assert.deepEqual(await moneyOf(fixture.database, fixture.buyer), { posted: 100_000n, held: 10_000n });
    gate.resolve();
    await fixture.purchases.drain(10_000);
    await assertPaid(fixture, 90_000n);
    assert.equal(one.purchases.length, 1);
  });
});

describe('a purchase that is requested again', () => {
  it('is refused, and is not sent again', async () => {
    const one = scripted('one', { purchase: ['delivered'] });
    await using fixture = await openFixture([one]);
    const request = fixture.request();
    await fixture.purchases.purchase(request, 'sync');
    await assert.rejects(fixture.purchases.purchase(request, 'sync'), refusedFor('reference_used'));
    assert.equal(one.purchases.length, 1);
    await assertPaid(fixture, 90_000n);
  });

  it('is found by the gateway itself when the answer to its commit is lost', async () => {
    const one = scripted('one', { purchase: ['delivered'] });
    await using fixture = await openFixture([one], { losesAnswerOf: 'commit_purchases' });
    assert.equal((await fixture.buy('sync')).status, 'success');
    assert.equal(one.purchases.length, 1);
    await assertPaid(fixture, 90_000n);
  });
});

describe('a callback for a purchase', () => {
  it('ends it before its next query is due', async () => {
    const one = scripted('one', { purchase: ['working'], query: ['delivered'] });
    // Its first query is due after minutes, and its deadline is over before.
    await using fixture = await openFixture([one], { timeScale: 100 });
    assert.equal((await fixture.buy('sync', 'news')).status, 'success');
    assert.ok(one.queries.length > 0);
  });

  it('ends it without an error if the purchase cannot be read back', async () => {
    const one = scripted('one', { purchase: ['working'], query: ['delivered'] });
    await using fixture = await openFixture([one], { breaks: 'find_purchase_by_id' });
    await assert.rejects(fixture.buy('sync', 'news'), refusedFor('outcome_unknown'));
    await assertPaid(fixture, 90_000n);
  });
});

describe('a refusal that its connector doubts', { concurrency: true }, () => {
  /** Confirms the refusal that it is given, as a connector does. */
  const doubting = (query: Said): { one: Scripted; refusals: unknown[] } => {
    const refusals: unknown[] = [];
    const one = scripted('one', { purchase: ['doubted'], query: [query] });
    return {
      refusals,
      one: Object.assign(one, {
        confirmsRefusals: true as const,
        query: async (order: ProviderOrder) => {
          one.queries.push(order.reference);
          refusals.push(order.refusal && { code: order.refusal.code, message: order.refusal.message });
          return confirmRefusal(order, said[query as keyof typeof said], 0);
        },
      }),
    };
  };

  it('fails the purchase when its provider does not find the order, with its message', async () => {
    const { one, refusals } = doubting('neverHeard');
    await using fixture = await openFixture([one], {});
    const purchase = await fixture.buy('sync', 'news');
    assert.deepEqual(
      [purchase.status, purchase.reason, purchase.telcoMessage],
      ['failed', 'refused', 'Invalid meter'],
    );
    assert.deepEqual(refusals[0], { code: 'refused_400', message: 'Invalid meter' });
    await assertPaid(fixture, 100_000n);
  });

  it('does not fail it when the order was executed', async () => {
    const { one } = doubting('delivered');
    await using fixture = await openFixture([one]);
    assert.equal((await fixture.buy('sync', 'news')).status, 'success');
    await assertPaid(fixture, 90_000n);
  });
});

describe('a delivery that differs from the order', () => {
  it('stays pending with an alarm, and is never refunded automatically', async () => {
    const one = scripted('one', {
      purchase: ['otherAmount'],
      query: ['otherAmount', 'silence', 'neverHeard', 'refused'],
    });
    await using fixture = await openFixture([one], { syncDeadlineMs: 4_000 });
    const { database, buyer } = fixture;
    await assert.rejects(fixture.buy('sync', 'news'), refusedFor('outcome_unknown'));
    assert.deepEqual(await moneyOf(database, buyer), { posted: 100_000n, held: 10_000n });
    const [row] = await database.query<{ evidence: string; flagged: boolean }>(
      'select evidence_of(p.delivered_attempt, p.attempts, p.acknowledged) as evidence, flagged_at is not null as flagged from pending_purchases p',
    );
    assert.deepEqual(row, { evidence: 'delivered', flagged: true });
    const alarms = await database.query<{ kind: string }>('select kind from alarms order by id');
    assert.equal(alarms[0]?.kind, 'overdue');
    // The audit reports such a purchase until a person has seen the alarm.
    await database.query('update alarms set acknowledged_at = now()');
  });
});

describe('a purchase of a product whose guard is `stop`', () => {
  for (const mode of ['sync', 'async'] as const) {
    it(`${mode} does not fail over to a provider that would sell at a loss, known before or since`, async () => {
      for (const since of ['before', 'since'] as const) {
        const [one, two] = [scripted('one', { purchase: ['noFloat'] }), scripted('two', {})];
        const loses = (name: string): boolean =>
          name === 'two' && (since === 'before' || one.purchases.length > 0);
        await using fixture = await openFixture([one, two], { loses });
        const purchase = await fixture.buy(mode);
        assert.deepEqual([purchase.status, purchase.reason], ['failed', 'refused'], since);
        assert.deepEqual([two.purchases, await attemptsOf(fixture, purchase)], [[], ['one']]);
        await assertPaid(fixture, 100_000n);
      }
    });

    it(`${mode} skips a first provider that would sell at a loss`, async () => {
      const [one, two] = [scripted('one', {}), scripted('two', { purchase: ['delivered'] })];
      await using fixture = await openFixture([one, two], { loses: (name) => name === 'one' });
      const purchase = await fixture.buy(mode);
      assert.deepEqual([purchase.status, one.purchases], ['success', []]);
      assert.deepEqual(await attemptsOf(fixture, purchase), ['two']);
    });

    it(`${mode} is not sent when a loss is known only after the accept, and its money is released`, async () => {
      const one = scripted('one', {});
      let asked = 0;
      const loses = (): boolean => {
        asked += 1;
        return asked > 1;
      };
      await using fixture = await openFixture([one], { loses });
      const purchase = await fixture.buy(mode);
      assert.deepEqual([purchase.status, purchase.reason, one.purchases], ['failed', 'not_sent', []]);
      await assertPaid(fixture, 100_000n);
    });
  }
});
