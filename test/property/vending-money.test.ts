/**
 * Money under any order of events: purchases, answers that agree, are uncertain or contradict,
 * repeats, corrections. Sequential runs are compared with a model that predicts every wallet;
 * concurrent ones are checked for invariants.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../src/core/ids.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';
import { insertAttempts } from '../../src/purchases/engine/claim-store.ts';
import { rollUpHouseBalances } from '../../src/wallet/ledger/roll-up.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import {
  accept,
  answer,
  assertAudited,
  type Buyer,
  claimPurchases,
  openBuyer,
  purchase,
  resolveWords,
} from '../purchases/fixture.ts';
import { runs } from '../support/budget.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { refusedAct } from '../support/refusals.ts';

const database = await openFileDatabase();

type Purchase = {
  readonly buyer: number;
  readonly charge: number;
  readonly sync: boolean;
  readonly again: number | undefined;
};
type Answer = { readonly purchase: number; readonly kind: Kind; readonly earlier: boolean };
type Kind = 'success' | 'failed' | 'unknown' | 'accepted' | 'not_found' | 'not_sent';
type Event =
  | { readonly kind: 'accept'; readonly items: readonly Purchase[] }
  | { readonly kind: 'resolve'; readonly items: readonly Answer[] }
  | { readonly kind: 'credit'; readonly buyer: number; readonly amount: number }
  | { readonly kind: 'work' }
  | { readonly kind: 'roll up' };

const aPurchase: fc.Arbitrary<Purchase> = fc.record({
  buyer: fc.nat(2),
  charge: fc.integer({ min: 0, max: 400 }),
  sync: fc.boolean(),
  // The reference of an earlier purchase, now and then.
  again: fc.option(fc.nat(), { nil: undefined, freq: 4 }),
});

const anAnswer: fc.Arbitrary<Answer> = fc.record({
  purchase: fc.nat(),
  kind: fc.constantFrom<Kind>('success', 'success', 'failed', 'unknown', 'accepted', 'not_found', 'not_sent'),
  earlier: fc.boolean(),
});

const anEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(aPurchase, { minLength: 1, maxLength: 6 })
      .map((items) => ({ kind: 'accept' as const, items })),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(anAnswer, { minLength: 1, maxLength: 6 })
      .map((items) => ({ kind: 'resolve' as const, items })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      buyer: fc.nat(2),
      amount: fc.integer({ min: -500, max: 800 }).filter((amount) => amount !== 0),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'work' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'roll up' as const }) },
);

/** A purchase as the test knows it. */
type Known = {
  readonly buyer: Buyer;
  readonly item: AcceptItem;
  status: 'pending' | 'success' | 'failed';
  step: 'send' | 'query';
  attempts: number;
  /** The attempts with an answer that reported a delivery. */
  readonly delivered: Set<number>;
};

/** The buyers of a run, and their purchases. */
class Market {
  readonly buyers: Buyer[] = [];
  readonly purchases: Known[] = [];
  readonly floors: bigint[] = [0n, -300n, 100n];
  readonly codes: string[] = [];

  static async open(): Promise<Market> {
    const market = new Market();
    for (const [index, environment] of (['live', 'live', 'test'] as const).entries()) {
      const buyer = await openBuyer(database, 1_000n, environment);
      await changeWallet(database, buyer.walletId, { floor: market.floors[index] ?? 0n });
      const [merchant] = await database.query<{ code: string }>('select code from merchants where id = $1', [
        buyer.merchantId,
      ]);
      market.buyers.push(buyer);
      market.codes.push(merchant?.code ?? '');
    }
    return market;
  }

  buyer(index: number): Buyer {
    const buyer = this.buyers[index];
    assert.ok(buyer);
    return buyer;
  }

  toItem({ buyer: index, charge, sync, again }: Purchase): AcceptItem {
    const buyer = this.buyer(index);
    const own = this.purchases.filter((purchase) => purchase.buyer === buyer);
    const earlier = again === undefined ? undefined : own[again % Math.max(own.length, 1)];
    return purchase(buyer, BigInt(charge), {
      mode: sync ? 'sync' : 'async',
      ...(earlier === undefined ? {} : { reference: earlier.item.reference }),
    });
  }

