/**
 * Our balance at a provider decides an order that cannot be queried: from stored readings, with the
 * arithmetic stored before it decides, and never beside another explanation.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Sql } from '../../../src/db/database.ts';
import type { Provider, ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import {
  type Attempter,
  attemptPurchase,
  queryAttempt,
} from '../../../src/purchases/engine/attempt-purchase.ts';
import { type Resolver, resolvePurchase } from '../../../src/purchases/engine/resolve-purchase.ts';
import type { ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import { balanceEvidence } from '../../../src/purchases/evidence/balance-evidence.ts';
import { CROWD } from '../../../src/purchases/evidence/explain-balance.ts';
import { insertReading } from '../../../src/purchases/evidence/reading-store.ts';
import { purchaseAnswer } from '../../../src/purchases/history/purchase-answer.ts';
import { readHistory } from '../../../src/purchases/history/read-history.ts';
import { type PurchaseInHand, takeAccepted } from '../../../src/purchases/state/purchase-in-hand.ts';
import { ensureAccount } from '../../../src/wallet/ledger/account-store.ts';
import { floatAccount } from '../../../src/wallet/ledger/chart-of-accounts.ts';
import { changeOutcomes } from '../../support/change-outcomes.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { noAlike } from '../../support/no-alike.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { accept, answer, type Buyer, moneyOf, openAuditedDatabase, openBuyer, purchase } from '../fixture.ts';

const database = await openAuditedDatabase();

const unqueryable: ProviderAnswer = { kind: 'unknown', code: 'no_query', message: 'm', isUnqueryable: true };
const lost: ProviderAnswer = { kind: 'unknown', code: 'timeout', message: 'm' };

let accounts = 0;

/** A separate account at a provider, with a buyer who uses it. */
class Account {
  readonly provider: Provider;
  readonly buyer: Buyer;
  readonly attempter: Attempter;
  readonly resolver: Resolver;
  readonly queried: ProviderOrder[] = [];
  says: ProviderAnswer = unqueryable;
  replies: ProviderAnswer = lost;

  private constructor(name: string, buyer: Buyer, proves: NonNullable<Provider['balanceProves']>) {
    this.buyer = buyer;
    this.provider = {
      name,
      environment: 'live',
      products: new Set(['airtime']),
      sellsWithoutCodes: new Set(),
      wholeNairaOnly: new Set(),
      notFoundGraceMs: 60_000,
      deadlineMs: 1_000,
      balanceProves: proves,
      mintReference: () => 'r',
      purchase: async () => this.replies,
      query: async (order) => {
        this.queried.push(order);
        return this.says;
      },
      balance: async () => undefined,
      [Symbol.asyncDispose]: async () => undefined,
    };
    const never = (): never => assert.fail('not expected');
    const shared = {
      providers: new Map([[name, this.provider]]),
      guards: noGuards,
      restoreLock: noRestoreLock,
      unsentMs: { async: 60_000, sync: 60_000, order: 60_000 },
      clock: systemClock,
    };
    this.attempter = {
      ...shared,
      routes: { isPaused: () => false },
      findSentAttempt: async () => ({ account: undefined, answer: undefined }),
      alike: noAlike,
      balances: balanceEvidence(database, systemClock),
      failpoints: noFailpoints,
      onAnswer: () => undefined,
    };
    this.resolver = {
      ...shared,
      commits: {
        resolve: async (item: ResolveItem) => {
          const [verdict] = await resolvePurchases(database, [item]);
          assert.ok(verdict);
          return verdict;
        },
      },
      log: createLog('silent'),
      sealer: { seal: never },
      fulfilmentMs: 0,
      houseAccounts: {
        float: () => buyer.floatId,
        revenue: () => buyer.revenueId,
        vouchers: never,
      },
      onFinal: () => undefined,
      onContradiction: never,
    };
  }

  static async open(proves: NonNullable<Provider['balanceProves']> = 'either'): Promise<Account> {
    accounts += 1;
    const name = `panel-${accounts}`;
    const buyer = await openBuyer(database, 1_000_000n);
    const floatId = await database.transaction((tx) => ensureAccount(tx, floatAccount(name, 'live', 'NGN')));
    return new Account(name, { ...buyer, floatId }, proves);
  }

