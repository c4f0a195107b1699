/**
 * A wallet under any order of deposits, purchases, failures, corrections, floors and repeats,
 * sequential and concurrent: the books balance, holds equal pending purchases, no wallet is below
 * its floor, and its statement, whole or in pages, ends at its balance.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OperationError } from '../../src/core/errors.ts';
import type { Payment } from '../../src/funding/banks/funding-provider.ts';
import { creditDeposit, depositAccounts } from '../../src/funding/credit-deposit.ts';
import { markActive, markRequested } from '../../src/funding/funding-account-store.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { markStatements } from '../../src/wallet/mark-statements.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { setFloor } from '../../src/wallet/operations/set-floor.ts';
import {
  eachLine,
  openStatement,
  readStatementPage,
  type StatementCursor,
} from '../../src/wallet/statement.ts';
import {
  accept,
  answer,
  assertAudited,
  type Buyer,
  openBuyer,
  purchase,
  resolveWords,
} from '../purchases/fixture.ts';
import { runs } from '../support/budget.ts';
import { openFileDatabase } from '../support/file-database.ts';

const database = await openFileDatabase();

const bank = { name: 'monnify', environment: 'live' } as const;
const houseAccounts = createHouseAccounts(database);

type Event =
  | { readonly kind: 'buy'; readonly charges: readonly number[] }
  | { readonly kind: 'answer'; readonly purchase: number; readonly word: 'success' | 'failed' | 'unknown' }
  | { readonly kind: 'deposit'; readonly payment: number; readonly amount: number }
  | { readonly kind: 'correct'; readonly amount: number }
  | { readonly kind: 'floor'; readonly floor: number }
  | { readonly kind: 'mark'; readonly every: number };

const anEvent: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      charges: fc.array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      purchase: fc.nat(),
      word: fc.constantFrom('success' as const, 'success' as const, 'failed' as const, 'unknown' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('deposit' as const),
      // Few of them, so that the notice of a payment often comes again.
      payment: fc.nat(5),
      amount: fc.integer({ min: 1, max: 30_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      amount: fc.integer({ min: -5_000, max: 5_000 }).filter((amount) => amount !== 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('floor' as const),
      floor: fc.integer({ min: -9_000, max: 500 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mark' as const), every: fc.integer({ min: 1, max: 4 }) }),
  },
);

let wallets = 0;

class Wallet {
  readonly buyer: Buyer;
  readonly code: string;
  readonly items: AcceptItem[] = [];
  readonly #number: number;

  constructor(buyer: Buyer, code: string, number: number) {
    this.buyer = buyer;
    this.code = code;
    this.#number = number;
  }

  static async open(): Promise<Wallet> {
    wallets += 1;
    const buyer = await openBuyer(database, 5_000n);
    const [row] = await database.query<{ code: string }>('select code from merchants where id = $1', [
      buyer.merchantId,
    ]);
    const wallet = new Wallet(buyer, row?.code ?? '', wallets);
    const key = { merchantId: buyer.merchantId, environment: 'live', currency: 'NGN' } as const;
    const reference = wallet.#account();
    const asked = { provider: bank.name, reference };
    await database.transaction((tx) =>
      markRequested(tx, key, { ...asked, walletId: buyer.walletId, customerHash: undefined }),
    );
    await markActive(database, key, asked, {
      number: `60${String(wallets).padStart(8, '0')}`,
      name: 'X',
      bankName: 'Bank',
    });
    return wallet;
  }

  async run(event: Event): Promise<void> {
    const { buyer, code: merchantCode } = this;
    const owner = { merchantCode, environment: 'live', currency: 'NGN' } as const;
    switch (event.kind) {
      case 'buy': {
        const items = event.charges.map((charge) => purchase(buyer, BigInt(charge)));
        const verdicts = await accept(database, ...items);
        this.items.push(...items.filter((_, index) => verdicts[index]?.kind === 'accepted'));
        return;
      }
      case 'answer': {
        const item = this.items[event.purchase % Math.max(this.items.length, 1)];
        if (item !== undefined) await resolveWords(database, answer(buyer, item, event.word));
        return;
      }
      case 'deposit':
        return await this.#deposit(event.payment, BigInt(event.amount));
      case 'correct': {
        const correction = { ...owner, amount: BigInt(event.amount), memo: 'test' };
        return await unlessRefused(database.transaction((tx) => creditWallet(tx, correction, 'test')));
      }
      case 'floor': {
        const change = { ...owner, floor: BigInt(event.floor) };
        return await unlessRefused(database.transaction((tx) => setFloor(tx, change, 'test')));
      }
      case 'mark':
        await markStatements(database, event.every);
    }
  }

  async assertStatement(): Promise<void> {
    const { walletId: accountId, merchantId, environment } = this.buyer;
    const wallet = { accountId, merchantId, environment };
    const now = Date.now();
    const period = { from: new Date(now - 3_600_000), to: new Date(now + 3_600_000) };
    const statement = await openStatement(database, wallet, period, new Date(now));
    let balance = statement.opening;
    const subjects: string[] = [];
    for await (const lines of eachLine(database, statement)) {
      for (const line of lines) {
        balance += line.amount;
        assert.equal(line.balance, balance);
        subjects.push(line.subjectId);
      }
    }
    assert.equal(balance, statement.closing);
    assert.equal(new Set(subjects).size, subjects.length, 'a subject is one line');
    await this.#assertPages(wallet, period);
  }

  async assertBalance(): Promise<void> {
    const { walletId: accountId, merchantId, environment } = this.buyer;
    const period = { from: new Date(0), to: new Date(Date.now() + 3_600_000) };
    const statement = await openStatement(
      database,
      { accountId, merchantId, environment },
      period,
      new Date(),
    );
    const [row] = await database.query<{ posted: bigint }>(
      'select posted from wallets where account_id = $1',
      [accountId],
    );
    assert.deepEqual([statement.opening, statement.closing], [0n, row?.posted]);
  }

  async #assertPages(
    wallet: { accountId: bigint; merchantId: number; environment: 'live' | 'test' },
    period: { from: Date; to: Date },
  ): Promise<void> {
    let cursor: StatementCursor | undefined;
    let balance: bigint | undefined;
    let closing: bigint | undefined;
    do {
      const page = await readStatementPage(database, wallet, period, { cursor, limit: 4 }, new Date());
      assert.ok(page);
      balance ??= page.opening;
      closing ??= page.closing;
      assert.equal(page.closing, closing);
      for (const line of page.lines) {
        balance += line.amount;
        assert.equal(line.balance, balance);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    assert.equal(balance, closing);
  }

  async #deposit(number: number, amount: bigint): Promise<void> {
    const payment: Payment = {
      reference: `paid-${this.#number}-${number}`,
      paidTo: { kind: 'reference', value: this.#account() },
      amount,
      currency: 'NGN',
      paidAt: new Date(),
    };
    const accounts = await depositAccounts(houseAccounts, bank, payment);
    await database.transaction((tx) => creditDeposit(tx, bank, payment, accounts));
  }

  #account(): string {
    return `oja-${this.#number}`;
  }
}

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof OperationError, String(error));
  }
}

/** The invariants of every moment. */
async function assertSound(): Promise<void> {
  const broken = await database.query(`
    select 'accounts do not sum to zero' as what, currency as which
    from (
      select a.currency, w.posted as balance from accounts a join wallets w on w.account_id = a.id
      union all
      select a.currency, b.balance from accounts a join house_balances b on b.account_id = a.id
      union all
      select a.currency, d.delta from accounts a join house_deltas d on d.account_id = a.id
    ) as balances
    group by currency
    having sum(balance) <> 0
    union all
    select 'held is not what is pending', w.account_id::text
    from wallets w
    where w.held <> (select coalesce(sum(p.charge), 0) from pending_purchases p where p.wallet_id = w.account_id)
    union all
    select 'under the floor', account_id::text from wallets where posted - held < floor`);
  assert.deepEqual(broken, []);
}

/** Some events contradict each other. They raise alarms, and an operator acknowledges them. */
async function closeBooks(): Promise<void> {
  await database.query('update alarms set acknowledged_at = now()');
  await assertAudited(database);
}

describe('the money of a wallet', () => {
  it('money adds up after each event, and the statement ends at the balance', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { minLength: 5, maxLength: 30 }), async (events) => {
        const wallet = await Wallet.open();
        for (const event of events) {
          await wallet.run(event);
          await assertSound();
          await wallet.assertBalance();
        }
        await wallet.assertStatement();
        await closeBooks();
      }),
      runs(6),
    );
  });

  it('money adds up during concurrent events, and so does the statement', async () => {
    const lane = fc.array(anEvent, { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(lane, { minLength: 3, maxLength: 5 }), async (lanes) => {
        const wallet = await Wallet.open();
        await Promise.all(
          lanes.map(async (events) => {
            for (const event of events) {
              await wallet.run(event);
              await assertSound();
              await wallet.assertStatement();
            }
          }),
        );
        await wallet.assertBalance();
        await closeBooks();
      }),
      runs(4),
    );
  });
});
