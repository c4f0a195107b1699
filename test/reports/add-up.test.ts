/**
 * Purchases and transfers are added up once, whatever dies, whoever commits late, and whichever of
 * the two parts they are in: history or rounds.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { formatDay, systemClock } from '../../src/kernel/clock.ts';
import { catchUp, ReportAddition } from '../../src/reports/add-up.ts';
import { readMark } from '../../src/reports/mark-store.ts';
import { showSuccessOperation } from '../../src/reports/operations/show-success.ts';
import { sell } from '../margins/money.ts';
import { createTestDatabase } from '../support/database.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../vending/fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const buyer = await openBuyer(database, 1_000_000_00n);

async function catchUpAll(on: Pick<Database, 'transaction'> = database): Promise<void> {
  await catchUp(on, { withinMs: 60_000 });
}

/** Successes, their charge, what the ledger has of it, and the successes of the last day. */
async function sums(): Promise<string> {
  const [row] = await database.query<{ sums: string }>(`
    select concat_ws(' ',
      (select sum(successes) from report_sales),
      (select sum(charge) from report_sales),
      (select sum(amount) from report_ledger where code in ('vend_cost', 'vend_margin')),
      (select sum(count) from recent_outcomes where delivered)
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
  assert.equal(await sums(), '3 300 300 3');
  await catchUpAll();
  assert.equal(await sums(), '3 300 300 3');
  assert.equal((await readMark(database)).historyTo, null);
});

test('a sale is added once though it is committed after younger ones, and its round', async () => {
  const slow = await openBuyer(database, 1_000_00n);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: isStored, resolve: stored } = Promise.withResolvers<void>();
  let startedAt = new Date(0);
  const late = database.transaction(async (tx) => {
    const [row] = await tx.query<{ now: Date }>('select now()');
    startedAt = row?.now ?? startedAt;
    await sell(database, tx, slow, one);
    stored();
    await held;
  });
  await isStored;
  try {
    await sell(database, database, buyer, one);
    await catchUpAll();
    assert.equal(await sums(), '4 400 400 4');
    // So a day cannot be closed before what began on it has ended.
    assert.ok((await readMark(database)).fromAt < startedAt);
  } finally {
    release();
    await late;
  }
  await catchUpAll();
  assert.equal(await sums(), '5 500 500 5');
  await catchUpAll();
  assert.equal(await sums(), '5 500 500 5');
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
  assert.equal(await sums(), '7 700 700 7');
});

test('after the clock of the database was set back, sales are found', async () => {
  await database.query("update report_mark set from_at = now() + interval '1 hour'");
  await sell(database, database, buyer, one);
  await catchUpAll();
  assert.equal(await sums(), '8 800 800 8');
});

/** As if a purchase had become final then, and its transfers had these times. */
async function setTimes(
  id: string | undefined,
  { at, cost, margin }: { at: string; cost: string; margin: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `update transfers
       set created_at = (case code when 'vend_cost' then $2 else $3 end)::timestamptz
       where subject_id = $1`,
      [id, cost, margin],
    );
    await tx.query('update vend_outcomes set at = $2 where vend_id = $1', [id, at]);
  });
}

test('a purchase that a midnight comes between belongs to the day of its first transfer', async () => {
  const [before, after] = await sell(database, database, buyer, one, { charge: 5_00n, cost: 4_97n });
  await setTimes(before, {
    at: '2026-11-01 22:59:59.9998Z',
    cost: '2026-11-01 22:59:59.9999Z',
    margin: '2026-11-01 23:00:00.0001Z',
  });
  await setTimes(after, {
    at: '2026-11-03 22:59:59.9998Z',
    cost: '2026-11-03 23:00:00.0000Z',
    margin: '2026-11-03 23:00:00.0001Z',
  });
  await database.query("update report_mark set from_at = '2026-11-01'");
  await catchUpAll();
  const booked = await database.query<{ line: string }>(
    `select concat_ws(' ', day, code, amount) as line
     from report_ledger
     where day < '2026-11-06'
     order by line`,
  );
  assert.deepEqual(
    booked.map(({ line }) => line),
    [
      '2026-11-01 vend_cost 97',
      '2026-11-01 vend_margin 3',
      '2026-11-04 vend_cost 497',
      '2026-11-04 vend_margin 3',
    ],
  );
  const sold = await database.query<{ line: string }>(
    `select concat_ws(' ', day, charge) as line
     from report_sales
     where day < '2026-11-06'
     order by line`,
  );
  assert.deepEqual(
    sold.map(({ line }) => line),
    ['2026-11-01 100', '2026-11-04 500'],
  );
  assert.ok(formatDay(new Date()) > '2026-11-06');
});

describe('how much each provider delivered', () => {
  const day = 24 * 60;

  /** Became final so many minutes ago. */
  async function end(kind: 'success' | 'failed', minutesAgo: number, latencyMs = 3): Promise<void> {
    const item = purchase(buyer, 1_00n, { network: 'GLO' });
    await accept(database, item);
    const said = answer(buyer, item, kind);
    await resolveWords(database, { ...said, answer: { ...said.answer, latencyMs } });
    await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query("update vend_outcomes set at = now() - $2 * interval '1 minute' where vend_id = $1", [
        item.id,
        minutesAgo,
      ]);
    });
  }

  async function ask(minutesLater = 0) {
    const clock = { now: () => new Date(Date.now() + minutesLater * 60_000), elapsedMs: () => 0 };
    const told = await showSuccessOperation.run({ sql: database, clock }, { by: 'route' });
    return { ...told, glo: told.data.find(({ network }) => network === 'GLO') };
  }

  before(async () => {
    await end('success', 10);
    await end('failed', 30, 3_500);
    await end('success', 5 * 60);
    await end('success', day - 10);
    await end('success', day + 20);
    await end('failed', day + 90);
    await database.query("update report_mark set from_at = now() - interval '2 days'");
    await catchUpAll();
  });

  it('rolls on with the clock: what ended 24 hours ago is not told any more', async () => {
    const { glo } = await ask();
    assert.deepEqual(glo?.hour, { successes: 1, failures: 1, success_rate: '50.00' });
    assert.deepEqual(glo?.day, { successes: 3, failures: 1, success_rate: '75.00' });
    assert.equal(glo?.latency_p95_ms, 3_500);
    assert.deepEqual((await ask(20)).glo?.day, { successes: 2, failures: 1, success_rate: '66.66' });
    assert.deepEqual((await ask(60)).glo?.hour, { successes: 0, failures: 0, success_rate: null });
    assert.equal((await ask(2 * day)).glo, undefined);
  });

  it('counts each purchase once: what it tells is what the raw outcomes are', async () => {
    const { data, day_from: from } = await ask();
    const raw = await database.query<{ network: string; successes: number; failures: number }>(
      `select
         v.network,
         count(*) filter (where o.status = 'success')::integer as successes,
         count(*) filter (where o.status = 'failed')::integer as failures
       from vend_outcomes o
       join vends v on v.id = o.vend_id
       where o.at >= $1
       group by v.network
       order by v.network`,
      [from],
    );
    assert.deepEqual(
      data.map(({ network, day: { successes, failures } }) => ({ network, successes, failures })),
      raw,
    );
  });

  it('gives a provider whole, one alone, and nothing of one that sold nothing', async () => {
    const run = async (input: object) =>
      (await showSuccessOperation.run({ sql: database, clock: systemClock }, { by: 'provider', ...input }))
        .data;
    const [all] = await run({});
    assert.deepEqual([all?.provider, all?.product, all?.network], ['sandbox', null, null]);
    assert.deepEqual([all?.day.failures, all?.latency_p95_ms], [1, 3_500]);
    assert.deepEqual(await run({ provider: 'sandbox' }), [all]);
    assert.deepEqual(await run({ provider: 'nobody' }), []);
  });

  it('says where what came before an upgrade is missing', async () => {
    const completeFrom = async (hoursAgo: number) => {
      await database.query("update report_mark set recent_from = now() - $1 * interval '1 hour'", [hoursAgo]);
      return (await ask()).complete;
    };
    assert.equal((await ask()).complete, true);
    assert.equal(await completeFrom(23), false);
    assert.equal(await completeFrom(25), true);
  });

  it('keeps what is older than it tells for an hour, and no longer', async () => {
    const slots = async () =>
      (await database.query("select from recent_outcomes where network = 'GLO'")).length;
    assert.equal(await slots(), 5);
    await database.query(
      "update recent_outcomes set slot = slot - interval '25 hours' where network = 'GLO'",
    );
    await catchUpAll();
    assert.equal(await slots(), 0);
    assert.ok((await ask()).data.length > 0);
  });
});
