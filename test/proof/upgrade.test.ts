/**
 * An upgrade while merchants buy: the previous release's process serves while this one migrates the
 * database beside it, then both serve, then the old one goes. Nobody gets an answer of 500 and
 * above, nothing is lost or bought twice, and the books are right.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditVends } from '../../src/audit/audit-vends.ts';
import { verifyAuditLog } from '../../src/audit-log/verify-audit-log.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Fixture, openLoadedFixture } from '../crash/fixture.ts';
import type { KeyPair } from '../support/gateway.ts';
import { fetchPlans, tally } from '../support/load.ts';
import { openPreviousRelease } from '../support/previous-release.ts';
import { until } from '../support/until.ts';

/** How long each stage is watched. */
const STAGE_MS = 4_000;

it('is upgraded under load without an answer of 500 and above', { timeout: 240_000 }, async (t) => {
  const previous = await openPreviousRelease();
  if (previous === undefined)
    return t.skip('the release before is not in the history here: git fetch --unshallow');
  await using fixture = await openLoadedFixture({ OJA_SIMULATOR_LATENCY_MS: '20' }, { empty: true });
  const old = await fixture.start({}, previous.entry);
  const stored = await countMigrations(fixture);
  const entries = await countEntries(fixture);

  const serving = [old.url];
  let turn = 0;
  const url = (): string => serving[turn++ % serving.length] ?? '';
  const [live, test] = [await fixture.live(), await fixture.test()];
  const plans = await fetchPlans(old.url, live.key, live.secret);
  const load = await fixture.startLoad({ url, plans, clients: 8, pauseMs: 10, billShare: 0.2 });
  const reads = readOn(url, [live, test]);
  await sleep(STAGE_MS);

  const fresh = await fixture.start();
  assert.ok((await countMigrations(fixture)) > stored, 'the new release brought migrations');
  await sleep(STAGE_MS);
  // As 0.1.0 writes an entry, beside the new release.
  await fixture.database.query(
    "insert into audit_log (actor, action, subject) values ('old', 'test.act', 'none')",
  );
  serving.push(fresh.url);
  await sleep(STAGE_MS);
  serving.shift();
  // What was on its way to it arrives.
  await sleep(1_000);
  assert.deepEqual(await old.stop(), { code: 0, signal: null });
  await sleep(STAGE_MS);
  await load.stop();
  const told = await reads.stop();

  t.diagnostic(tally(load.purchases));
  const bad = load.purchases.filter(({ answers }) => answers.some(({ status }) => isBad(status)));
  assert.deepEqual(bad, []);
  assert.deepEqual(summary(told), {});
  assert.ok(load.purchases.length > 100);
  assert.ok(entries > 0n);
  const verified = await verifyAuditLog(fixture.database);
  assert.deepEqual([verified.broken, verified.older], [undefined, 0n]);
  assert.equal(verified.entries, await countEntries(fixture));
  const { wrong } = await fixture.settle({ load, gateway: fresh });
  assert.deepEqual(wrong, []);
  await until('nothing is left of the old process', async () => {
    const rows = await fixture.database.query('select from gateways');
    return rows.length === 1;
  });
});