  /** The purchase and attempt that an answer is about; undefined while nothing was sent. */
  target({ purchase: index, earlier }: Answer): { purchase: Known; attempt: number } | undefined {
    const sent = this.purchases.filter((purchase) => purchase.attempts > 0);
    const purchase = sent[index % Math.max(sent.length, 1)];
    if (purchase === undefined) return undefined;
    return { purchase, attempt: earlier ? Math.max(1, purchase.attempts - 1) : purchase.attempts };
  }

  /** Claims purchases to be sent, as a worker does. */
  async work(): Promise<void> {
    const claimed = await database.transaction(async (tx) => {
      const purchases = await claimPurchases(tx, newId(), { limit: 1_000, leaseMs: 0 });
      const fresh = purchases.filter((purchase) => purchase.step === 'send');
      if (fresh.length > 0) {
        await insertAttempts(
          tx,
          fresh.map(({ merchantId, purchaseId, attempts: number }) => ({
            merchantId,
            purchaseId,
            number,
            provider: 'sandbox',
            reference: `p-${purchaseId}-${number}`,
            reason: 'test',
          })),
        );
      }
      return fresh;
    });
    for (const { purchaseId, attempts } of claimed) {
      const purchase = this.purchases.find(({ item }) => item.id === purchaseId);
      if (purchase === undefined) continue;
      purchase.attempts = Math.max(purchase.attempts, attempts);
      purchase.step = 'query';
    }
  }

  /** False when the wallet cannot pay it. */
  async credit(index: number, amount: number): Promise<boolean> {
    const { environment } = this.buyer(index);
    const correction = {
      merchantCode: this.codes[index] ?? '',
      environment,
      currency: 'NGN',
      memo: 'test',
    } as const;
    try {
      await database.transaction((tx) => creditWallet(tx, { ...correction, amount: BigInt(amount) }, 'test'));
      return true;
    } catch (error) {
      assert.ok(refusedAct('wallet_cannot_give')(error));
      return false;
    }
  }
}

/** The invariants of every moment. */
async function assertSound(): Promise<void> {
  const broken = await database.query(`
    select 'accounts do not sum to zero' as what, currency || ' ' || environment as which
    from (
      select a.currency, a.environment, coalesce(w.posted, 0) as balance
      from accounts a
      join wallets w on w.account_id = a.id
      union all
      select a.currency, a.environment, b.balance from accounts a join house_balances b on b.account_id = a.id
      union all
      select a.currency, a.environment, d.delta from accounts a join house_deltas d on d.account_id = a.id
    ) as balances
    group by currency, environment
    having sum(balance) <> 0
    union all
    select 'held is not what is pending', w.account_id::text
    from wallets w
    left join (select wallet_id, sum(charge) as charge from pending_purchases group by wallet_id) p on p.wallet_id = w.account_id
    where w.held <> coalesce(p.charge, 0)
    union all
    select 'posted is not what was transferred', w.account_id::text
    from wallets w
    where w.posted <> (
      select coalesce(sum(case when t.credit_account_id = w.account_id then t.amount else -t.amount end), 0)
      from transfers t
      where w.account_id in (t.credit_account_id, t.debit_account_id)
    )
    union all
    select 'under the floor', account_id::text from wallets where posted - held < floor
    union all
    select 'not pending or final, or both', v.id::text
    from purchases v
    left join pending_purchases p on p.purchase_id = v.id
    left join purchase_outcomes o on o.purchase_id = v.id
    where (p.purchase_id is null) = (o.purchase_id is null)`);
  assert.deepEqual(broken, []);
}

/**
 * Audits the state after a run. Contradictions raise alarms, which an operator then acknowledges.
 */
async function closeBooks(): Promise<void> {
  await assertSound();
  await database.query('update alarms set acknowledged_at = now()');
  await assertAudited(database);
}

