/**
 * The gateway for a newcomer: the first start on an empty folder, its output, later starts, wrong
 * starts, and its end. The gate ends it as a supervisor does, and the proof also by Ctrl-C.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { spawnOja } from '../cli/harness.ts';
import { assertGone, emptyFolder, spawnGateway } from '../e2e/started.ts';
import { itInProof } from '../support/budget.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Credentials, type KeyPair, type RunningGateway, runGateway } from '../support/gateway.ts';
import { childrenOf, freePort, killNow, postmasterOf, processesIn } from '../support/processes.ts';
import { until } from '../support/until.ts';

describe('npm start', () => {
  it('starts everything on an empty folder, and again, and stops without a trace', async () => {
    const folder = await emptyFolder();
    const port = await freePort();
    const settings = { OJA_DATA_DIR: folder, PORT: String(port) };
    const url = `http://127.0.0.1:${port}`;
    let credentials: Credentials;
    {
      await using gateway = runGateway(settings);
      await gateway.ready;
      assert.match(gateway.output(), new RegExp(`^oja [\\d.]+ listening on ${url}$`, 'm'));
      credentials = await assertCredentials(folder, gateway.output());
      await assertUnprivileged(folder);

      const pasted = await paste(gateway.output());
      assert.equal(pasted.status, 'success');
      await buyLive(url, credentials.live);
      await assertDelivered(gateway.output());
      await assertReachesSimulator(folder);
      await assertRefusesSecond(settings, folder, gateway.pid);
      assert.equal((await fetch(`${url}/v1/healthz`)).status, 200);

      const stoppedAt = new Date().toISOString();
      assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
      assert.deepEqual(warningsSince(gateway, stoppedAt), [], 'a clean stop has nothing to warn of');
    }
    await assertGone(folder, port);
    {
      await using gateway = runGateway(settings);
      await gateway.ready;
      assert.deepEqual(await assertCredentials(folder, gateway.output()), credentials);
      const status = await get(`${url}/v1/transactions/status?request_ref=live-1`, credentials.live);
      assert.equal(status.state, 'success');
      await assertSimulatorReturns(gateway);
      assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
    }
    await assertGone(folder, port);
  });

  for (const [by, signal, register] of [
    ['Ctrl-C in its terminal', 'SIGINT', itInProof],
    ['a supervisor that signals npm alone', 'SIGTERM', it],
  ] as const) {
    register(`npm start ended by ${by} leaves nothing running`, async () => {
      const folder = await emptyFolder();
      const port = await freePort();
      const npm = startByNpm(folder, port);
      const exited = once(npm, 'exit');
      try {
        await until('npm start listens', () => npm.said().includes('admin API'));
        assert.ok(processesIn(folder).length > 3, 'npm, gateway, simulator, database');
        // A terminal sends the signal to every process of the group.
        process.kill(signal === 'SIGINT' ? -(npm.pid ?? 0) : (npm.pid ?? 0), signal);
        await exited;
        await until('all of it has ended', () => processesIn(folder).length === 0);
      } finally {
        killNow(processesIn(folder));
      }
      await assertGone(folder, port);
    });
  }
});

/** As a user starts it. */
function startByNpm(folder: string, port: number): ChildProcess & { said(): string } {
  return spawnGateway('npm', ['start'], folder, port);
}

describe('a start on a database of the operator', { concurrency: 2 }, () => {
  it('seeds nothing in production', async () => {
    await using clone = await createTestDatabase({ empty: true });
    // It creates its data folder, in which it records how long the database has existed.
    const folder = join(await emptyFolder(), 'not', 'there');
    await using gateway = runGateway({
      OJA_PROFILE: 'production',
      DATABASE_URL: clone.connectionString,
      OJA_ENCRYPTION_KEY: '5'.repeat(64),
      OJA_DATA_DIR: folder,
    });
    const url = await until('it listens', () => urlIn(gateway));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await fetch(`${url}/v1/healthz`)).status, 503, 'there is nothing to sell yet');
    assert.doesNotMatch(gateway.output(), /DEMO|Test key|simulator/i);
    assert.deepEqual(await readdir(folder), ['database-seen']);
    await until('it is noted', async () => (await readdir(join(folder, 'database-seen'))).length === 1);
    for (const table of ['merchants', 'credentials', 'plans', 'wallets', 'purchases']) {
      const [row] = await clone.database.query(`select count(*)::integer as count from ${table}`);
      assert.deepEqual(row, { count: 0 }, table);
    }
    const routes = await clone.database.query(`select provider from routes where environment = 'live'`);
    assert.deepEqual(routes, []);
    assert.deepEqual(childrenOf(gateway.pid), []);
    assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
  });

  it('accepts purchases as api, and carries them out as worker', async () => {
    await using clone = await createTestDatabase();
    const folder = await emptyFolder();
    const settings = { DATABASE_URL: clone.connectionString, OJA_DATA_DIR: folder };
    await using api = runGateway({ ...settings, OJA_ROLE: 'api' });
    await api.ready;
    const url = urlIn(api) ?? '';
    const { test } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8')) as Credentials;
    assert.equal(
      (await post(`${url}/v1/transactions/airtime/async`, test, order('role-1'))).status,
      'pending',
    );
    const lookUp = (): Promise<Record<string, unknown>> =>
      get(`${url}/v1/transactions/status?request_ref=role-1`, test);
    // Meanwhile it serves its own commands, and this one waits.
    assert.equal(
      (await post(`${url}/v1/transactions/airtime/sync`, test, order('role-2'))).status,
      'success',
    );
    assert.equal((await lookUp()).state, 'pending');

    await using worker = runGateway({
      ...settings,
      OJA_ROLE: 'worker',
      OJA_SIMULATOR_URL: 'http://127.0.0.1:9',
    });
    await worker.ready;
    assert.doesNotMatch(worker.output(), /listening on/);
    await until('the worker carries it out', async () => (await lookUp()).state === 'success');
    assert.deepEqual(await worker.stop(), { code: 0, signal: null });
    assert.deepEqual(await api.stop(), { code: 0, signal: null });
  });
});

