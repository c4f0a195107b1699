/** The findings of the doctor, each check with and without an error. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { runDoctor } from '../../../src/app/command-line/run-doctor.ts';
import { registriesOf } from '../../../src/app/registries.ts';
import { findUnknownSettings } from '../../../src/app/unknown-settings.ts';
import type { FundingProvider } from '../../../src/funding/banks/funding-provider.ts';
import { payvessel } from '../../../src/funding/banks/payvessel/index.ts';
import { type PayvesselSettings, simulatedPayvessel } from '../../../src/funding/banks/payvessel/settings.ts';
import {
  checkClock,
  checkFlags,
  checkSharedMemory,
  isLocal,
} from '../../../src/operate/doctor/check-database.ts';
import { checkFileModes, checkMemory, checkSeenRecord } from '../../../src/operate/doctor/check-machine.ts';
import { checkPorts } from '../../../src/operate/doctor/check-ports.ts';
import { checkBanks, checkProviders } from '../../../src/operate/doctor/check-upstreams.ts';
import type { DatabaseFlags } from '../../../src/operate/doctor/doctor-store.ts';
import type { Finding } from '../../../src/operate/doctor/finding.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { operator, runOja, strangeKey } from '../../cli/harness.ts';
import { startTestBank } from '../../support/bank.ts';
import { createTestDatabase } from '../../support/database.ts';

const MIB = 1_024 ** 2;

function statesOf(findings: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(findings.map(({ check, state }) => [check, state]));
}

test('without a database it checks everything else, names every fault, and shows no secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    const settings = {
      OJA_DATA_DIR: folder,
      OJA_PROFILE: 'production',
      OJA_STOP_GRACE_S: 'soon',
      OJA_DATABSE_CONNECTIONS: '20',
      OJA_WHATEVER: 'hidden-value',
      OJA_CONSOLE_HOST: '0.0.0.0',
      OJA_PORTAL_URL: 'http://portal.shop.example',
      DATABASE_URI: 'postgresql://oja:hidden-password@db.example/oja',
      OJA_SMTP_URL: 'smtp://user:hidden-password@127.0.0.1:1',
      OJA_SMTP_FROM: 'Shop <cards@shop.example>',
      PORT: '0',
      METRICS_PORT: '0',
      OJA_ADMIN_PORT: '0',
      OJA_CONSOLE_PORT: '0',
      OJA_PORTAL_PORT: '0',
    };
    const ran = await runOja(settings, ['doctor', '--json']);
    assert.deepEqual([ran.code, ran.err], [1, '']);
    assert.ok(!ran.out.includes('hidden-'), 'no value of a setting is printed');
    const { data } = JSON.parse(ran.out);
    const checks: Finding[] = data.checks;
    const about = checks
      .filter(({ check }) => check === 'settings')
      .map(({ seen, todo }) => `${seen}: ${todo}`);
    for (const expected of [
      /^(?!.*DATABASE_URI).*\bDATABASE_URL\b/,
      /\bOJA_ENCRYPTION_KEY\b/,
      /\bOJA_STOP_GRACE_S\b/,
      /\bOJA_PORTAL_URL\b/,
      /\bOJA_DATABSE_CONNECTIONS\b.*\bOJA_DATABASE_CONNECTIONS\b/,
      /\bDATABASE_URI\b.*\bDATABASE_URL\b/,
      /\bOJA_WHATEVER\b/,
    ]) {
      assert.ok(
        about.some((line) => expected.test(line)),
        `${expected}: ${about.join('\n')}`,
      );
    }
    const states = statesOf(checks);
    assert.deepEqual([states.console, data.ok], ['warn', false]);
    assert.deepEqual(
      [states.database, states['encryption key'], states.providers, states['mail server']],
      ['skipped', 'skipped', 'warn', 'wrong'],
    );
    const text = await runOja(settings, ['doctor']);
    // The free disk space has changed by now.
    for (const { check, seen, todo = '' } of checks)
      assert.ok((check === 'disk' || text.out.includes(seen)) && text.out.includes(todo), seen);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('warns in production of a bank with a test key, and in the demo of none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  const statesWith = async (
    profile: string,
    keys: Record<string, string>,
  ): Promise<Record<string, string>> => {
    const closed = 'http://127.0.0.1:1';
    const ran = await runOja(
      {
        OJA_DATA_DIR: folder,
        OJA_PROFILE: profile,
        OJA_FLUTTERWAVE_BASE_URL: closed,
        OJA_FLUTTERWAVE_SECRET_HASH: 'hash',
        OJA_MONNIFY_BASE_URL: closed,
        OJA_MONNIFY_SECRET_KEY: 'secret',
        OJA_MONNIFY_CONTRACT_CODE: '1',
        OJA_PAYSTACK_BASE_URL: closed,
        ...keys,
      },
      ['doctor', '--json'],
    );
    return statesOf(JSON.parse(ran.out).data.checks);
  };
  const accounts = ['account at flutterwave', 'account at monnify', 'account at paystack'];
  const forTests = {
    OJA_FLUTTERWAVE_SECRET_KEY: 'FLWSECK_TEST-1',
    OJA_MONNIFY_API_KEY: 'MK_TEST_1',
    OJA_PAYSTACK_SECRET_KEY: 'sk_test_1',
  };
  const live = {
    OJA_FLUTTERWAVE_SECRET_KEY: 'FLWSECK-1',
    OJA_MONNIFY_API_KEY: 'MK_PROD_1',
    OJA_PAYSTACK_SECRET_KEY: 'sk_live_1',
  };
  try {
    const warned = await statesWith('production', forTests);
    assert.deepEqual(
      accounts.map((account) => warned[account]),
      ['warn', 'warn', 'warn'],
    );
    for (const states of [await statesWith('production', live), await statesWith('demo', forTests)]) {
      assert.equal(states['bank flutterwave'], 'warn', 'the bank is configured, and does not answer');
      assert.deepEqual(
        accounts.map((account) => states[account]),
        [undefined, undefined, undefined],
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('reports a data folder that it cannot write to, and accepts one that does not exist yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const stateOf = async (dataDir: string) => (await checkSeenRecord(dataDir)).map(({ state }) => state);
    assert.deepEqual(await stateOf(join(file, 'data')), ['wrong']);
    assert.deepEqual(await stateOf(file), ['wrong']);
    assert.deepEqual(await stateOf(join(folder, 'not', 'there')), ['ok']);
    assert.deepEqual(await stateOf(folder), ['ok']);
    assert.deepEqual(await readdir(folder), ['a-file'], 'nothing is made');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('reports console and portal that are not built', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    const ports = Object.fromEntries(
      ['PORT', 'METRICS_PORT', 'OJA_ADMIN_PORT', 'OJA_CONSOLE_PORT', 'OJA_PORTAL_PORT'].map((name) => [
        name,
        '0',
      ]),
    );
    const settings = { ...ports, OJA_DATA_DIR: folder, OJA_PORTAL_HOST: '0.0.0.0' };
    const look = async (more: Record<string, string> = {}): Promise<string[]> =>
      (await runDoctor({ ...settings, ...more }, registriesOf(), folder))
        .filter(({ check }) => check === 'console' || check === 'portal')
        .map(({ check, state, seen, todo }) => `${check} ${state}: ${seen}: ${todo}`);
    const unbuilt = await look();
    assert.equal(unbuilt.length, 3, unbuilt.join('\n'));
    for (const [index, face] of ['console', 'portal'].entries()) {
      assert.match(unbuilt[index] ?? '', new RegExp(`^${face} warn: .*\\bnpm run build\\b`));
    }
    assert.match(unbuilt[2] ?? '', /^portal warn: .*\b0\.0\.0\.0\b/);
    assert.deepEqual(await look({ OJA_ROLE: 'worker' }), [], 'a worker has neither');
    await writeFile(join(folder, 'index.html'), '');
    assert.deepEqual(
      (await look()).map((line) => line.split(':')[0]),
      ['console ok', 'portal warn'],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('checks what a database promises, its schema, and whether the key opens sealed values', async () => {
  await using cli = await operator();
  const settings = {
    ...cli.settings,
    PORT: '0',
    METRICS_PORT: '0',
    OJA_ADMIN_PORT: '0',
    OJA_CONSOLE_PORT: '0',
    OJA_PORTAL_PORT: '0',
  };
  const look = async (also: Record<string, string> = {}) => {
    const ran = await runOja({ ...settings, ...also }, ['doctor', '--json']);
    return { code: ran.code, states: statesOf(JSON.parse(ran.out).data.checks), out: ran.out };
  };
  const well = await look();
  assert.deepEqual(
    ['database', 'database version', 'clock of the database', 'database schema', 'encryption key'].map(
      (check) => well.states[check],
    ),
    Array(5).fill('ok'),
  );
  // The database of tests is not durable.
  assert.deepEqual([well.code, well.states['database fsync']], [1, 'wrong']);

  const stranger = await look({ OJA_ENCRYPTION_KEY: strangeKey() });
  assert.equal(stranger.states['encryption key'], 'wrong');
  // As before the upgrade that adds the table.
  await cli.database.query('alter table webhook_endpoints rename to not_yet');
  assert.equal((await look()).states['encryption key'], 'ok');
  const unreachable = await look({ DATABASE_URL: 'postgresql://oja:hidden@127.0.0.1:1/oja' });
  assert.deepEqual([unreachable.states.database, unreachable.out.includes('hidden')], ['wrong', false]);
});

test('finds no error in a database that no gateway has used yet', async () => {
  await using empty = await createTestDatabase({ empty: true });
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    const settings = {
      OJA_PROFILE: 'production',
      OJA_ENCRYPTION_KEY: strangeKey(),
      OJA_CORRECTION_LIMIT: '50000',
      OJA_DATA_DIR: join(folder, 'data'),
      DATABASE_URL: empty.connectionString,
      PORT: '0',
      METRICS_PORT: '0',
      OJA_ADMIN_PORT: '0',
      OJA_CONSOLE_PORT: '0',
      OJA_PORTAL_PORT: '0',
    };
    const findings = await runDoctor(settings, registriesOf());
    const states = statesOf(findings);
    // The test servers do without it, because a power failure may lose their data.
    const wrongs = findings.filter(
      ({ check, state }) => state === 'wrong' && !/fsync|writes|commit/.test(check),
    );
    assert.deepEqual(wrongs, []);
    assert.deepEqual(
      [states.database, states['database schema'], states['encryption key'], states.backups],
      ['ok', 'warn', 'skipped', 'warn'],
    );
    assert.equal(states.providers, 'warn');
    const away = { ...settings, DATABASE_URL: 'postgresql://oja@127.0.0.1:1/oja' };
    assert.equal(statesOf(await runDoctor(away, registriesOf())).database, 'wrong');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('recommends the correction limit in production, and is silent once it is set', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    const asked = async (settings: Readonly<Record<string, string>>): Promise<Finding[]> => {
      const ports = { PORT: '0', METRICS_PORT: '0', OJA_ADMIN_PORT: '0', OJA_CONSOLE_PORT: '0' };
      const given = { ...ports, OJA_PORTAL_PORT: '0', OJA_DATA_DIR: folder, ...settings };
      const found = await runDoctor(given, registriesOf());
      return found.filter(({ seen }) => seen.includes('OJA_CORRECTION_LIMIT'));
    };
    const production = {
      OJA_PROFILE: 'production',
      OJA_ENCRYPTION_KEY: strangeKey(),
      DATABASE_URL: 'postgresql://oja@127.0.0.1:1/oja',
    };
    assert.deepEqual(
      (await asked(production)).map(({ check, state }) => [check, state]),
      [['settings', 'warn']],
    );
    assert.deepEqual(await asked({ ...production, OJA_CORRECTION_LIMIT: '50000' }), []);
    assert.deepEqual(await asked({ ...production, OJA_CORRECTION_LIMIT: '0' }), []);
    assert.deepEqual(await asked({}), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('checks each flag of the database', () => {
  const right: DatabaseFlags = {
    version: 150_000,
    versionText: '15.0',
    fsync: 'on',
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    dataChecksums: 'on',
    encoding: 'UTF8',
    isStandby: false,
    isReadOnly: false,
    connectionsMax: 97,
    connectionsUsed: 3,
    bytes: 0n,
    sharedBytes: 0n,
    isEncrypted: true,
  };
  const badly = (change: Partial<DatabaseFlags>): string[] =>
    checkFlags({ ...right, ...change }).flatMap(({ check, state }) =>
      state === 'ok' ? [] : [`${check} ${state}`],
    );
  assert.deepEqual(badly({}), []);
  assert.deepEqual(badly({ version: 140_010 }), ['database version wrong']);
  assert.deepEqual(badly({ fsync: 'off' }), ['database fsync wrong']);
  assert.deepEqual(badly({ fullPageWrites: 'off' }), ['database full_page_writes wrong']);
  assert.deepEqual(badly({ synchronousCommit: 'off' }), ['database synchronous_commit wrong']);
  assert.deepEqual(badly({ synchronousCommit: 'remote_apply' }), []);
  assert.deepEqual(badly({ dataChecksums: 'off' }), ['database data_checksums warn']);
  assert.deepEqual(badly({ encoding: 'SQL_ASCII' }), ['database encoding wrong']);
  assert.deepEqual(badly({ isStandby: true }), ['database writes wrong']);
  assert.deepEqual(badly({ isReadOnly: true }), ['database writes wrong']);
});

test('checks clocks, memory and the connection to the database', () => {
  const clock = (aheadMs: number, unsureMs = 100): string => checkClock('clock', aheadMs, unsureMs).state;
  assert.deepEqual(
    [0, -1_900, 2_200, -29_000, 31_000].map((ms) => clock(ms)),
    ['ok', 'ok', 'warn', 'warn', 'wrong'],
  );
  assert.equal(clock(40_000, 15_000), 'warn', 'what a slow answer may account for');
  const memory = (mib: number): string | undefined => checkMemory(mib * MIB)[0]?.state;
  assert.deepEqual([8_192, 2_048, 1_024, 512].map(memory), ['ok', 'ok', 'warn', 'wrong']);
  const shared = (sharedMib: number, databaseMib: number): string =>
    checkSharedMemory({ bytes: BigInt(databaseMib * MIB), sharedBytes: BigInt(sharedMib * MIB) }).state;
  assert.deepEqual(
    [shared(128, 2_048), shared(128, 2_064), shared(1_023, 100_000), shared(1_024, 1_000_000)],
    ['ok', 'warn', 'warn', 'ok'],
  );
  for (const here of ['localhost', '127.0.0.1', '[::1]'])
    assert.ok(isLocal(`postgresql://oja@${here}/oja`), here);
  assert.ok(isLocal('postgresql:///oja?host=%2Frun%2Fpostgresql'));
  for (const there of ['db.example', '10.0.0.5']) assert.ok(!isLocal(`postgresql://oja@${there}/oja`), there);
});

test('names files that others may read, each with its fix', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'oja-doctor-'));
  try {
    assert.deepEqual(
      (await checkFileModes(join(folder, 'none'))).map(({ state }) => state),
      ['skipped'],
    );
    await writeFile(join(folder, 'encryption.key'), '', { mode: 0o600 });
    await mkdir(join(folder, 'outbox'), { mode: 0o700 });
    assert.deepEqual(
      (await checkFileModes(folder)).map(({ state }) => state),
      ['ok'],
    );
    await chmod(folder, 0o755);
    await chmod(join(folder, 'encryption.key'), 0o640);
    assert.deepEqual(
      (await checkFileModes(folder)).map(({ state, todo }) => [state, todo]),
      [folder, join(folder, 'encryption.key')].map((path) => ['wrong', `chmod go= ${path}`]),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('reports whether a port is free, ours, or used by another program', async () => {
  const server = createServer((_request, answer) => answer.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const { port } = address;
  const at = { name: 'x', setting: 'PORT', host: '127.0.0.1', path: '/' };
  const look = async (of: number, ours: boolean): Promise<string | undefined> =>
    (await checkPorts([{ ...at, port: of, isOurs: () => ours }]))[0]?.state;
  assert.deepEqual(
    [await look(port, true), await look(port, false), await look(0, true)],
    ['ok', 'wrong', 'skipped'],
  );
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  assert.equal(await look(port, false), 'ok');
});

test('does not report known settings, or those of another program, as misspelt', () => {
  const unknown = (variables: Record<string, string>) =>
    findUnknownSettings(variables, registriesOf()).map(({ name, nearest }) => `${name} ${nearest}`);
  assert.deepEqual(
    unknown({
      OJA_TOKEN: 'a',
      OJA_SIMULATOR_LATENCY_MS: '1',
      DATABASE_POOL: '5',
      PORTS: '1',
      OJA_NOMBA_SUB_ACCOUNT_ID: 'x',
    }),
    [],
  );
  assert.deepEqual(unknown({ OJA_NOMBA_CLIENTID: 'x', OJA_ENCRYPTON_KEY: 'x', METRIC_PORT: '1' }), [
    'OJA_NOMBA_CLIENTID OJA_NOMBA_CLIENT_ID',
    'OJA_ENCRYPTON_KEY OJA_ENCRYPTION_KEY',
    'METRIC_PORT METRICS_PORT',
  ]);
});

test('a provider is well when it reports our float; its answer checks the clock', async () => {
  const skew = { ms: 0 };
  const server = createServer((_request, answer) => {
    answer.setHeader('date', new Date(Date.now() + skew.ms).toUTCString());
    answer.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}`;
  const one = { name: 'one' };
  const look = async (of: { answers: boolean; knows: boolean }): Promise<Record<string, string>> => {
    const balance = async () => {
      if (of.answers) await (await request(url)).body.dump();
      return of.knows ? { amount: 100n, currency: 'NGN' } : undefined;
    };
    const provider = { name: 'one', environment: 'live', balance } as unknown as Provider;
    return statesOf(await checkProviders([{ ...one, provider }]));
  };
  assert.deepEqual(await look({ answers: true, knows: true }), {
    'provider one': 'ok',
    'clock of one': 'ok',
  });
  const bare = { name: 'one', environment: 'live', balance: async () => undefined };
  const needy = { ...bare, needsPhone: new Set(['ELECTRICITY']) } as unknown as Provider;
  assert.equal(statesOf(await checkProviders([{ ...one, provider: needy }]))['contact phone of one'], 'warn');
  const silent = { ...bare, hasNoBalance: true } as unknown as Provider;
  assert.deepEqual(statesOf(await checkProviders([{ ...one, provider: silent }])), {
    'provider one': 'skipped',
  });
  skew.ms = -120_000;
  assert.deepEqual(await look({ answers: true, knows: false }), {
    'provider one': 'wrong',
    'clock of one': 'wrong',
  });
  assert.deepEqual(await look({ answers: false, knows: false }), { 'provider one': 'wrong' });
  assert.deepEqual(statesOf(await checkProviders([])), { providers: 'warn' });
  server.close();
  server.closeAllConnections();
});

test('accepts a bank that does not know the payment, and warns of one that refuses the credentials', async () => {
  await using bank = await startTestBank({}, { silent: true });
  const host = { sql: { query: () => assert.fail('no SQL') } };
  const stateOf = async (settings: PayvesselSettings): Promise<unknown> => {
    await using opened: FundingProvider = await payvessel.configure(settings).open(host);
    return statesOf(await checkBanks(new Map([[opened.name, opened]])))['bank payvessel'];
  };
  const settings = simulatedPayvessel(bank.url);
  assert.equal(await stateOf(settings), 'ok');
  assert.equal(await stateOf({ ...settings, apiSecret: 'other' }), 'warn');
  assert.equal(await stateOf({ ...settings, baseUrl: 'http://127.0.0.1:9' }), 'warn');
});