describe('events in turn', () => {
  type Wallet = { posted: bigint; held: bigint };
  type Said = { readonly attempt: number; readonly kind: Kind };

  /** Foretells the database, and is held to it after every event. */
  class Model {
    readonly market: Market;
    readonly wallets: Wallet[] = [0, 1, 2].map(() => ({ posted: 1_000n, held: 0n }));
    contradictions = 0;

    constructor(market: Market) {
      this.market = market;
    }

    async run(event: Event): Promise<void> {
      switch (event.kind) {
        case 'accept':
          return await this.#accept(event.items.map((item) => this.market.toItem(item)));
        case 'resolve':
          return await this.#resolve(event.items);
        case 'credit':
          return await this.#credit(event.buyer, event.amount);
        case 'work':
          return await this.market.work();
        case 'roll up':
          await rollUpHouseBalances(database);
      }
    }

    async check(): Promise<void> {
      for (const [index, buyer] of this.market.buyers.entries()) {
        const [row] = await database.query<Wallet>('select posted, held from wallets where account_id = $1', [
          buyer.walletId,
        ]);
        assert.deepEqual(row, this.wallets[index]);
      }
      const stored = await database.query<{ id: string }>(
        `select v.id, coalesce(o.status, 'pending') as status, p.step, p.attempts
         from purchases v
         left join purchase_outcomes o on o.purchase_id = v.id
         left join pending_purchases p on p.purchase_id = v.id
         where v.merchant_id = any($1::integer[])
         order by v.id`,
        [this.market.buyers.map((buyer) => buyer.merchantId)],
      );
      const foretold = this.market.purchases.map(({ item, status, step, attempts }) => ({
        id: item.id,
        status,
        step: status === 'pending' ? step : null,
        attempts: status === 'pending' ? attempts : null,
      }));
      assert.deepEqual(
        stored,
        foretold.sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      const [alarms] = await database.query<{ count: number }>(
        `select count(*)::integer as count
         from alarms
         where kind = 'contradiction'
         and merchant_id = any($1::integer[])`,
        [this.market.buyers.map((buyer) => buyer.merchantId)],
      );
      assert.equal(alarms?.count, this.contradictions);
    }

    #walletOf(buyer: Buyer): Wallet {
      const wallet = this.wallets[this.market.buyers.indexOf(buyer)];
      assert.ok(wallet);
      return wallet;
    }

    async #accept(items: readonly AcceptItem[]): Promise<void> {
      const verdicts = await accept(database, ...items);
      const foretold = items.map((item) => {
        const buyer = this.market.buyers.find((one) => one.walletId === item.walletId);
        assert.ok(buyer);
        const known = this.market.purchases.find(
          (purchase) => purchase.buyer === buyer && purchase.item.reference === item.reference,
        );
        if (known !== undefined) return { kind: 'duplicate', firstId: known.item.id, status: known.status };
        const wallet = this.#walletOf(buyer);
        const floor = this.market.floors[this.market.buyers.indexOf(buyer)] ?? 0n;
        const paid = item.charge <= wallet.posted - wallet.held - floor;
        if (paid) wallet.held += item.charge;
        const sync = item.mode === 'sync';
        this.market.purchases.push({
          buyer,
          item,
          status: paid ? 'pending' : 'failed',
          step: sync ? 'query' : 'send',
          attempts: paid && sync ? 1 : 0,
          delivered: new Set(),
        });
        return { kind: paid ? 'accepted' : 'insufficient' };
      });
      assert.deepEqual(verdicts, foretold);
    }

    async #resolve(answers: readonly Answer[]): Promise<void> {
      const targets = answers.flatMap((one) => {
        const target = this.market.target(one);
        return target === undefined ? [] : [{ ...target, kind: one.kind }];
      });
      if (targets.length === 0) return;
      const items = targets.map(({ purchase, attempt, kind }) =>
        answer(purchase.buyer, purchase.item, kind, { attempt }),
      );
      await resolveWords(database, ...items);
      for (const purchase of new Set(targets.map((target) => target.purchase))) {
        this.#foretell(
          purchase,
          targets.filter((target) => target.purchase === purchase),
        );
      }
    }

    /**
     * The combined result of the answers to one purchase: the first final answer to its current
     * attempt; else a query if its provider has it; else another send on proof that it has not;
     * else no change.
     */
    #foretell(purchase: Known, said: readonly Said[]): void {
      const final = said.filter(({ kind }) => kind === 'success' || kind === 'failed');
      if (purchase.status === 'pending') {
        const elsewhere = final.some(
          ({ kind, attempt }) => kind === 'success' && attempt !== purchase.attempts,
        );
        this.#settle(
          purchase,
          said.filter(({ attempt }) => attempt === purchase.attempts),
          elsewhere || purchase.delivered.size > 0,
        );
      } else {
        // Where another attempt is known to have delivered, this one's failure is no news and its
        // success another matter.
        const alone = final.filter(({ attempt }) =>
          [...purchase.delivered].every((other) => other === attempt),
        );
        this.contradictions += alone.filter(({ kind }) => kind !== purchase.status).length;
      }
      for (const { kind, attempt } of final) {
        if (kind !== 'success') continue;
        purchase.delivered.add(attempt);
        // A delivered purchase is not sent again.
        if (purchase.status === 'pending') purchase.step = 'query';
      }
    }

    /** `wasDelivered`: an earlier attempt is known to have delivered, so no money goes back. */
    #settle(purchase: Known, present: readonly Said[], wasDelivered: boolean): void {
      const final = present.map(({ kind }) => kind).filter((kind) => kind === 'success' || kind === 'failed');
      const [outcome] = final;
      const telling = present.filter(({ kind }) => kind !== 'unknown' && kind !== 'not_found');
      if (wasDelivered && outcome !== 'success') {
        if (telling.length > 0) purchase.step = 'query';
      } else if (outcome !== undefined) {
        const wallet = this.#walletOf(purchase.buyer);
        purchase.status = outcome;
        wallet.held -= purchase.item.charge;
        if (outcome === 'success') wallet.posted -= purchase.item.charge;
        this.contradictions += final.filter((kind) => kind !== outcome).length;
      } else if (telling.length > 0) {
        purchase.step = telling.every(({ kind }) => kind === 'not_sent') ? 'send' : 'query';
      }
    }

    async #credit(index: number, amount: number): Promise<void> {
      const wallet = this.wallets[index];
      assert.ok(wallet);
      const floor = this.market.floors[index] ?? 0n;
      const fits = amount > 0 || wallet.posted - wallet.held - floor + BigInt(amount) >= 0n;
      assert.equal(await this.market.credit(index, amount), fits);
      if (fits) wallet.posted += BigInt(amount);
    }
  }

  it('leave every wallet, purchase and hold as predicted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { minLength: 5, maxLength: 30 }), async (events) => {
        const model = new Model(await Market.open());
        for (const event of events) {
          await model.run(event);
          await model.check();
        }
        await closeBooks();
      }),
      runs(8),
    );
  });
});

