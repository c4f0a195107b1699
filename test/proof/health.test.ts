/**
 * The health of a production gateway while its dependencies fail one after another, and of a
 * worker, which has no API.
 */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { deletePause, insertPause } from '../../src/catalog/routes/pause-store.ts';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import { newSealingKey, seal } from '../../src/core/sealing.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../crash/database-proxy.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type RunningGateway, runGateway } from '../support/gateway.ts';
import { freePort } from '../support/processes.ts';
import { until } from '../support/until.ts';

const production = {
  OJA_PROFILE: 'production',
  OJA_ENCRYPTION_KEY: '5'.repeat(64),
  // No purchase is ever made from it.
  OJA_VTPASS_BASE_URL: 'http://127.0.0.1:9/api',
  OJA_VTPASS_API_KEY: 'a',
  OJA_VTPASS_PUBLIC_KEY: 'b',
  OJA_VTPASS_SECRET_KEY: 'c',
};

type Report = {
  readonly status: number;
  readonly checks: Readonly<Record<string, string>>;
};

async function ask(url: string): Promise<Report> {
  const answer = await fetch(url);
  const { checks } = (await answer.json()) as { checks: Record<string, string> };
  return { status: answer.status, checks };
}

function urlOf(gateway: RunningGateway): string | undefined {
  return /listening on (http:\S+)/.exec(gateway.output())?.[1];
}

describe('a gateway in production', () => {
  const stack = new AsyncDisposableStack();
  after(() => stack.disposeAsync());
  let clone: TestDatabase;
  let proxy: DatabaseProxy;
  let gateway: RunningGateway;
  let api: string;
  let own: string;

  before(async () => {
    clone = stack.use(await createTestDatabase());
    proxy = stack.use(await openDatabaseProxy(clone.connectionString));
    const folder = await mkdtemp(join(tmpdir(), 'oja-health-'));
    cleanUpAfter(folder);
    const port = await freePort();
    gateway = stack.use(
      runGateway({
        ...production,
        DATABASE_URL: proxy.connectionString,
        OJA_DATA_DIR: folder,
        METRICS_PORT: String(port),
      }),
    );
    api = await until('it listens', () => urlOf(gateway));
    own = `http://127.0.0.1:${port}`;
  });

  /** Waits until the check has the state. The API and the metrics port agree. */
  async function says(
    check: string,
    state: 'ok' | 'noted' | 'down',
    { sells = state !== 'down', ready = true } = {},
  ): Promise<void> {
    const found = await until(`${check}: ${state}, there and here`, async () => {
      const [report, its] = [await ask(`${api}/v1/healthz`), await ask(`${own}/healthz`)];
      const text = report.checks[check] ?? '';
      const [said] = ['ok', 'down'].filter((one) => text === one || text.startsWith(`${one}:`));
      return (said ?? 'noted') === state && isDeepStrictEqual(its.checks, report.checks) && report;
    });
    assert.equal(found.status, sells ? 200 : 503, JSON.stringify(found.checks));
    for (const url of [api, own]) {
      assert.equal((await ask(`${url}/readyz`)).status, ready ? 200 : 503);
    }
  }

  const place = { provider: 'vtpass', product: 'airtime', network: '*' };

  it('sells nothing without a route, and sells with one', async () => {
    await says('providers', 'down');
    await clone.database.transaction((tx) =>
      setRoute(tx, { environment: 'live', product: 'airtime', network: '*', providers: ['vtpass'] }),
    );
    await says('providers', 'ok');
  });

  it('sells nothing while its only provider is paused', async () => {
    await clone.database.transaction((tx) =>
      insertPause(tx, { ...place, reason: 'a test', pausedBy: 'test' }),
    );
    await says('providers', 'down');
    await clone.database.transaction((tx) => deletePause(tx, place));
    await says('providers', 'ok');
  });

  it('sells nothing with two functions of one name in the database', async () => {
    const [row] = await clone.database.query<{ arguments: string }>(
      `select pg_get_function_identity_arguments('accept_purchases'::regproc) as arguments`,
    );
    const overload = `accept_purchases(${row?.arguments}, more integer default 0)`;
    await clone.database.query(
      `create function ${overload} returns table (ordinal bigint, verdict text, status text, purchase_id uuid) language sql as 'select null::bigint, null::text, null::text, null::uuid'`,
    );
    await says('schema', 'down', { ready: false });
    await clone.database.query(`drop function accept_purchases(${row?.arguments}, integer)`);
    await says('schema', 'ok');
  });

  it('continues with a newer database, and reports it', async () => {
    await clone.database.query(
      `insert into schema_migrations (version, name, checksum) values (9999, 'x', 'x')`,
    );
    await says('schema', 'noted');
    await clone.database.query('delete from schema_migrations where version = 9999');
    await says('schema', 'ok');
  });

  it('sells nothing when sealed values cannot be opened', async () => {
    const name = 'credential_pepper';
    const [row] = await clone.database.query<{ value: string }>(
      'select value from settings where name = $1',
      [name],
    );
    const sealed = seal(newSealingKey(), `settings/${name}/value`, 'x');
    await clone.database.query('update settings set value = $2 where name = $1', [name, sealed]);
    await says('keys', 'down');
    await clone.database.query('update settings set value = $2 where name = $1', [name, row?.value]);
    await says('keys', 'ok');
  });

  it('sells nothing on a read-only database', async () => {
    const [row] = await clone.database.query<{ name: string }>('select current_database() as name');
    // Waits until each connection has ended, so that no check uses one that is about to end.
    const end = `
      select pg_terminate_backend(pid, 5000)
      from pg_stat_activity
      where datname = current_database()
      and application_name like 'oja-%'`;
    await clone.database.query(`alter database ${row?.name} set default_transaction_read_only = on`);
    await clone.database.query(end);
    await says('database', 'down', { ready: false });
    await clone.database.query('set default_transaction_read_only = off');
    await clone.database.query(
      `begin; set transaction read write; alter database ${row?.name} reset default_transaction_read_only; commit`,
    );
    await clone.database.query(end);
    await says('database', 'ok');
  });

  it('answers while the database does not respond, to any number of requests', async () => {
    proxy.swallow();
    const reports = await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(`${index % 2 === 0 ? own : api}/readyz`)),
    );
    // A request within a second of the last check gets the result of that check.
    await ask(`${api}/v1/healthz`);
    assert.equal(reports.length, 50);
    await says('database', 'down', { ready: false });
    // A shutdown would wait for silent connections.
    gateway.kill('SIGKILL');
  });
});

