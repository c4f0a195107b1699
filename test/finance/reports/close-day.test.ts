/** A day is closed once, to the kobo, and never changes. Later changes are listed separately. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatAmount } from '../../../src/core/money.ts';
import { closeDay } from '../../../src/finance/reports/operations/close-day.ts';
import { operator } from '../../cli/harness.ts';
import { beginRollUpAt } from '../../support/played-clock.ts';
import { playDay } from '../../support/played-day.ts';
import { rawBalances, rawSales } from '../../support/raw-day.ts';
import { refusedBySchema } from '../../support/refusals.ts';

const day = '2026-11-10';
const nextDay = '2026-11-11';
const cli = await operator();
after(() => cli[Symbol.asyncDispose]());
const { database } = cli;
const played = await playDay(database, { day, purchases: 400, seed: 7 });
const actor = { name: 'ada', principal: 'user:ada', edge: 'cli' } as const;
const live = (chosen: string) => ({ environment: 'live', day: chosen }) as const;

test('does not close a day while a transaction may still store a row in it', async () => {
  await database.transaction(async (tx) => {
    // As a batch whose process is stopped: it has the lock, and has stored nothing yet.
    await tx.query('lock table transfers in row exclusive mode');
    const ran = await cli.oja('day', 'close', day);
    assert.deepEqual([ran.code, ran.refused], [1, 'day_still_written']);
  });
});

test('does not close a day that is not over', async () => {
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
  const ran = await cli.oja('day', 'close', today);
  assert.deepEqual([ran.code, ran.refused], [1, 'day_not_over']);
  assert.match(ran.err, / 00:05:00\b/);
  assert.equal((await cli.oja('day', 'close', 'yesterday')).code, 2);
  assert.equal((await cli.oja('day', 'show', day)).code, 1);
});

test('leaves nothing behind when a closing dies before its commit', async () => {
  const dying: typeof database = {
    ...database,
    query: database.query.bind(database),
    transaction: (work, options) =>
      database.transaction(async (tx) => {
        const result = await work(tx);
        const [row] = await tx.query<{ closed: number }>(
          'select count(*)::integer as closed from closed_days',
        );
        if (row?.closed === 1) throw new Error('killed');
        return result;
      }, options),
  };
  await assert.rejects(closeDay(dying, live(day), actor), /killed/);
  const left = await database.query(`
    select 1 from closed_days
    union all select 1 from closed_balances
    union all select 1 from audit_log where action = 'day.close'`);
  assert.deepEqual(left, []);
});

test('does not close a day whose sums differ from the ledger', async () => {
  for (const [spoil, mend, what] of [
    [
      `update report_sales set charge = charge + 1 where (merchant_id, product, network, provider) = (select merchant_id, product, network, provider from report_sales where successes > 0 limit 1)`,
      `update report_sales set charge = charge - 1 where (merchant_id, product, network, provider) = (select merchant_id, product, network, provider from report_sales where successes > 0 limit 1)`,
      /\bcharge\b/,
    ],
    [
      'update report_balances set balance = balance + 5 where account_id = (select min(account_id) from report_balances)',
      'update report_balances set balance = balance - 5 where account_id = (select min(account_id) from report_balances)',
      / \S+:live:NGN /,
    ],
  ] as const) {
    await database.query(spoil);
    const ran = await cli.oja('day', 'close', day);
    assert.deepEqual([ran.code, ran.refused], [1, 'day_disagrees']);
    assert.match(ran.err, what);
    await database.query(mend);
  }
  assert.deepEqual(await cli.json('day', 'list'), []);
});

test('closes a day once when two close it at the same time, with the sums of the raw rows', async () => {
  const both = await Promise.all([
    closeDay(database, live(day), actor),
    closeDay(database, live(day), actor),
  ]);
  assert.deepEqual(both.map(({ changed }) => changed).sort(), [false, true]);
  assert.equal(both[0].closed.hash, both[1].closed.hash);
  const again = await cli.json('day', 'close', day);
  assert.equal(again.changed, false);
  const entries = await database.query("select from audit_log where action = 'day.close'");
  assert.equal(entries.length, 1);

  const shown = await cli.json('day', 'show', day);
  const raw = (await rawSales(database, day, () => 'all')).get('all');
  assert.ok(raw);
  const [total] = shown.totals;
  assert.deepEqual(
    [shown.intact, total.purchases, total.successes, total.face_value, total.charge, total.cost],
    [true, raw.purchases, raw.successes, ...[raw.face_value, raw.charge, raw.cost].map(formatAmount)],
  );
  assert.equal(total.purchases + total.pending, 400);
  const frozen = await database.query<{ code: string; balance: bigint }>(
    'select a.code, b.balance from closed_balances b join accounts a on a.id = b.account_id order by a.code',
  );
  assert.deepEqual(
    frozen.map(({ code, balance }) => [code, balance]),
    [...(await rawBalances(database, day))].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
});

test('reports a day as closed before when another closes it at the same moment', async () => {
  const chosen = { environment: 'test', day } as const;
  let asked = 0;
  const late: typeof database = Object.create(database, {
    query: {
      value: async (...query: Parameters<typeof database.query>) => {
        const rows = await database.query(...query);
        asked += 1;
        if (asked === 1) assert.equal((await closeDay(database, chosen, actor)).changed, true);
        return rows;
      },
    },
  });
  const { changed, closed } = await closeDay(late, chosen, actor);
  assert.deepEqual([changed, closed.day], [false, day]);
  assert.ok(asked > 1);
});

test('closes days in order, and days before the first with it', async () => {
  assert.equal((await cli.oja('day', 'close', '2026-11-12')).refused, 'day_out_of_order');
  assert.equal((await cli.oja('day', 'close', '2026-11-09')).refused, 'day_before_first');
});

test('books and lists later changes on later days, and keeps the closed day', async () => {
  const before = await cli.json('day', 'show', day);
  await beginRollUpAt(database, new Date(`${day}T23:00:00Z`));
  await played.playNextMorning();
  const next = await cli.json('report', '--from', nextDay, '--to', nextDay);
  assert.ok(next.totals[0].purchases > 0 && next.agrees);
  const { later, ...shown } = await cli.json('day', 'show', day);
  const { later: none, ...same } = before;
  assert.deepEqual([none, shown], [[], same]);
  const kinds = new Set(later.map(({ kind }: { kind: string }) => kind));
  assert.ok(kinds.has('success') && kinds.has('failed') && kinds.has('refund'));
  const sum = (...wanted: string[]): number =>
    later
      .filter(({ kind }: { kind: string }) => wanted.includes(kind))
      .reduce((all: number, { count }: { count: number }) => all + count, 0);
  assert.equal(sum('success', 'failed'), next.totals[0].purchases);
  assert.equal(sum('refund'), next.totals[0].refunds);
  // Pending at the end of the closed day were those, and the one that still is.
  assert.equal(before.totals[0].pending, next.totals[0].purchases + 1);
});

test('refuses changes of a closed day, and detects a forced one', async () => {
  for (const statement of [
    `update report_sales set charge = charge + 1 where day = '${day}'`,
    `update report_sales set day = '${day}', accepted_day = '2026-01-01' where day = '${nextDay}'`,
    `update report_sales set day = '${nextDay}', accepted_day = '2026-01-01' where day = '${day}'`,
    `delete from report_ledger where day = '${day}'`,
    `insert into report_ledger select * from report_ledger where day = '${day}' on conflict on constraint report_ledger_pkey do update set count = excluded.count + 1`,
    `insert into report_refunds select environment, '2026-11-01', sale_day, kind, merchant_id, product, network, plan_kind, provider, currency, 1, 1 from report_refunds limit 1`,
    'update closed_days set closed_by = null',
    'delete from closed_balances',
    'truncate report_times',
  ])
    await assert.rejects(database.query(statement), refusedBySchema);
  await closeDay(database, live(nextDay), actor);
  assert.deepEqual(
    (await cli.json('day', 'list')).map((row: { day: string }) => row.day),
    [nextDay, day],
  );
  const [first, second] = [await cli.json('day', 'show', day), await cli.json('day', 'show', nextDay)];
  assert.equal(second.previous_hash, first.hash);
  await database.query(`
    alter table report_sales disable trigger report_sales_closed_update;
    update report_sales set charge = charge + 1 where day = '${nextDay}';
    alter table report_sales enable always trigger report_sales_closed_update`);
  const spoilt = await cli.oja('day', 'show', nextDay, '--json');
  assert.deepEqual([spoilt.code, JSON.parse(spoilt.out).data.intact], [1, false]);
});
