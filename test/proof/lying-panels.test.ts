/**
 * Many purchases over two panels with all their false behaviours, and VTpass, behind one route,
 * with a gateway that is killed repeatedly. At the end the books, the panels' own books and the
 * wallet agree. Each number got its purchases, and the reconciliation lists every difference with
 * its evidence.
 *
 * `OJA_LIARS_PURCHASES` sets the number of purchases, `OJA_LIARS_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { createTokenOperation } from '../../src/backoffice/access/operations/create-token.ts';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { spawnOja } from '../cli/harness.ts';
import { readBooks, readLivePurchases, type StoredPurchase } from '../support/books.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Gateway, ownSimulator, startGateway } from '../support/gateway.ts';
import { randomFrom } from '../support/load.ts';
import { until as untilWithin } from '../support/processes.ts';
import { until } from '../support/until.ts';

const count = Number(process.env.OJA_LIARS_PURCHASES ?? 400);
const seed = Number(process.env.OJA_LIARS_SEED ?? Math.floor(Math.random() * 1_000_000));
const random = randomFrom(seed);
/** How many clients buy at once. */
const CLIENTS = 16;
/**
 * Thousands of open orders are queried proportionally less often, so that the machine can serve
 * them.
 */
const TIME_SCALE = count > 2_000 ? 0.1 : 0.02;
const KILLS = Math.min(50, Math.max(2, Math.round(count / 100)));

const KEY = 'simulator-panel-key';
const networks = { MTN: '1', GLO: '2', '9MOBILE': '3', AIRTEL: '4' };
const msorg = {
  preset: 'msorg',
  networks,
  orders: { airtime: { trust: { confirm_after_s: 300 }, lookup: { list: { pages: 50, skew_s: 20 } } } },
};
const adex = { preset: 'adex', networks };

/** Reversals come after the success is trusted, at the scale of the time. */
const FLIPS_MS = 1_000_000 * TIME_SCALE;
const lies = [
  { provider: 'panel-msorg', fault: 'cut_after', share: 0.04 },
  { provider: 'panel-msorg', fault: 'cut_before', share: 0.03 },
  { provider: 'panel-msorg', fault: 'html_page', share: 0.03, delivered: true },
  { provider: 'panel-msorg', fault: 'odd_reply', share: 0.03, delivered: true },
  { provider: 'panel-msorg', fault: 'error_5xx', share: 0.02, delivered: true },
  { provider: 'panel-msorg', fault: 'broken_json', share: 0.02, delivered: true },
  { provider: 'panel-msorg', fault: 'bare_refusal', share: 0.02, delivered: true },
  { provider: 'panel-msorg', fault: 'late_visible', share: 0.04, late_visible_ms: 4_000 },
  { provider: 'panel-msorg', fault: 'refused', share: 0.06, settle_ms: 2_000 },
  { provider: 'panel-msorg', fault: 'pending_then_success', share: 0.03, settle_ms: 2_000 },
  { provider: 'panel-msorg', fault: 'pending_then_failed', share: 0.03, settle_ms: 2_000 },
  { provider: 'panel-msorg', fault: 'reversed_later', share: 0.02, settle_ms: FLIPS_MS },
  { provider: 'panel-msorg', fault: 'other_amount', share: 0.01 },
  { provider: 'panel-msorg', fault: 'stranger_record', operation: 'requery', share: 0.05 },
  { provider: 'panel-msorg', fault: 'error_5xx', operation: 'list', share: 0.05 },
  { provider: 'panel-msorg', fault: 'html_page', operation: 'list', share: 0.05 },
  { provider: 'panel-adex', fault: 'cut_after', share: 0.03 },
  { provider: 'panel-adex', fault: 'odd_reply', share: 0.02, delivered: true },
  { provider: 'panel-adex', fault: 'refused', share: 0.05 },
  { provider: 'panel-adex', fault: 'pending_then_success', share: 0.02, settle_ms: 2_000 },
  { fault: 'float_out', share: 0.02 },
  { fault: 'biller_down', share: 0.01 },
  { provider: 'vtpass', fault: 'cut_after', share: 0.05 },
  { provider: 'vtpass', fault: 'cut_before', share: 0.03 },
  { provider: 'vtpass', fault: 'refused', share: 0.04 },
];

/** Queries take turns, and thousands of purchases take long. */
const QUIET_MS = 30 * 60_000;

type Difference = { readonly kind: string; readonly purchase: string | null; readonly there: string };