it('answers lists truly or not at all until older purchases are completed, also after a kill', {
  timeout: 240_000,
}, async (t) => {
  const previous = await openPreviousRelease();
  if (previous === undefined)
    return t.skip('the release before is not in the history here: git fetch --unshallow');
  await using fixture = await openLoadedFixture({}, { empty: true });
  const old = await fixture.start({}, previous.entry);
  const live = await fixture.live();
  await storeHistory(fixture);
  await old.stop();

  await migrate(fixture.database);
  const lists = async (url: string): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(historyLists.map(async (query) => [query, await listOf(url, live, query)])),
    );
  const { early, before } = await fixture.database.transaction(async (tx) => {
    // Somebody has the last one in hand, so that it stays under way however long this takes.
    await tx.query('select from vend_outcomes order by vend_id desc limit 1 for update');
    const killed = await fixture.start();
    await until('it is under way', async () =>
      (await progressOf(fixture)).startsWith('{"table":"vend_outcomes"'),
    );
    const found = { early: await lists(killed.url), before: await progressOf(fixture) };
    killed.kill('SIGKILL');
    await killed.exited;
    return found;
  });
  const wanted = Object.fromEntries(historyLists.map((query) => [query, expectedOf(query)]));
  const whileUnderWay = (query: string): string | undefined =>
    /network|msisdn/.test(query) ? '503 after 30' : wanted[query];
  assert.deepEqual(early, Object.fromEntries(historyLists.map((query) => [query, whileUnderWay(query)])));
  assert.match(before, /^\{"table":"vend_outcomes"/, 'it was killed in the middle');

  const fresh = await fixture.start();
  await until('older purchases are completed', async () => (await progressOf(fixture)) === '"done"');
  assert.deepEqual(await lists(fresh.url), wanted);
  const { checks } = await auditVends(fixture.database);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
});

/** More than the first second of a gateway completes. */
const HISTORY = 12_000;
const historyLists = [
  '',
  'status=0',
  'status=1',
  'page=5',
  'network=glo',
  'network=mtn&status=1',
  'msisdn=08030000007',
  'msisdn=08030000008&network=glo&status=0',
];

/** By index: every second is of Glo, every third has failed, and numbers come again after ten. */
async function storeHistory({ database }: Pick<Fixture, 'database'>): Promise<void> {
  await database.query(
    `with item as materialized (
       select
         n,
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
         case n % 2 when 0 then 'GLO' else 'MTN' end as network,
         '234803000000' || n % 10 as recipient,
         w.merchant_id,
         w.account_id as wallet_id
       from generate_series(1, $1) as n
       cross join (
         select w.merchant_id, w.account_id
         from wallets w
         join credentials c on c.merchant_id = w.merchant_id and c.environment = w.environment
         where w.environment = 'live'
         and w.currency = 'NGN'
         limit 1
       ) w
     ),
     sold as (
       insert into vends (merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value,
         charge, wallet_id, mode, route, credential_id)
       select i.merchant_id, 'live', i.id, i.id, 'airtime', i.network, i.recipient, i.recipient, 100, 0, i.wallet_id,
         'sync', 'sandbox', (select min(key_id) from credentials c where c.merchant_id = i.merchant_id and c.environment = 'live')
       from item i
     ),
     tried as (
       insert into attempts (merchant_id, vend_id, number, provider, reference, reason)
       select merchant_id, id, 1, 'sandbox', 'p-' || id, 'first of the route'
       from item
     ),
     answered as (
       insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message, latency_ms)
       select merchant_id, id, 1, 'vend', case when n % 3 = 0 then 'failed' else 'success' end, '', '', 1
       from item
     ),
     final as (
       insert into vend_outcomes (merchant_id, environment, vend_id, status, reason, message, provider, cost)
       select merchant_id, 'live', id, s.status, case s.status when 'success' then 'delivered' else 'refused' end, '',
         'sandbox', case s.status when 'success' then 0 end
       from item
       cross join lateral (select case when n % 3 = 0 then 'failed' else 'success' end as status) s
     )
     insert into vend_counts as c (merchant_id, environment, network, status, count)
     select merchant_id, 'live', network, s.status, count(*)
     from item
     cross join lateral (values ('accepted'), (case when n % 3 = 0 then 'failed' else 'success' end)) as s(status)
     group by merchant_id, network, s.status
     on conflict (merchant_id, environment, network, status) do update set count = c.count + excluded.count`,
    [HISTORY],
  );
}