  /** An order that was committed so many minutes ago. */
  async order(minutesAgo: number, charge = 100_00n): Promise<[AcceptItem, PurchaseInHand]> {
    const { name } = this.provider;
    const item = purchase(this.buyer, charge, {
      route: [name],
      attempt: { provider: name, reference: `p-${Math.random()}` },
    });
    await accept(database, item);
    await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(`update purchases set stored_at = now() - $2 * interval '1 minute' where id = $1`, [
        item.id,
        minutesAgo,
      ]);
    });
    const held = takeAccepted(item, systemClock.elapsedMs());
    return [item, { ...held, attempt: { ...held.attempt, ageMs: minutesAgo * 60_000 } }];
  }

  /** An order that succeeded so many minutes ago, a minute after it was committed. */
  async delivered(minutesAgo: number, charge: bigint, cost: bigint): Promise<void> {
    const [item] = await this.order(minutesAgo, charge);
    await this.deliver(item, minutesAgo - 1, cost);
  }

  /** The order succeeded so many minutes ago. */
  async deliver(item: AcceptItem, minutesAgo: number, cost: bigint): Promise<void> {
    const base = answer(this.buyer, item, 'success', { cost });
    await resolvePurchases(database, [{ ...base, answer: { ...base.answer, provider: this.provider.name } }]);
    await changeOutcomes(
      database,
      `set at = now() - $2 * interval '1 minute', cost_estimated = false where purchase_id = $1`,
      [item.id, minutesAgo],
    );
  }

  /** A balance that was read so many minutes ago. */
  async reading(minutesAgo: number, naira: number): Promise<void> {
    await database.query(
      `insert into balance_readings (provider, asked_at, at, amount)
       select $1, t - interval '1 second', t, $3
       from (select now() - $2 * interval '1 minute' as t) as w`,
      [this.provider.name, minutesAgo, BigInt(naira) * 100n],
    );
  }

  /** A balance for each ten minutes of a day, in which another order took 58 naira. */
  async readDay(): Promise<void> {
    await this.delivered(758, 60_00n, 58_00n);
    for (let minutes = 1_490; minutes > 0; minutes -= 10) {
      await this.reading(minutes, minutes > 755 ? 1_000 : 942);
    }
  }

  /** Queries an order as the worker does, and returns its state. */
  async query(held: PurchaseInHand): Promise<string> {
    const timed = await queryAttempt(this.attempter, held);
    await resolvePurchase(this.resolver, held, 'query', timed);
    return (await storyOf(held)).status;
  }
}

async function storyOf({ purchaseId }: PurchaseInHand) {
  return purchaseAnswer(await readHistory(database, { reference: purchaseId }));
}

const evidenceOf = async (held: PurchaseInHand) => (await storyOf(held)).balance_evidence;

describe('an unknown order that cannot be queried', () => {
  it('succeeds at the cost by which our balance moved, with the arithmetic on its timeline', async () => {
    const account = await Account.open();
    await account.reading(91, 1_000);
    const [, held] = await account.order(90);
    await account.delivered(60, 60_00n, 58_00n);
    await account.reading(25, 842);
    assert.equal(await account.query(held), 'success');
    const story = await storyOf(held);
    assert.equal(story.cost, '100.00');
    const [evidence] = story.balance_evidence;
    assert.deepEqual(
      [evidence?.verdict, evidence?.before, evidence?.after, evidence?.others, evidence?.cost],
      ['moved', '1000.00', '842.00', '58.00', '100.00'],
    );
    assert.ok(story.timeline.some(({ what }) => what === 'balance'));
    assert.equal((await moneyOf(database, account.buyer)).held, 0n);
  });

  it('waits while its debit has not stood for an hour, and shows why', async () => {
    const account = await Account.open();
    await account.reading(31, 1_000);
    const [, held] = await account.order(30);
    await account.reading(5, 900);
    assert.equal(await account.query(held), 'pending');
    const [evidence] = await evidenceOf(held);
    assert.deepEqual([evidence?.verdict, evidence?.why], ['undecided', 'no_reading_after']);
  });

  it('stays unknown while another order of its amount is in flight', async () => {
    const account = await Account.open();
    await account.reading(91, 1_000);
    const [, held] = await account.order(90);
    const [, beside] = await account.order(88);
    await account.reading(5, 900);
    assert.equal(await account.query(held), 'pending');
    assert.equal(await account.query(beside), 'pending');
    const [evidence] = await evidenceOf(held);
    assert.deepEqual([evidence?.why, evidence?.beside], ['several_explanations', 1]);
    // Both were debited.
    await account.reading(4, 800);
    await database.query(
      `update balance_readings set amount = 80000
       where provider = $1 and at > now() - interval '10 minutes'`,
      [account.provider.name],
    );
    assert.deepEqual([await account.query(held), await account.query(beside)], ['success', 'success']);
  });

  it('costs one statement a query in a crowd of open orders, and is decided after it', async () => {
    const account = await Account.open();
    await account.reading(95, 10_000);
    const orders: (readonly [AcceptItem, PurchaseInHand])[] = [];
    while (orders.length < CROWD) orders.push(await account.order(90));
    await account.reading(5, 10_000 - CROWD * 100);
    let statements = 0;
    const counted: Sql = {
      query: (...query) => {
        statements += 1;
        return database.query(...query);
      },
    };
    let nowMs = 0;
    const evidence = balanceEvidence(counted, { elapsedMs: () => nowMs });
    const judge = async (): Promise<string[]> => {
      const verdicts = [];
      for (const [, held] of orders) verdicts.push((await evidence.judge(held)).verdict);
      return [...new Set(verdicts)];
    };
    assert.deepEqual(await judge(), ['undecided']);
    statements = 0;
    assert.deepEqual([await judge(), statements], [['undecided'], CROWD]);
    const [own, ...others] = orders;
    assert.ok(own);
    for (const [item] of others) await account.deliver(item, 80, 100_00n);
    assert.equal((await evidence.judge(own[1])).verdict, 'undecided');
    nowMs = 10_000;
    assert.equal((await evidence.judge(own[1])).verdict, 'moved');
  });

  it('compares an order with those that do not make a crowd', async () => {
    const account = await Account.open();
    await account.reading(95, 10_000);
    const [, held] = await account.order(90, 50_00n);
    // These may be in the reading after the order.
    for (let count = 0; count < 8; count += 1) await account.order(90);
    // These were committed after that reading.
    for (let count = 0; count < CROWD; count += 1) await account.order(2);
    await account.reading(5, 9_950);
    assert.equal(await account.query(held), 'success');
  });

  it('stays unknown beside a top-up or a refund that could hide it', async () => {
    const account = await Account.open();
    await account.reading(1_500, 1_000);
    const [, held] = await account.order(1_499);
    await account.readDay();
    await database.query(
      `insert into float_movements (
         id, provider, environment, kind, amount, other_account_id, reference, reason, moved_at,
         booked_by, booked_principal
       )
       select gen_random_uuid(), $1, 'test', 'top_up', 10000, $2, 'x', 'x', now() - interval '20 hours', 'x', 'x'`,
      [account.provider.name, account.buyer.floatId],
    );
    assert.equal(await account.query(held), 'pending');
    await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query('delete from float_movements where provider = $1', [account.provider.name]);
    });
    assert.equal(await account.query(held), 'failed');
  });

  it('fails after a quiet day only if a single balance pays for everything', async () => {
    const account = await Account.open('delivery');
    await account.reading(1_500, 1_000);
    const [, held] = await account.order(1_499);
    await account.readDay();
    assert.equal(await account.query(held), 'pending');
    const [evidence] = await evidenceOf(held);
    assert.equal(evidence?.verdict, 'unmoved');
  });

  it('stays unknown across a change of credentials', async () => {
    const account = await Account.open();
    await account.reading(91, 1_000);
    const [, held] = await account.order(90);
    await account.reading(5, 900);
    await database.query(
      `insert into provider_credentials (provider, version, sealed, fingerprints, set_by, at)
       values ($1, 1, 'x', '{}', 'x', now() - interval '80 minutes')`,
      [account.provider.name],
    );
    assert.equal(await account.query(held), 'pending');
  });
});

