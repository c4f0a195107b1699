/** Statements: they add up, page by page and day by day, also while the wallet is moved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Tx } from '../../src/db/database.ts';
import { lockWallets } from '../../src/wallet/ledger/transfer-store.ts';
import { markStatements } from '../../src/wallet/mark-statements.ts';
import {
  eachLine,
  openStatement,
  type Period,
  readStatementPage,
  type StatementCursor,
  type StatementLine,
} from '../../src/wallet/statement.ts';
import type { StatedWallet } from '../../src/wallet/statement-store.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../purchases/fixture.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { lookedAt } from '../support/looked-at.ts';

const database = await openFileDatabase();

const today: Period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };

function stated({ walletId, merchantId, environment }: Buyer): StatedWallet {
  return { accountId: walletId, merchantId, environment };
}

async function sell(buyer: Buyer, ...charges: readonly bigint[]): Promise<string[]> {
  const items = charges.map((charge) => purchase(buyer, charge));
  await accept(database, ...items);
  await resolveWords(database, ...items.map((item) => answer(buyer, item, 'success')));
  return items.map((item) => item.reference);
}

async function wholeOf(wallet: StatedWallet, period = today, from = database) {
  const statement = await openStatement(from, wallet, period, new Date());
  const lines: StatementLine[] = [];
  for await (const some of eachLine(from, statement)) lines.push(...some);
  return { ...statement, lines };
}

async function pagesOf(
  wallet: StatedWallet,
  limit: number,
  between?: () => Promise<unknown>,
  from = database,
) {
  const lines: StatementLine[] = [];
  let cursor: StatementCursor | undefined;
  for (;;) {
    const page = await readStatementPage(from, wallet, today, { cursor, limit }, new Date());
    assert.ok(page);
    assert.ok(page.lines.length <= limit);
    lines.push(...page.lines);
    cursor = page.next;
    if (cursor === undefined) return { opening: page.opening, closing: page.closing, lines };
    await between?.();
  }
}

function assertAddsUp(statement: {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly StatementLine[];
}): void {
  let balance = statement.opening;
  for (const line of statement.lines) {
    balance += line.amount;
    assert.equal(line.balance, balance);
  }
  assert.equal(balance, statement.closing);
}

test('shows a purchase as one line with its charge, whatever our margin', async () => {
  const buyer = await openBuyer(database, 10_000n);
  const references = await sell(buyer, 1_000n, 250n);
  // Nothing is charged on a failure, and no line shows it.
  const failed = purchase(buyer, 300n);
  await accept(database, failed);
  await resolveWords(database, answer(buyer, failed, 'failed'));
  const { lines, opening, closing } = await wholeOf(stated(buyer));
  assert.deepEqual([opening, closing], [0n, 8_750n]);
  assert.deepEqual(
    lines.map(({ kind, amount, balance }) => [kind, amount, balance]),
    [
      ['correction', 10_000n, 10_000n],
      ['purchase', -1_000n, 9_000n],
      ['purchase', -250n, 8_750n],
    ],
  );
  assert.deepEqual(
    lines.slice(1).map((line) => line.reference),
    references,
  );
});

test('pages of any size make the whole, without purchases made meanwhile', async () => {
  const buyer = await openBuyer(database, 100_000n);
  await sell(buyer, 100n, 200n, 300n, 400n, 500n, 600n, 700n);
  const whole = await wholeOf(stated(buyer));
  assert.equal(whole.lines.length, 8);
  assertAddsUp(whole);
  for (const limit of [1, 2, 3, 7, 8, 9, 100]) {
    const paged = await pagesOf(stated(buyer), limit);
    assert.deepEqual(paged.lines, whole.lines);
  }
  const { lines, opening, closing } = whole;
  const moving = await pagesOf(stated(buyer), 3, () => sell(buyer, 10n));
  assert.deepEqual(moving, { lines, opening, closing });
});

test('refuses a cursor of another wallet or period, and a malformed one', async () => {
  const buyer = await openBuyer(database, 1_000n);
  const other = await openBuyer(database, 1_000n);
  await sell(buyer, 1n, 2n, 3n);
  const page = await readStatementPage(
    database,
    stated(buyer),
    today,
    { cursor: undefined, limit: 1 },
    new Date(),
  );
  const cursor = page?.next;
  assert.ok(cursor);
  const read = (wallet: StatedWallet, period: Period, given: StatementCursor) =>
    readStatementPage(database, wallet, period, { cursor: given, limit: 1 }, new Date());
  assert.ok(await read(stated(buyer), today, cursor));
  assert.equal(await read(stated(other), today, cursor), undefined);
  const past = { from: new Date(0), to: today.from };
  assert.equal(await read(stated(buyer), past, cursor), undefined);
  assert.equal(await read(stated(buyer), today, { ...cursor, last: till0 }), undefined);
  assert.equal(await read(stated(buyer), today, { last: cursor.end, end: cursor.last }), undefined);
});

const till0 = '00000000-0000-4000-8000-000000000000';

/** Makes a wallet the dollar wallet of another merchant. */
async function giveWallet(walletId: bigint, merchantId: number): Promise<void> {
  await database.query(
    `with account as (
       update accounts set merchant_id = $1 where id = $2
     ),
     state as (
       update wallet_states set merchant_id = $1 where wallet_id = $2
     )
     update wallet_owners set merchant_id = $1, currency = 'USD' where account_id = $2`,
    [merchantId, walletId],
  );
}

