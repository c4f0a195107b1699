/** Health rules without a process: the result of each check, and the sharing of queries. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { GatewayHealth } from '../../src/app/health/gateway-health.ts';
import { listChecks } from '../../src/app/health/list-checks.ts';
import { ProvidersAway } from '../../src/app/health/providers-away.ts';
import type { DatabaseSeen } from '../../src/app/health/read-database.ts';
import { limits } from '../../src/core/limits.ts';
import { noCalls } from '../../src/purchases/health/call-counts.ts';
import type { LiveState } from '../../src/purchases/health/provider-state.ts';

const seen: DatabaseSeen = {
  isReadOnly: false,
  schemaVersion: 32,
  commitFault: undefined,
  isReadable: true,
  providers: [],
};

type Parts = Parameters<typeof listChecks>[0];

const airtime = { environment: 'live', product: 'airtime', network: '*', providers: ['one', 'two'] } as const;
const data = { environment: 'live', product: 'data', network: '*', providers: ['two'] } as const;

const well: Parts = {
  profile: 'production',
  role: 'all',
  routes: { places: () => [airtime, data], isPaused: () => false },
  providers: new Map([
    ['one', {}],
    ['two', {}],
  ]),
  findAway: () => new Set(),
  restoreLock: { words: () => undefined },
  life: { isRecorded: true },
  isStopping: () => false,
  schemaVersion: 32,
  heartbeat: () => ({ lastOkAt: new Date(0), lastError: undefined }),
  now: () => new Date(1_000),
  gauges: () => ({ acceptQueue: 0, purchases: { live: 0, test: 0 } }),
  lateJobs: () => [],
};

async function report(parts: Partial<Parts> = {}, database: DatabaseSeen | undefined = seen) {
  const health = new GatewayHealth({ elapsedMs: () => 0 });
  const readDatabase = () =>
    database === undefined ? Promise.reject(new Error('away')) : Promise.resolve(database);
  health.watch({ checks: listChecks({ ...well, ...parts }), readDatabase });
  return await health.report();
}

/** The failed checks, and whether the gateway can sell and should get traffic. */
async function found(parts: Partial<Parts>, database?: Partial<DatabaseSeen>) {
  const { health, readiness } = await report(parts, { ...seen, ...database });
  const odd = Object.entries(health.checks).filter(([, text]) => text !== 'ok');
  return { odd: Object.fromEntries(odd), sells: health.ok, ready: readiness.ok };
}

/** The text of a failed check begins with its state, and contains the facts. */
function assertSaid(said = '', state: 'down' | 'odd', names: string): void {
  assert.ok(said.includes(names), said);
  assert.equal(/^down\b/.test(said), state === 'down', said);
}