describe('the balance', () => {
  it('decides no order that its provider answers about, or has acknowledged', async () => {
    const account = await Account.open();
    await account.reading(91, 1_000);
    const [, held] = await account.order(90);
    await account.reading(5, 900);
    account.says = lost;
    assert.equal(await account.query(held), 'pending');
    account.says = unqueryable;
    assert.equal(await account.query({ ...held, evidence: 'acknowledged' }), 'pending');
    assert.equal(await account.query(held), 'success');
  });

  it('informs a connector that an order was debited', async () => {
    const account = await Account.open();
    await account.reading(11, 1_000);
    const [, held] = await account.order(10);
    await account.reading(5, 900);
    account.says = { kind: 'accepted', code: 'c', message: 'm' };
    await account.query({ ...held, evidence: 'acknowledged' });
    assert.equal(account.queried[0]?.isDebited, true);
  });

  it('decides by stored readings when the process died before it could end the purchase', async () => {
    const account = await Account.open();
    await account.reading(91, 1_000);
    const [, held] = await account.order(90);
    await account.reading(5, 900);
    await queryAttempt(account.attempter, held);
    assert.equal((await storyOf(held)).status, 'pending');
    // The readings are deleted meanwhile.
    await database.query('delete from balance_readings where provider = $1', [account.provider.name]);
    assert.equal(await account.query(held), 'success');
  });

  it('stores the balance in the reply to an order', async () => {
    const account = await Account.open();
    const [, held] = await account.order(0);
    account.replies = { ...lost, balance: { before: 1_000_00n, after: 900_00n } };
    await attemptPurchase(account.attempter, held);
    const told = await database.query<{ amount: bigint; is_after: boolean | null }>(
      'select amount, is_after from balance_readings where provider = $1 order by id',
      [account.provider.name],
    );
    assert.deepEqual(told, [
      { amount: 1_000_00n, is_after: false },
      { amount: 900_00n, is_after: null },
    ]);
  });

  it('stores the balance once for all processes that read it', async () => {
    const reading = { provider: 'shared', account: undefined, amount: 5n, tookMs: 3 };
    await insertReading(database, reading);
    await insertReading(database, reading);
    const rows = await database.query("select from balance_readings where provider = 'shared'");
    assert.equal(rows.length, 1);
  });
});