it(`sells ${count} purchases over panels that lie, killed ${KILLS} times (seed ${seed})`, async (t) => {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-liars-'));
  cleanUpAfter(dataDir);
  await chmod(dataDir, 0o755);
  const clone = stack.use(await createTestDatabase({ demo: true }));
  const { database } = clone;
  const simulatorUrl = await ownSimulator(stack);
  const settings = {
    OJA_PANEL_URL: `${simulatorUrl}/panel/msorg`,
    OJA_PANEL_KEY: KEY,
    OJA_PANEL_MAPPING: JSON.stringify(msorg),
    OJA_TIME_SCALE: String(TIME_SCALE),
    OJA_NOT_FOUND_GRACE_S: '3000',
    OJA_ASYNC_PATIENCE_S: '86400',
  };
  const start = (): Promise<Gateway> =>
    startGateway({ databaseUrl: clone.connectionString, dataDir, simulatorUrl, settings });
  let gateway = await start();
  stack.defer(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
  });
  await addSecondPanel(database, gateway.adminUrl, simulatorUrl);
  await database.transaction(async (tx) => {
    await setRoute(tx, {
      environment: 'live',
      product: 'airtime',
      network: 'MTN',
      providers: ['panel', 'panel-two', 'vtpass'],
      shares: { panel: 50, 'panel-two': 30, vtpass: 20 },
    });
  });
  const before = await postedOf(database);
  const { key, secret } = gateway.credentials.live;

  /** After a failure nothing more is sent. */
  let isOver = false;
  stack.defer(() => {
    isOver = true;
  });
  const buy = async (reference: string, msisdn: string, mode: 'sync' | 'async'): Promise<void> => {
    const body = { merchant: 'DEMO', msisdn, network: 'MTN', amount: '100', request_ref: reference };
    while (!isOver) {
      const answer = await fetch(`${gateway.url}/v1/transactions/airtime/${mode}`, {
        method: 'POST',
        headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      const status = answer?.status;
      await answer?.text().catch(() => undefined);
      // After a broken connection or an error the same purchase is sent again.
      if (status !== undefined && status < 500 && status !== 429) return;
      await sleep(200);
    }
  };
  await until('the second panel sells', async () => {
    await buy(`warm-${random()}`, '08030000001', 'async');
    return (await readBooks(simulatorUrl)).some(({ provider }) => provider === 'panel-adex');
  });
  await misbehave(simulatorUrl, lies);

  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < count && !isOver) {
      sent += 1;
      const place = sent;
      // Some buy the same again for the same number, at once.
      const alike = random() < 0.06 ? 2 : 1;
      const msisdn = `0803${String(1_000_000 + place)}`;
      const mode = random() < 0.15 ? 'sync' : 'async';
      await Promise.all(Array.from({ length: alike }, (_, copy) => buy(`p${place}-${copy}`, msisdn, mode)));
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await until('its share is sent', () => sent >= (count * kill) / (KILLS + 1));
    await sleep(random() * 500);
    gateway.kill('SIGKILL');
    await gateway.exited;
    gateway = await start();
  }
  await clients;
  // No query can decide the remaining pending purchases: each needs a person.
  await misbehave(simulatorUrl, []);
  await untilWithin('only purchases without evidence are pending', QUIET_MS, () => isQuiet(database));
  await sleep(FLIPS_MS);
  // Everything below is about the same moment.
  gateway.kill('SIGKILL');
  await gateway.exited;

  const purchases = await readLivePurchases(database);
  const pending = purchases.filter(({ status }) => status === 'pending');
  const listed = await reconcileAll(
    {
      ...settings,
      DATABASE_URL: clone.connectionString,
      OJA_DATA_DIR: dataDir,
      OJA_SIMULATOR_URL: simulatorUrl,
    },
    ['panel', 'panel-two', 'vtpass'],
  );
  const deliveries = [
    ...(await readBooks(simulatorUrl)).filter(({ provider }) => provider !== 'panel-msorg'),
    ...(await readRecords(simulatorUrl)),
  ].map(({ recipient }) => recipient.slice(-10));
  const wrong = compare(purchases, deliveries, listed);
  const tally = (one: StoredPurchase['status']): number =>
    purchases.filter(({ status }) => status === one).length;
  t.diagnostic(
    `${purchases.length} purchases: ${tally('success')} success, ${tally('failed')} failed, ${pending.length} pending; ${deliveries.length} deliveries`,
  );
  for (const [kind, of] of Map.groupBy(listed, ({ kind }) => kind)) t.diagnostic(`${of.length} ${kind}`);
  assert.deepEqual(wrong, []);
  const { checks } = await auditPurchases(database);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
  // The wallet paid for the successes, and holds the charges of pending purchases.
  const sum = (of: readonly StoredPurchase[]): bigint => of.reduce((total, { charge }) => total + charge, 0n);
  const after = await postedOf(database);
  assert.equal(before.posted - after.posted, sum(purchases.filter(({ status }) => status === 'success')));
  assert.equal(after.held, sum(pending));
  assert.ok(!gateway.output().includes(KEY));
});