describe('processes of one database', () => {
  it('reports its state on the metrics port, and announces that it stops', {
    timeout: 120_000,
  }, async () => {
    await using clone = await createTestDatabase();
    await clone.database.transaction((tx) =>
      setRoute(tx, { environment: 'live', product: 'airtime', network: '*', providers: ['vtpass'] }),
    );
    const port = await freePort();
    await using worker = runGateway({
      ...production,
      DATABASE_URL: clone.connectionString,
      OJA_ROLE: 'worker',
      METRICS_PORT: String(port),
    });
    await worker.ready;
    for (const path of ['healthz', 'readyz']) {
      const { status, checks } = await ask(`http://127.0.0.1:${port}/${path}`);
      assert.equal(status, 200, JSON.stringify(checks));
    }
    assert.match(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), /^oja_job_/m);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
    assert.deepEqual(await worker.stop(), { code: 0, signal: null });

    await using gateway = runGateway({
      ...production,
      DATABASE_URL: clone.connectionString,
      OJA_ROLE: 'api',
      OJA_STOP_GRACE_S: '6',
    });
    const url = await until('it listens', () => urlOf(gateway));
    assert.equal((await ask(`${url}/readyz`)).status, 200);
    gateway.kill('SIGTERM');
    const { checks } = await until('it is not ready', async () => {
      const report = await ask(`${url}/readyz`);
      return report.status === 503 && report;
    });
    assert.equal(checks.process, 'down: it is stopping');
    const served = await fetch(`${url}/v1/transactions/airtime/sync`, { method: 'POST', body: '{}' });
    assert.equal(served.status, 401);
    assert.deepEqual(await gateway.exited, { code: 0, signal: null });
  });
});
