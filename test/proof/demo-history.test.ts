/**
 * The demo's week of history: played once and whole, also where its first start is killed or
 * another gateway starts beside it; it holds before the audit, and everything shows it.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { historySetting } from '../../src/app/demo/history-setting.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { listTimeDefaults } from '../../src/db/played-time-store.ts';
import { readSetting } from '../../src/db/setting-store.ts';
import { formatDay, systemClock } from '../../src/kernel/clock.ts';
import { listClosedDays } from '../../src/reports/closed-day-store.ts';
import { showReportOperation } from '../../src/reports/operations/show-report.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Gateway, runGateway, startGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const clone = await createTestDatabase();
const { database, connectionString } = clone;
const dataDir = await mkdtemp(join(tmpdir(), 'oja-history-'));
const settings = {
  DATABASE_URL: connectionString,
  OJA_DATA_DIR: dataDir,
  OJA_ENCRYPTION_KEY: 'ab'.repeat(32),
  OJA_DEMO_HISTORY: 'week',
};
const defaults = await listTimeDefaults(database);
let gateway: Gateway | undefined;
after(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await clone[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

async function count(what: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(`select count(*)::integer as count from ${what}`);
  return row?.count ?? 0;
}

test('a first start that is killed while the week is played leaves nothing of it', async () => {
  await using killed = runGateway(settings);
  await untilPlaying();
  killed.kill('SIGKILL');
  await killed.exited;
  await untilIdle();
  assert.equal(await count('vends'), 0);
  assert.equal(await count("merchants where code <> 'DEMO'"), 0);
  assert.equal(await readSetting(database, historySetting.name), historySetting.due);
  assert.deepEqual(await listTimeDefaults(database), defaults);
});

test('the next start plays it once, though another gateway starts beside it', async () => {
  await using beside = runGateway({ ...settings, OJA_DATA_DIR: join(dataDir, 'beside') });
  gateway = await startGateway({ databaseUrl: connectionString, dataDir, settings });
  await beside.ready;
  assert.equal(await readSetting(database, historySetting.name), historySetting.done);
  assert.ok((await count('vends')) > 1_200);
  assert.equal(await count('merchants'), 6);
  assert.deepEqual(await listTimeDefaults(database), defaults);
});

test('its times are those of the week, and its ids begin with them', async () => {
  const [times] = await database.query<{ span: number; odd: number; late: number }>(
    `select
       extract(epoch from max(v.created_at) - min(v.created_at))::float8 / 86400 as span,
       (count(*) filter (
         where abs(('x' || left(replace(v.id::text, '-', ''), 12))::bit(48)::bigint
           - extract(epoch from v.created_at) * 1000) > 2
       ))::integer as odd,
       (count(*) filter (where o.at < v.created_at or o.at > now()))::integer as late
     from vends v
     left join vend_outcomes o
       on o.merchant_id = v.merchant_id
       and o.vend_id = v.id`,
  );
  assert.ok(times !== undefined && times.span > 6.5 && times.span < 8.1);
  assert.deepEqual([times.odd, times.late], [0, 0]);
});

test('the audit holds, and the search and the feed have caught up', async () => {
  const checks = await runAudit(database);
  assert.deepEqual(
    checks.filter((check) => !check.ok),
    [],
  );
});

test('the report of the week has every product, each provider, refunds, and the same as the ledger', async () => {
  const [first] = await database.query<{ at: Date }>('select min(created_at) as at from vends');
  assert.ok(first !== undefined);
  const report = await showReportOperation.run(
    { sql: database, database, clock: systemClock },
    { environment: 'live', from: formatDay(first.at), by: 'product,provider', limit: 1_000 },
  );
  assert.equal(report.agrees, true);
  const text = JSON.stringify(report);
  const all = ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING', 'EDUCATION', 'GIFTCARD', 'ESIM'];
  for (const word of [...all, 'vtpass', 'nomba', 'reloadly', 'esimaccess'])
    assert.ok(text.includes(word), word);
});

test('the older days are closed, and something is open for whoever comes', async () => {
  // Days are closed, and floats looked at, once the gateway listens.
  await until('six days are closed', async () => {
    return (await listClosedDays(database, 'live', { before: undefined, limit: 20 })).length >= 6;
  });
  for (const [what, least] of [
    ['pending_vends where flagged_at is not null', 1],
    ['late_goods', 1],
    ['deposits where merchant_id is null', 1],
    // Others come and go with the hour: somebody looks at them in the evening.
    ["alarms where acknowledged_at is null and kind = 'overdue'", 1],
    ["alarms where acknowledged_at is null and kind = 'deposit_suspense'", 1],
    ['attempts where number > 1', 10],
    ['vend_refunds', 10],
    ["deliveries where state = 'sent'", 5],
    ["deliveries where state = 'refused'", 1],
    ['voucher_redemptions', 1],
    ["audit_log where action = 'catalog.change'", 1],
  ] as const) {
    await until(what, async () => (await count(what)) >= least);
  }
  const people = await database.query<{ actor: string }>('select distinct actor from audit_log');
  for (const name of ['ada', 'ngozi', 'tunde'])
    assert.ok(
      people.some(({ actor }) => actor === name),
      name,
    );
});

test('a later start adds nothing', async () => {
  const before = await Promise.all(['vends', 'transfers', 'merchants', 'closed_days'].map(count));
  await gateway?.[Symbol.asyncDispose]();
  gateway = await startGateway({ databaseUrl: connectionString, dataDir, settings });
  const [vends, , merchants, days] = await Promise.all(
    ['vends', 'transfers', 'merchants', 'closed_days'].map(count),
  );
  assert.deepEqual([vends, merchants, days], [before[0], before[2], before[3]]);
});

test('where none is wanted none is played, then or later', async () => {
  await using other = await createTestDatabase();
  const folder = join(dataDir, 'none');
  for (const wanted of ['none', 'week']) {
    await using plain = runGateway({
      ...settings,
      DATABASE_URL: other.connectionString,
      OJA_DATA_DIR: folder,
      OJA_DEMO_HISTORY: wanted,
    });
    await plain.ready;
    const [row] = await other.database.query<{ count: number }>(
      'select count(*)::integer as count from vends',
    );
    assert.equal(row?.count, 0);
    assert.equal(await readSetting(other.database, historySetting.name), historySetting.none);
  }
});

/** The week is played in one transaction, which has the table of purchases to itself. */
async function untilPlaying(): Promise<void> {
  for (;;) {
    const held = await count(
      `pg_locks
       where database = (select oid from pg_database where datname = current_database())
       and relation = 'vends'::regclass
       and mode = 'AccessExclusiveLock'
       and granted`,
    );
    if (held > 0) return;
    await sleep(20);
  }
}

/** The server notices a client that is gone, and takes back what it had begun. */
async function untilIdle(): Promise<void> {
  while (
    (await count(
      'pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null',
    )) > 0
  )
    await sleep(50);
}