/** The differences between the purchases of each number and the providers' deliveries to it. */
function compare(
  purchases: readonly StoredPurchase[],
  deliveries: readonly string[],
  listed: readonly Difference[],
): string[] {
  const delivered = Map.groupBy(deliveries, (recipient) => recipient);
  const of = new Map(listed.map((one) => [one.purchase, one.kind]));
  const wrong: string[] = [];
  for (const [number, all] of Map.groupBy(purchases, ({ recipient }) => recipient.slice(-10))) {
    const got = delivered.get(number)?.length ?? 0;
    const isTakenBack = ({ reference }: StoredPurchase): boolean =>
      of.get(reference) === 'failed_there_success_here';
    const successes = all.filter((one) => one.status === 'success' && !isTakenBack(one)).length;
    const pending = all.filter(({ status }) => status === 'pending');
    const names = all.map(
      ({ reference, status }) => `${reference} ${status} (${of.get(reference) ?? 'not listed'})`,
    );
    if (got < successes || got > successes + pending.length)
      wrong.push(`${got} deliveries: ${names.join(', ')}`);
    if (pending.some(({ reference }) => !of.has(reference))) wrong.push(`not listed: ${names.join(', ')}`);
  }
  return wrong;
}

async function addSecondPanel(database: Database, adminUrl: string, simulatorUrl: string): Promise<void> {
  const actor = { name: 'admin', principal: 'user:admin', edge: 'cli' } as const;
  const { token } = await database.transaction((tx) =>
    createTokenOperation.run(
      { tx, actor, clock: systemClock },
      { role: ['admin'], name: 'admin', expires: '1d' },
    ),
  );
  const values = {
    OJA_PANEL_URL: `${simulatorUrl}/panel/adex`,
    OJA_PANEL_KEY: KEY,
    OJA_PANEL_LOGIN: 'simulator:simulator-panel-password',
    OJA_PANEL_MAPPING: JSON.stringify(adex),
  };
  for (const [method, path, body] of [
    ['POST', '/providers', { connector: 'panel', name: 'panel-two' }],
    ['PUT', '/providers/panel-two/credentials', { values }],
  ] as const) {
    const answer = await fetch(`${adminUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  }
}

/** The final deliveries in the first panel's own records, without reversed ones. */
async function readRecords(simulatorUrl: string): Promise<{ readonly recipient: string }[]> {
  const delivered: { readonly recipient: string }[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${simulatorUrl}/panel/msorg/api/topup/?page=${page}`, {
      headers: { authorization: `Token ${KEY}` },
    });
    const { results = [] } = (await answer.json()) as {
      results?: { mobile_number: string; Status: string }[];
    };
    if (results.length === 0) return delivered;
    for (const { mobile_number: recipient, Status } of results) {
      if (Status === 'successful') delivered.push({ recipient });
    }
  }
}

async function misbehave(simulatorUrl: string, rules: readonly object[]): Promise<void> {
  const answer = await fetch(`${simulatorUrl}/faults`, {
    method: 'PUT',
    body: JSON.stringify({ rules, seed }),
  });
  assert.ok(answer.ok, await answer.text());
}

/** The live naira wallet of the demo's merchant. */
async function postedOf(database: Database): Promise<{ readonly posted: bigint; readonly held: bigint }> {
  const [wallet] = await database.query<{ posted: bigint; held: bigint }>(
    `select w.posted, w.held
     from wallets w
     join merchants m on m.id = w.merchant_id
     where m.code = 'DEMO'
     and w.environment = 'live'
     and w.currency = 'NGN'`,
  );
  assert.ok(wallet);
  return wallet;
}

/** Whether each pending purchase was queried often, and no answer will end it. */
async function isQuiet(database: Database): Promise<boolean> {
  const [row] = await database.query<{ open: number }>(
    `select count(*)::integer as open
     from pending_purchases p
     join purchases v
       on v.merchant_id = p.merchant_id
       and v.environment = p.environment
       and v.id = p.purchase_id
     where p.environment = 'live'
     and p.flagged_at is null
     and (p.step = 'send' or p.queries < 8 or p.not_found > 0)`,
  );
  return row?.open === 0;
}

async function reconcileAll(
  settings: Readonly<Record<string, string>>,
  parties: readonly string[],
): Promise<Difference[]> {
  const day = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
  const listed: Difference[] = [];
  for (const party of parties) {
    const ran = await spawnOja(settings, ['reconcile', party, '--from', day(-1), '--to', day(2), '--json']);
    assert.equal(ran.code, 0, `${party}: ${ran.err}`);
    listed.push(...(JSON.parse(ran.out).data as Difference[]));
  }
  return listed;
}