test('marks change no statement, at any position and with any other wallets', async () => {
  const buyer = await openBuyer(database, 50_000n);
  const other = await openBuyer(database, 50_000n);
  await giveWallet(other.walletId, buyer.merchantId);
  const mixed: Buyer = { ...other, merchantId: buyer.merchantId };
  for (let turn = 0n; turn < 12n; turn += 1n) {
    await sell(turn % 3n === 0n ? mixed : buyer, 10n + turn);
    if (turn === 5n) await markStatements(database, 3);
  }
  // Earlier purchases of the test buyer belong to its own merchant.
  const before = await wholeOf(stated(buyer));
  const others = await wholeOf(stated(mixed));
  assert.ok((await markStatements(database, 2)) > 5);
  assert.equal(await markStatements(database, 2), 0);
  assert.deepEqual(await wholeOf(stated(buyer)), before);
  assert.deepEqual((await wholeOf(stated(mixed))).lines, others.lines);
  assertAddsUp(before);
  assert.deepEqual((await pagesOf(stated(buyer), 2)).lines, before.lines);
  const [middle] = before.lines.slice(4);
  assert.ok(middle);
  const first = await wholeOf(stated(buyer), { from: today.from, to: middle.at });
  const second = await wholeOf(stated(buyer), { from: middle.at, to: today.to });
  assert.equal(first.closing, second.opening);
  assert.deepEqual([...first.lines, ...second.lines], before.lines);
});

test('reads the statement of a quiet wallet of a busy merchant past movements of other wallets', async () => {
  const busy = await openBuyer(database, 50_000n);
  const other = await openBuyer(database, 50_000n);
  await giveWallet(other.walletId, busy.merchantId);
  const quiet: Buyer = { ...other, merchantId: busy.merchantId };
  const much = () =>
    database.query(
      `insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
       select $1, gen_random_uuid(), 'correction', $2, (select min(id) from accounts where id <> $2), 1
       from generate_series(1, 10000)`,
      [busy.merchantId, busy.walletId],
    );
  await sell(quiet, 10n, 20n);
  await much();
  await sell(quiet, 30n);
  await much();
  await database.query('analyze transfers');
  const before = await wholeOf(stated(quiet));
  const pages = await pagesOf(stated(quiet), 1);
  const read = async (): Promise<number> => {
    let looked = 0;
    const counting: Database = Object.create(database, {
      query: {
        value: (...given: Parameters<Database['query']>) => counting.transaction((tx) => tx.query(...given)),
      },
      transaction: {
        value: async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
          const done: T[] = [];
          looked += await lookedAt(database, ['transfers'], async (tx) => done.push(await work(tx)));
          return done[0] as T;
        },
      },
    });
    assert.deepEqual((await wholeOf(stated(quiet), today, counting)).lines, before.lines);
    assert.deepEqual(await pagesOf(stated(quiet), 1, undefined, counting), pages);
    return looked;
  };
  assert.deepEqual(pages.lines, before.lines);
  assert.equal(before.lines.length, 3);
  await markStatements(database, 100);
  const looked = await read();
  assert.ok(looked < 10_000, `${looked} were looked at`);
});

