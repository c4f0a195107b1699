/** Purchases and transfers are rolled up once, despite crashes, late commits and clock changes. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatDay } from '../../../src/core/clock.ts';
import type { Database, Queries } from '../../../src/db/database.ts';
import { catchUp, RollUp } from '../../../src/finance/reports/roll-up.ts';
import { lockRollUp, readCheckpoint, rollUpSlice } from '../../../src/finance/reports/roll-up-store.ts';
import { sell } from '../../catalog/margins/money.ts';
import { openBuyer } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { beginRollUpAt } from '../../support/played-clock.ts';
import { until } from '../../support/until.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

async function catchUpAll(on: Queries = database): Promise<void> {
  await catchUp(on, { withinMs: 60_000 });
}

/** Successes, their charge, the charge in the ledger, and the successes of slots and the total. */
async function sums(): Promise<string> {
  const [row] = await database.query<{ sums: string }>(`
    select concat_ws(' ',
      (select sum(successes) from report_sales),
      (select sum(charge) from report_sales),
      (select sum(amount) from report_ledger where code in ('purchase_cost', 'purchase_margin')),
      (select sum(count) from recent_outcomes where delivered),
      (select sum(amount) from money_totals where kind = 'charge')
    ) as sums`);
  return row?.sums ?? '';
}

const one = { charge: 1_00n, cost: 97n };

/** A sale whose transaction stays open until it is released. */
async function sellLate(): Promise<{ readonly release: () => Promise<void> }> {
  const slow = await openBuyer(database, 1_000_00n);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: isStored, resolve: stored } = Promise.withResolvers<void>();
  const late = database.transaction(async (tx) => {
    await sell(database, tx, slow, one);
    stored();
    await held;
  });
  await isStored;
  return {
    release: async () => {
      letGo();
      await late;
    },
  };
}

test('rolls up a sale once, however often it runs', async () => {
  await sell(database, database, buyer, one, one);
  await catchUpAll();
  await sell(database, database, buyer, one);
  await catchUpAll();
  assert.equal(await sums(), '3 300 300 3 300');
  await catchUpAll();
  assert.equal(await sums(), '3 300 300 3 300');
});

test('waits for an uncommitted sale, and then rolls it up', async () => {
  const job = new RollUp();
  await job.run(database);
  const late = await sellLate();
  try {
    await sell(database, database, buyer, one);
    await catchUpAll();
    await job.run(database);
    await job.run(database);
    const [sold] = await database.query<{ after: bigint }>(
      'select count(*) as after from purchase_outcomes where at >= $1',
      [await readCheckpoint(database)],
    );
    // The younger sale, which is committed, is not rolled up either: the other may have its time.
    assert.deepEqual([await sums(), sold?.after], ['3 300 300 3 300', 1n]);
  } finally {
    await late.release();
  }
  await job.run(database);
  await catchUpAll();
  assert.equal(await sums(), '5 500 500 5 500');
});

test('does not wait for a transaction that only reads', async () => {
  await database.transaction(
    async (tx) => {
      await tx.query('select from purchase_outcomes limit 1');
      await tx.query('select from transfers limit 1');
      await sell(database, database, buyer, one);
      await catchUpAll();
    },
    { isolation: 'repeatable read' },
  );
  assert.equal(await sums(), '6 600 600 6 600');
});

test('adds each sale once when two roll up at the same time and one dies before its commit', async () => {
  await sell(database, database, buyer, one, one);
  const dying: Queries = {
    query: database.query.bind(database),
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        await work(tx);
        throw new Error('killed');
      }, options),
  };
  await assert.rejects(catchUpAll(dying), /killed/);
  assert.equal(await sums(), '6 600 600 6 600');
  await Promise.all([catchUpAll(), new RollUp().run(database), catchUpAll()]);
  assert.equal(await sums(), '8 800 800 8 800');
});

test('settles no moment when the clock goes back while a sale is open', async () => {
  const job = new RollUp();
  let backMs = 0;
  const shifted: Queries = {
    query: async <R extends object>(...asked: Parameters<Database['query']>) => {
      const rows = await database.query<{ at: Date }>(...asked);
      const isClock = String(asked[0]).startsWith('select clock_timestamp()');
      return (isClock ? rows.map(({ at }) => ({ at: new Date(at.getTime() - backMs) })) : rows) as R[];
    },
    transaction: database.transaction.bind(database),
  };
  const first = await sellLate();
  await job.run(shifted);
  await first.release();
  const before = await readCheckpoint(database);
  const second = await sellLate();
  try {
    backMs = 60_000;
    await job.run(shifted);
    assert.deepEqual(await readCheckpoint(database), before);
  } finally {
    await second.release();
  }
  await catchUpAll();
  assert.equal(await sums(), '10 1000 1000 10 1000');
});