describe('events at the same time', () => {
  async function run(market: Market, event: Event): Promise<void> {
    switch (event.kind) {
      case 'accept': {
        const items = event.items.map((item) => market.toItem(item));
        const verdicts = await accept(database, ...items);
        for (const [index, item] of items.entries()) {
          if (verdicts[index]?.kind !== 'accepted') continue;
          const buyer = market.buyers.find((one) => one.walletId === item.walletId);
          assert.ok(buyer);
          market.purchases.push({
            buyer,
            item,
            status: 'pending',
            step: 'query',
            attempts: item.mode === 'sync' ? 1 : 0,
            delivered: new Set(),
          });
        }
        return;
      }
      case 'resolve': {
        const items = event.items.flatMap((one) => {
          const target = market.target(one);
          return target === undefined
            ? []
            : [answer(target.purchase.buyer, target.purchase.item, one.kind, { attempt: target.attempt })];
        });
        if (items.length > 0) await resolveWords(database, ...items);
        return;
      }
      case 'credit':
        await market.credit(event.buyer, event.amount);
        return;
      case 'work':
        return await market.work();
      case 'roll up':
        await rollUpHouseBalances(database);
    }
  }

  it('lose no kobo in any order', async () => {
    const lane = fc.array(anEvent, { minLength: 3, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(fc.array(lane, { minLength: 3, maxLength: 6 }), async (lanes) => {
        const market = await Market.open();
        await Promise.all(
          lanes.map(async (events) => {
            for (const event of events) {
              await run(market, event);
              await assertSound();
            }
          }),
        );
        await closeBooks();
      }),
      runs(4),
    );
  });
});