/** How many, and the newest of the page by their index. */
async function listOf(url: string, as: KeyPair, query: string): Promise<string> {
  const answer = await fetch(`${url}/v1/transactions?limit=20&${query}`, {
    headers: { 'x-merchant-key': as.key, 'x-merchant-secret': as.secret },
  });
  if (answer.status !== 200) return `${answer.status} after ${answer.headers.get('retry-after')}`;
  const { result } = (await answer.json()) as {
    result: { items: { request_id: string }[]; page_info: { total_items: number } };
  };
  const indexes = result.items.map((item) => Number.parseInt(item.request_id.slice(-12), 16));
  return `${result.page_info.total_items}: ${indexes.join(' ')}`;
}

function expectedOf(query: string): string {
  const wanted = new URLSearchParams(query);
  const found: number[] = [];
  for (let n = HISTORY; n > 0; n -= 1) {
    if (wanted.has('status') && (n % 3 === 0) !== (wanted.get('status') === '1')) continue;
    if (wanted.has('network') && (n % 2 === 0) !== (wanted.get('network') === 'glo')) continue;
    if (wanted.has('msisdn') && n % 10 !== Number(wanted.get('msisdn')?.at(-1))) continue;
    found.push(n);
  }
  const from = (Number(wanted.get('page') ?? 1) - 1) * 20;
  return `${found.length}: ${found.slice(from, from + 20).join(' ')}`;
}

async function progressOf({ database }: Pick<Fixture, 'database'>): Promise<string> {
  const [row] = await database.query<{ value: string }>(
    "select value from settings where name = 'list_completion'",
  );
  return row?.value ?? '';
}

/** How often each was told, without what differs. */
function summary(told: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of told) {
    const what = one.replace(/card-\d+/, 'card').replace(/\(request [^)]*\)/, '');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** Whether nobody should get such an answer, not even in an upgrade. */
function isBad(status: number | string): boolean {
  return typeof status === 'string' || status >= 500;
}

async function countEntries({ database }: Pick<Fixture, 'database'>): Promise<bigint> {
  const [row] = await database.query<{ entries: bigint }>('select count(*) as entries from audit_log');
  return row?.entries ?? 0n;
}

async function countMigrations({ database }: Pick<Fixture, 'database'>): Promise<number> {
  return (await database.query('select from schema_migrations')).length;
}

const paths = [
  '/v1/healthz',
  '/v1/transactions?limit=20',
  '/v1/transactions?status=1&network=glo',
  '/v1/wallet/balance',
  '/v1/wallet/statement',
  '/v1/wallet/funding-account',
  '/v1/plans/mtn',
  '/v1/plans/bills/ELECTRICITY',
  '/v1/giftcards/catalog',
  '/v1/esim/catalog',
];
/** Test credentials: one that is delivered at once, one that is pending for three seconds. */
const cards = [300002, 990001];

/** Reads everything and orders gift cards, over and over; tells each bad answer. */
function readOn(url: () => string, as: readonly KeyPair[]): { stop(): Promise<string[]> } {
  const bad: string[] = [];
  let stopping = false;
  let orders = 0;
  const ask = async (caller: KeyPair, path: string, body?: object): Promise<void> => {
    const headers = {
      'x-merchant-key': caller.key,
      'x-merchant-secret': caller.secret,
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const told = await fetch(`${url()}${path}`, { headers, ...options }).then(
      async (answer) => [answer.status, await answer.text()] as const,
      (error: unknown) => [String(error), ''] as const,
    );
    if (isBad(told[0])) bad.push(`${path}: ${told.join(' ')}`);
  };
  const finished = Promise.all(
    as.map(async (caller) => {
      while (!stopping) {
        for (const path of paths) await ask(caller, path);
        for (const plan_id of cards) {
          const request_id = `card-${++orders}`;
          await ask(caller, '/v1/giftcards/orders', { request_id, plan_id });
          await ask(caller, `/v1/giftcards/orders/${request_id}`);
        }
        await sleep(100);
      }
    }),
  );
  return {
    async stop() {
      stopping = true;
      await finished;
      return bad;
    },
  };
}