test('waits for a prepared transaction, which keeps its locks under another name', async () => {
  const job = new RollUp();
  const late = await sellLate();
  let writers: { readonly writer: string }[] | undefined;
  const prepared: Queries = {
    query: async <R extends object>(...asked: Parameters<Database['query']>) => {
      const told = String(asked[0]).includes('pg_locks') ? writers : undefined;
      return (told ?? (await database.query(...asked))) as R[];
    },
    transaction: database.transaction.bind(database),
  };
  await job.run(prepared);
  await late.release();
  const before = await readCheckpoint(database);
  writers = [{ writer: '-1/700' }];
  await job.run(prepared);
  assert.deepEqual(await readCheckpoint(database), before);
  // A sale in the same millisecond, or an answer that arrived late, waits for a further run.
  let turn = 0;
  await until('the sale is rolled up', async () => {
    turn += 1;
    writers = [{ writer: `${900 + turn}/1` }];
    await job.run(prepared);
    return (await sums()) !== '10 1000 1000 10 1000';
  });
  assert.equal(await sums(), '11 1100 1100 11 1100');
});

test('gives a sale after the clock was set back the time of the checkpoint, and rolls it up', async () => {
  const ahead = new Date(Date.now() + 3_600_000);
  await beginRollUpAt(database, ahead);
  const [id] = await sell(database, database, buyer, one);
  const [sold] = await database.query<{ at: Date }>(
    'select at from purchase_outcomes where purchase_id = $1',
    [id],
  );
  assert.deepEqual(sold?.at, ahead);
  await catchUpAll();
  assert.equal(await sums(), '11 1100 1100 11 1100');
  // The clock has reached it.
  await database.transaction(async (tx) => {
    await lockRollUp(tx, { waits: true });
    await rollUpSlice(tx, new Date(ahead.getTime() + 1_000), 60);
  });
  assert.equal(await sums(), '12 1200 1200 12 1200');
});

test('gives a purchase and its transfers the same time and day', async () => {
  const [apart] = await database.query<{ count: bigint }>(
    `select count(*) as count
     from purchase_outcomes o
     join transfers t on t.subject_id = o.purchase_id
     where t.created_at <> o.at`,
  );
  assert.equal(apart?.count, 0n);
  const [id] = await sell(database, database, buyer, { charge: 5_00n, cost: 4_97n });
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query("update transfers set created_at = '2026-11-03 23:00Z' where subject_id = $1", [id]);
    await tx.query("update purchase_outcomes set at = '2026-11-03 23:00Z' where purchase_id = $1", [id]);
    await beginRollUpAt(tx, new Date('2026-11-03T22:59:00Z'));
    await rollUpSlice(tx, new Date('2026-11-04T00:00:00Z'), 86_400);
  });
  const booked = await database.query<{ line: string }>(
    `select concat_ws(' ', day, code, amount) as line
     from report_ledger
     where day < '2026-11-06'
     union all
     select concat_ws(' ', day, 'charge', charge)
     from report_sales
     where day < '2026-11-06'
     order by line`,
  );
  assert.deepEqual(
    booked.map(({ line }) => line),
    ['2026-11-04 charge 500', '2026-11-04 purchase_cost 497', '2026-11-04 purchase_margin 3'],
  );
  assert.ok(formatDay(new Date()) > '2026-11-06');
});

test('books a sale that waited for the lock of a table at a time after the wait', async () => {
  const slow = await openBuyer(database, 1_000_00n);
  let selling: Promise<string[]> | undefined;
  const free = await database.transaction(async (tx) => {
    await tx.query('lock table purchase_outcomes in share mode');
    selling = sell(database, database, slow, one);
    for (;;) {
      const waiting = await tx.query(
        "select from pg_locks where relation = 'purchase_outcomes'::regclass and not granted",
      );
      if (waiting.length === 0) continue;
      await tx.query('select pg_sleep(0.05)');
      const [now] = await tx.query<{ at: Date }>('select clock_timestamp() as at');
      return now?.at;
    }
  });
  const [id] = (await selling) ?? [];
  const [sold] = await database.query<{ after: boolean }>(
    'select at >= $2 as after from purchase_outcomes where purchase_id = $1',
    [id, free],
  );
  assert.equal(sold?.after, true);
});