test('a past day waits for transactions stamped within it, and then never changes', async () => {
  const buyer = await openBuyer(database, 1_000n);
  const corrections = await accountOf(database);
  const locked = Promise.withResolvers<Date>();
  const mayEnd = Promise.withResolvers<void>();
  const slow = database.transaction(async (tx) => {
    locked.resolve(await move(tx, buyer, corrections));
    await mayEnd.promise;
  });
  const stampedAt = await locked.promise;
  const day: Period = { from: today.from, to: new Date(stampedAt.getTime() + 1) };
  while (Date.now() <= day.to.getTime()) await new Promise((resolve) => setImmediate(resolve));
  const read = wholeOf(stated(buyer), day);
  const early = await Promise.race([read, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))]);
  assert.equal(early, 'waits');
  mayEnd.resolve();
  await slow;
  const closed = await read;
  assert.equal(closed.closing, 993n);
  await sell(buyer, 100n);
  assert.deepEqual(await wholeOf(stated(buyer), day), closed);
  assert.equal((await wholeOf(stated(buyer), { from: day.to, to: today.to })).opening, 993n);
});

test('transfers of a wallet have times in the order of their ids, whichever transaction began first', async () => {
  const buyer = await openBuyer(database, 1_000n);
  const corrections = await accountOf(database);
  const began = Promise.withResolvers<void>();
  const mayMove = Promise.withResolvers<void>();
  const first = database.transaction(async (tx) => {
    await tx.query('select now()');
    began.resolve();
    await mayMove.promise;
    await move(tx, buyer, corrections);
  });
  await began.promise;
  await database.transaction((tx) => move(tx, buyer, corrections));
  mayMove.resolve();
  await first;
  // In the database, for its times are finer than a Date.
  const order = await database.query(
    `select count(*)::integer as transfers, count(*) filter (where back)::integer as back
     from (
       select created_at < lag(created_at) over (order by id) as back
       from transfers
       where merchant_id = $1
     ) as stamped`,
    [buyer.merchantId],
  );
  assert.deepEqual(order, [{ transfers: 3, back: 0 }]);
});

test('makes days add up even if a clock was set back, with marks and without', async () => {
  const buyer = await openBuyer(database, 0n);
  const corrections = await accountOf(database);
  const start = Date.now() - 1_800_000;
  for (const second of [1, 2, 5, 3, 6, 4, 7]) {
    await database.query(
      `insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, created_at)
       values ($1, gen_random_uuid(), 'correction', $2, $3, $4, $5)`,
      [buyer.merchantId, corrections, buyer.walletId, second, new Date(start + second * 1_000)],
    );
  }
  const days = async () => {
    const bounds = [0, 2, 3, 4, 5, 6, 7, 9].map((second) => new Date(start + second * 1_000));
    const found: bigint[][] = [];
    for (const [index, to] of bounds.entries()) {
      const day = await wholeOf(stated(buyer), { from: bounds[index - 1] ?? today.from, to });
      assertAddsUp(day);
      found.push([day.opening, day.closing]);
    }
    assert.ok(found.every(([opening], index) => index === 0 || opening === found[index - 1]?.[1]));
    assert.equal(found.at(-1)?.[1], 28n);
    return found;
  };
  const unmarked = await days();
  assert.ok((await markStatements(database, 1)) >= 7);
  assert.deepEqual(await days(), unmarked);
});

async function accountOf(sql: Database): Promise<bigint> {
  const [row] = await sql.query<{ id: bigint }>(
    `select id from accounts where code = 'corrections:live:NGN'`,
  );
  assert.ok(row);
  return row.id;
}

/** Takes seven kobo off the wallet and returns the time. */
async function move(tx: Tx, buyer: Buyer, corrections: bigint): Promise<Date> {
  await lockWallets(tx, buyer.merchantId, [buyer.walletId]);
  await changeWallet(tx, buyer.walletId, { posted: -7n });
  const [row] = await tx.query<{ created_at: Date }>(
    `insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount)
     values ($1, gen_random_uuid(), 'correction', $2, $3, 7)
     returning created_at`,
    [buyer.merchantId, buyer.walletId, corrections],
  );
  assert.ok(row);
  return row.created_at;
}