function urlIn(gateway: RunningGateway): string | undefined {
  return /listening on (http:\S+)/.exec(gateway.output())?.[1];
}

/** Before that, a busy machine may be too slow for a query. */
function warningsSince(gateway: RunningGateway, since: string): string[] {
  return gateway
    .output()
    .split('\n')
    .filter((line) => /"level":"(warn|error)"/.test(line))
    .filter((line) => (/"time":"([^"]+)"/.exec(line)?.[1] ?? since) >= since);
}

/** The printed and the stored credentials are equal, and other users cannot read the file. */
async function assertCredentials(folder: string, output: string): Promise<Credentials> {
  const path = join(folder, 'credentials.json');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const credentials = JSON.parse(await readFile(path, 'utf8')) as Credentials;
  assert.deepEqual(Object.keys(credentials), ['merchant', 'test', 'live']);
  assert.equal(credentials.merchant, 'DEMO');
  for (const environment of ['test', 'live'] as const) {
    const { key, secret } = credentials[environment];
    assert.match(key, new RegExp(`^oja_${environment}_`));
    assert.ok(output.includes(key) && output.includes(secret), `the ${environment} credential is printed`);
  }
  return credentials;
}

/** If root starts it, the database runs as another user. */
async function assertUnprivileged(folder: string): Promise<void> {
  const pid = postmasterOf(folder);
  assert.ok(pid !== undefined);
  assert.doesNotMatch(await readFile(`/proc/${pid}/status`, 'utf8'), /^Uid:\s+0\b/m);
}

/** Runs the printed purchase unchanged. */
async function paste(output: string): Promise<Record<string, unknown>> {
  const line = /^ *(curl .*)$/m.exec(output)?.[1];
  assert.ok(line !== undefined, 'a curl line is printed');
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

function order(reference: string): Record<string, string> {
  return { merchant: 'DEMO', msisdn: '08031234567', network: 'mtn', amount: '100', request_ref: reference };
}

async function buyLive(url: string, live: KeyPair): Promise<void> {
  const answer = await post(`${url}/v1/transactions/airtime/sync`, live, order('live-1'));
  assert.equal(answer.status, 'success');
}

/** By the books whose address is printed. */
async function assertDelivered(output: string): Promise<void> {
  const books = /(http:\S+\/books)/.exec(output)?.[1] ?? '';
  const lines = (await (await fetch(books)).text()).trim().split('\n');
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"recipient":"08031234567","amount":"100.00"/);
}

/** A command receives only the data folder, and finds the simulator on any port. */
async function assertReachesSimulator(folder: string): Promise<void> {
  const tested = await spawnOja({ OJA_DATA_DIR: folder }, ['provider', 'test', 'vtpass']);
  assert.equal(tested.code, 0, tested.err);
}

async function assertRefusesSecond(
  settings: Readonly<Record<string, string>>,
  folder: string,
  holder: number,
): Promise<void> {
  await using second = runGateway({ ...settings, PORT: '0' });
  assert.deepEqual(await second.exited, { code: 1, signal: null });
  assert.ok(second.output().includes(`${folder} is already in use by a running Oja (pid ${holder})`));
  assert.doesNotMatch(second.output(), /^\s+at /m, 'one clear line, no stack');
  assert.doesNotMatch(second.output(), /listening/);
}

/**
 * The demo's own simulator is killed: the gateway starts it again, on its port and with its books.
 */
async function assertSimulatorReturns(gateway: RunningGateway): Promise<void> {
  const output = gateway.output();
  const pids = await simulatorsOf(gateway.pid);
  assert.equal(pids.length, 1);
  killNow(pids);
  await until('the simulator is back', async () => {
    const now = await simulatorsOf(gateway.pid);
    return (
      now.length === 1 &&
      now[0] !== pids[0] &&
      (await assertDelivered(output).then(
        () => true,
        () => false,
      ))
    );
  });
}

async function simulatorsOf(parent: number): Promise<number[]> {
  const commands = await Promise.all(
    childrenOf(parent).map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
  return commands.filter(({ command }) => command.includes('simulator/main.ts')).map(({ pid }) => pid);
}

async function get(url: string, { key, secret }: KeyPair): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { headers: { 'x-merchant-key': key, 'x-merchant-secret': secret } });
  return (await answer.json()) as Record<string, unknown>;
}

async function post(
  url: string,
  { key, secret }: KeyPair,
  body: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}
