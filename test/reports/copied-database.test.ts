/**
 * In a copy of the database (a dump restored elsewhere) transactions begin anew: reports and money
 * metrics take nothing that comes for seen, and add nothing of what was copied a second time.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import type { Database, Tx } from '../../src/db/database.ts';
import {
  addSlice as addMoneySlice,
  beginRound as beginMoneyRound,
  lockMark as lockMoneyMark,
} from '../../src/margins/money-mark-store.ts';
import { addAll } from '../../src/reports/add-up.ts';
import { addSlice, beginRound, lockMark, nothingCounted } from '../../src/reports/mark-store.ts';
import { addUp, sell } from '../margins/money.ts';
import { createTestDatabase } from '../support/database.ts';
import { openBuyer } from '../vending/fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);
const one = { charge: 1_00n, cost: 97n };
const marked = ['vend_outcomes', 'transfers', 'vend_refunds', 'deposits'];

/**
 * What a dump that is loaded elsewhere makes of the database: every row is of one young
 * transaction, and marks tell of transactions of another server.
 */
async function copy({ transactions }: { transactions: string }): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    for (const table of marked) {
      await tx.query(`create temporary table dumped on commit drop as select * from ${table}`);
      await tx.query(`delete from ${table}`);
      await tx.query(`insert into ${table} overriding system value select * from dumped`);
      await tx.query('drop table dumped');
    }
    for (const mark of ['report_mark', 'money_marks']) {
      await tx.query(
        `update ${mark}
         set
           made_in = '1:1',
           seen = case when seen is not null then $1 end,
           cut = case when cut is not null then $1 end`,
        [transactions],
      );
    }
  });
}

async function addAllUp(): Promise<void> {
  await database.transaction((tx) => addAll(tx, nothingCounted));
  while ((await addUp(database)) > 0);
}

/** Successes that reports, ledger and metrics have, and those that there are. */
async function sums(on: Pick<Database, 'query'> = database): Promise<Record<string, bigint>> {
  const [row] = await on.query<Record<string, bigint>>(`
    select
      (select coalesce(sum(successes), 0)::bigint from report_sales) as reports,
      (select coalesce(sum(count), 0)::bigint from report_ledger where code = 'vend_cost') as ledger,
      (select coalesce(sum(count), 0)::bigint from recent_outcomes where delivered) as lately,
      (select coalesce(sum(count), 0)::bigint from money_totals where kind = 'charge') as metrics,
      (select count(*) from vend_outcomes where status = 'success') as sold`);
  return row ?? {};
}

async function expectAllOnce(): Promise<void> {
  const { sold, ...added } = await sums();
  assert.deepEqual(added, { reports: sold, ledger: sold, lately: sold, metrics: sold });
}

/** A sale whose transaction is open until it is told to commit, or is left. */
async function sellLate(): Promise<AsyncDisposable & { startedAt: Date; commit(): Promise<void> }> {
  const slow = await openBuyer(database, 1_000_00n);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: isStored, resolve: store } = Promise.withResolvers<Date>();
  const late = database.transaction(async (tx) => {
    const [row] = await tx.query<{ now: Date }>('select now()');
    await sell(database, tx, slow, one);
    store(row?.now ?? new Date(0));
    await held;
  });
  const commit = async (): Promise<void> => {
    release();
    await late;
  };
  return { startedAt: await isStored, commit, [Symbol.asyncDispose]: commit };
}

/** Begins rounds, and adds one slice of each: up to a little after that time. */
async function addPast(time: Date): Promise<void> {
  const to = new Date(time.getTime() + 2);
  const lengthOf = async (tx: Tx, mark: string): Promise<number> => {
    const [left] = await tx.query<{ seconds: number }>(
      `select extract(epoch from $1::timestamptz - place_at)::float8 as seconds from ${mark}`,
      [to],
    );
    return left?.seconds ?? 0;
  };
  await database.transaction(async (tx) => {
    await lockMark(tx, { waits: true });
    await beginRound(tx, nothingCounted);
    const { isLast } = await addSlice(tx, await lengthOf(tx, 'report_mark'));
    assert.equal(isLast, false);
  });
  await database.transaction(async (tx) => {
    await lockMoneyMark(tx, 'sales', { waits: true });
    await beginMoneyRound(tx, 'sales');
    const { isLast } = await addMoneySlice(
      tx,
      'sales',
      await lengthOf(tx, "money_marks where source = 'sales'"),
    );
    assert.equal(isLast, false);
  });
}

/** Whatever the copies' transactions are. */
const places = [
  { name: 'younger than all of the copy', transactions: '9000000000:9000000000:' },
  { name: 'older than all of the copy', transactions: '10:10:' },
];

describe('in a copy whose marks tell of transactions', () => {
  beforeEach(async () => {
    // The history is over at once.
    await database.query('update report_mark set history_to = null');
    await addAllUp();
  });

  for (const { name, transactions } of places) {
    it(`${name}: what was added is not added again, what was not is, and what comes`, async () => {
      await sell(database, database, buyer, one, one);
      await addAllUp();
      await sell(database, database, buyer, one);
      await copy({ transactions });
      await sell(database, database, buyer, one);
      await addAllUp();
      await expectAllOnce();
      await sell(database, database, buyer, one);
      await addAllUp();
      await expectAllOnce();
    });

    it(`${name}: a round that was in hand is begun anew`, async () => {
      await sell(database, database, buyer, one);
      await addAllUp();
      await sell(database, database, buyer, one);
      // Begun, and died before it added anything.
      for (const mark of ['report_mark', 'money_marks'])
        await database.query(
          `update ${mark} set cut = pg_current_snapshot()::text, place_at = from_at, next_from_at = now()`,
        );
      await copy({ transactions });
      // And copied again, before it was begun anew.
      await database.transaction((tx) => lockMark(tx, { waits: true }));
      await copy({ transactions });
      await sell(database, database, buyer, one);
      await addAllUp();
      await expectAllOnce();
    });

    it(`${name}: a round that has added a part of what it does not see whole`, async () => {
      await sell(database, database, buyer, one);
      await addAllUp();
      await sell(database, database, buyer, one);
      await using late = await sellLate();
      await sell(database, database, buyer, one);
      await addPast(late.startedAt);
      await late.commit();
      await copy({ transactions });
      await addAllUp();
      await expectAllOnce();
    });

    it(`${name}: with a clock that is behind`, async () => {
      await sell(database, database, buyer, one);
      await addAllUp();
      for (const mark of ['report_mark', 'money_marks'])
        await database.query(`update ${mark} set from_at = from_at + interval '1 minute'`);
      await copy({ transactions });
      // The fence lets no sale come before the first round.
      await addAllUp();
      await expectAllOnce();
      await sell(database, database, buyer, one);
      await addAllUp();
      await expectAllOnce();
      assert.deepEqual(await database.query('select mark from rows_added_before'), []);
    });
  }

  it('where nothing was copied, the late sale of such a round is added by the next one', async () => {
    await using late = await sellLate();
    await sell(database, database, buyer, one);
    await addPast(late.startedAt);
    await late.commit();
    await addAllUp();
    await addAllUp();
    await expectAllOnce();
  });

  it('marks of a version that did not remember where they were made are told by what never was here', async () => {
    await sell(database, database, buyer, one);
    await addAllUp();
    await copy({ transactions: '9000000000:9000000000:' });
    await database.query("update money_marks set made_in = null where source = 'sales'");
    await sell(database, database, buyer, one);
    await addAllUp();
    await expectAllOnce();
  });
});