describe('the health of a process', () => {
  it('the process is well when every check passes', async () => {
    const { health, readiness } = await report();
    const names = ['database', 'schema', 'keys', 'providers', 'restore_lock', 'process', 'queues', 'jobs'];
    assert.deepEqual(health, { ok: true, checks: Object.fromEntries(names.map((name) => [name, 'ok'])) });
    assert.deepEqual(Object.keys(readiness.checks), ['database', 'schema', 'process']);
    const page = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'running.md');
    const text = await readFile(page, 'utf8');
    for (const name of names) assert.match(text, new RegExp(`^\\| \`${name}\``, 'm'), name);
  });

  it('gets traffic without the coordinator while it reaches cells on other servers', async () => {
    for (const reaches of [true, false]) {
      const health = new GatewayHealth({ elapsedMs: () => 0 });
      health.watch({
        checks: listChecks({ ...well, reachesCells: () => reaches }),
        readDatabase: () => Promise.reject(new Error('away')),
      });
      assert.equal((await health.report()).readiness.ok, reaches);
    }
  });

  const noPlaces = { ...well.routes, places: () => [] };
  const downs: readonly [string, Partial<Parts>, Partial<DatabaseSeen>, string, string, boolean][] = [
    ['a standby', {}, { isReadOnly: true }, 'database', '', false],
    [
      'a full disk',
      { heartbeat: () => ({ lastOkAt: new Date(0), lastError: '53100' }), now: () => new Date(6_000) },
      {},
      'database',
      '53100',
      false,
    ],
    ['an older database', {}, { schemaVersion: 31 }, 'schema', '', false],
    ['two functions of one name', {}, { commitFault: '42725' }, 'schema', '42725', false],
    ['another key', {}, { isReadable: false }, 'keys', '', true],
    ['no route', { routes: noPlaces }, {}, 'providers', '', true],
    ['no provider', { providers: new Map() }, {}, 'providers', '', true],
    ['all paused', { routes: { ...well.routes, isPaused: () => true } }, {}, 'providers', '', true],
    ['all away', { findAway: () => new Set(['one', 'two']) }, {}, 'providers', '', true],
    ['stopping', { isStopping: () => true }, {}, 'process', '', false],
    [
      'a worker that does not work',
      { role: 'worker', lateJobs: () => [{ name: 'purchases', lastError: 'Error' }] },
      {},
      'jobs',
      'purchases (Error)',
      true,
    ],
  ];
  for (const [what, parts, database, check, names, ready] of downs) {
    it(`reports the process as down for ${what}`, async () => {
      const { odd, sells, ready: isReady } = await found(parts, database);
      assert.deepEqual([Object.keys(odd), sells, isReady], [[check], false, ready]);
      assertSaid(odd[check], 'down', names);
    });
  }

  const oddities: readonly [string, Partial<Parts>, Partial<DatabaseSeen>, string, string][] = [
    ['a newer database', {}, { schemaVersion: 33 }, 'schema', ''],
    ['one provider away', { findAway: () => new Set(['one']) }, {}, 'providers', '1 of 2'],
    ['a route without a provider', { findAway: () => new Set(['two']) }, {}, 'providers', '1 of 2'],
    [
      'a full queue',
      { gauges: () => ({ acceptQueue: limits.acceptQueueMax, purchases: { live: 0, test: 0 } }) },
      {},
      'queues',
      '',
    ],
    [
      'a late job',
      { lateJobs: () => [{ name: 'purchases', lastError: undefined }] },
      {},
      'jobs',
      'purchases',
    ],
  ];
  for (const [what, parts, database, check, names] of oddities) {
    it(`names ${what}, and sells`, async () => {
      const { odd, sells, ready } = await found(parts, database);
      assert.deepEqual([Object.keys(odd), sells, ready], [[check], true, true]);
      assertSaid(odd[check], 'odd', names);
    });
  }

  it('counts only products sold for money in production, and all products in the demo', async () => {
    const routes = { ...well.routes, places: () => [{ ...airtime, environment: 'test' as const }] };
    assert.equal((await found({ routes })).sells, false);
    assert.equal((await found({ routes, profile: 'demo' })).sells, true);
  });

  it('refuses sales behind the restore lock but stays ready; the demo sells tests', async () => {
    const restoreLock = { words: () => 'restored from backup 1' };
    assert.deepEqual(await found({ restoreLock }), {
      odd: { restore_lock: 'down: restored from backup 1' },
      sells: false,
      ready: true,
    });
    assert.deepEqual(await found({ restoreLock, profile: 'demo' }), {
      odd: { restore_lock: 'up: restored from backup 1' },
      sells: true,
      ready: true,
    });
  });

  it('the process is starting until it has started', async () => {
    const { health, readiness } = await new GatewayHealth({ elapsedMs: () => 0 }).report();
    assert.deepEqual([health.ok, readiness.ok], [false, false]);
    assert.deepEqual(Object.keys(readiness.checks), ['process']);
    assertSaid(readiness.checks.process, 'down', '');
  });
});

