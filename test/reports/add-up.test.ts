/**
 * Purchases and transfers are added up once, whatever dies, whoever commits late, and whichever of
 * the two parts they are in: history or rounds.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { formatDay } from '../../src/kernel/clock.ts';
import { catchUp, ReportAddition } from '../../src/reports/add-up.ts';
import { readMark } from '../../src/reports/mark-store.ts';
import { sell } from '../margins/money.ts';
import { createTestDatabase } from '../support/database.ts';
import { openBuyer } from '../vending/fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

async function catchUpAll(on: Pick<Database, 'transaction'> = database): Promise<void> {
  await catchUp(on, { withinMs: 60_000 });
}

/** Successes, their charge, and what the ledger has of it, over all days. */
async function sums(): Promise<string> {
  const [row] = await database.query<{ sums: string }>(`
    select concat_ws(' ',
      (select sum(successes) from report_sales),
      (select sum(charge) from report_sales),
      (select sum(amount) from report_ledger where code in ('vend_cost', 'vend_margin'))
    ) as sums`);
  return row?.sums ?? '';
}

const one = { charge: 1_00n, cost: 97n };

test('what was there before is history, what comes is added in rounds, and nothing twice', async () => {
  // As if the upgrade came after the first sales.
  await sell(database, database, buyer, one, one);
  await database.query('update report_mark set began_at = now(), history_to = now(), from_at = now()');
  await sell(database, database, buyer, one);
  // Everything that could still write history has ended a second later.
  while ((await readMark(database)).historyTo !== null) await catchUpAll();
  assert.equal(await sums(), '3 300 300');
  await catchUpAll();
  assert.equal(await sums(), '3 300 300');
  assert.equal((await readMark(database)).historyTo, null);
});

test('a sale is added once though it is committed after younger ones, and its round', async () => {
  const slow = await openBuyer(database, 1_000_00n);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: isStored, resolve: stored } = Promise.withResolvers<void>();
  const startedAt = new Date();
  const late = database.transaction(async (tx) => {
    await sell(database, tx, slow, one);
    stored();
    await held;
  });
  await isStored;
  try {
    await sell(database, database, buyer, one);
    await catchUpAll();
    assert.equal(await sums(), '4 400 400');
    // So a day cannot be closed before what began on it has ended.
    assert.ok((await readMark(database)).fromAt < startedAt);
  } finally {
    release();
    await late;
  }
  await catchUpAll();
  assert.equal(await sums(), '5 500 500');
  await catchUpAll();
  assert.equal(await sums(), '5 500 500');
});

test('of two that add up at the same time, and one that dies before its commit, each is added once', async () => {
  await sell(database, database, buyer, one, one);
  let slices = 0;
  const dying: Pick<Database, 'transaction'> = {
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        slices += 1;
        if (slices === 2) throw new Error('killed');
        return result;
      }, options),
  };
  await database.query("update report_mark set from_at = now() - interval '1 hour'");
  await assert.rejects(catchUpAll(dying), /killed/);
  await Promise.all([catchUpAll(), new ReportAddition().run(database), catchUpAll()]);
  assert.equal(await sums(), '7 700 700');
});

test('after the clock of the database was set back, sales are found', async () => {
  await database.query("update report_mark set from_at = now() + interval '1 hour'");
  await sell(database, database, buyer, one);
  await catchUpAll();
  assert.equal(await sums(), '8 800 800');
});

test('transfers of one purchase that a midnight comes between belong to the day of the first', async () => {
  const [id] = await sell(database, database, buyer, one);
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `update transfers
       set created_at = case code when 'vend_cost' then timestamptz '2026-11-01 22:59:59.9999Z' else timestamptz '2026-11-01 23:00:00.0001Z' end
       where subject_id = $1`,
      [id],
    );
  });
  await database.query("update report_mark set from_at = '2026-11-01'");
  await catchUpAll();
  const days = await database.query<{ day: string; code: string }>(
    "select day::text as day, code from report_ledger where day < '2026-11-03' order by code",
  );
  assert.deepEqual(days, [
    { day: '2026-11-01', code: 'vend_cost' },
    { day: '2026-11-01', code: 'vend_margin' },
  ]);
  const [sale] = await database.query<{ day: string }>(
    "select day::text as day from report_sales where day < '2026-11-03'",
  );
  assert.equal(sale?.day, '2026-11-01');
  assert.notEqual(formatDay(new Date()), '2026-11-01');
});