describe('looks at the database', () => {
  it('share one query for a second, and never pile up on a query that hangs', async () => {
    let nowMs = 0;
    let looks = 0;
    let answer: (database: DatabaseSeen) => void = () => undefined;
    const health = new GatewayHealth({ elapsedMs: () => nowMs });
    health.watch({
      checks: listChecks(well),
      readDatabase: () => {
        looks += 1;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    // They end although the check never does.
    const reports = await Promise.all(Array.from({ length: 100 }, () => health.report()));
    assert.ok(reports.every((one) => one.health.checks.database === 'down' && !one.readiness.ok));
    nowMs += 1_000;
    const waiting = health.report();
    assert.equal(looks, 1);
    answer(seen);
    assert.equal((await waiting).health.ok, true);
    nowMs += 999;
    assert.equal((await health.report()).health.ok, true);
    assert.equal(looks, 1);
    nowMs += 1;
    const next = health.report();
    answer({ ...seen, isReadOnly: true });
    assert.match((await next).health.checks.database ?? '', /^down\b/);
    assert.equal(looks, 2);
  });
});

describe('a provider is away', () => {
  const use = { calls: 0, callsMax: 5, waiting: 0 };
  const past = { calls: 7, lastCall: undefined, lastAnswer: undefined, unanswered: { calls: 0, sinceMs: 0 } };
  const state: LiveState = {
    within_1m: noCalls(),
    within_5m: noCalls(),
    within_60m: noCalls(),
    last_call: null,
    last_answer: null,
    unanswered: { calls: 0, for_ms: 0 },
    limiter: { calls: 0, calls_max: 5, waiting: 0, per_second: 0, per_second_max: 0 },
    breaker: 'closed',
    broken_ms: 0,
    float: null,
    float_failing_ms: 0,
    credentials_version: 0,
    provider: 'one',
    gateway_id: 'a',
    role: 'all',
    host: 'h',
    pid: 1,
  };

  function away(options: { breaker?: 'open' | 'closed'; use?: typeof use; states?: readonly LiveState[] }) {
    let nowMs = 0;
    const orders = { use: () => options.use ?? use };
    const provider = { breakerState: () => options.breaker ?? 'closed', limiters: { orders } };
    const providers = new ProvidersAway({
      providers: new Map([['one', provider]]) as never,
      calls: { last: () => past },
      elapsedMs: () => nowMs,
    });
    const before = providers.find(options.states ?? []).has('one');
    nowMs += 120_000;
    return [before, providers.find(options.states ?? []).has('one')];
  }

  it('a provider is away while its breaker is open here', () => {
    assert.deepEqual(away({ breaker: 'open' }), [true, true]);
    assert.deepEqual(away({ states: [state] }), [false, false]);
  });

  it('reports a provider as unavailable if calls wait and none ends, not if no call waits', () => {
    assert.deepEqual(away({ use: { ...use, calls: 5, waiting: 1 } }), [false, true]);
    assert.deepEqual(away({ use: { ...use, calls: 5 } }), [false, false]);
  });

  it('reports a provider as unavailable if no process gets an answer, all hold calls back, or our float is empty', () => {
    const silent = {
      ...state,
      within_5m: { ...noCalls(), unreachable: 3 },
      unanswered: { calls: 3, for_ms: 60_000 },
    };
    assert.deepEqual(away({ states: [silent] }), [true, true]);
    const broken = { ...state, breaker: 'half_open' as const, broken_ms: 60_000 };
    assert.deepEqual(away({ states: [broken] }), [true, true]);
    assert.deepEqual(away({ states: [broken, { ...state, gateway_id: 'b' }] }), [false, false]);
    const float = (amount: string) => ({ ...state, float: { amount, currency: 'NGN', age_ms: 0 } });
    assert.deepEqual(away({ states: [float('0.00')] }), [true, true]);
    assert.deepEqual(away({ states: [float('0.01')] }), [false, false]);
  });
});
