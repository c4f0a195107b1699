/**
 * Providers under two running gateway processes: new credentials, pauses, shares and health; and a
 * provider that dies.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { createTokenOperation } from '../../src/backoffice/access/operations/create-token.ts';
import { systemClock } from '../../src/core/clock.ts';
import { type Ran, spawnOja } from '../cli/harness.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  eventually,
  newNumber,
  newReference,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo } from '../e2e/provider.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway.ts';

const ownOja = join(import.meta.dirname, '..', 'app', 'own', 'oja.ts');
const entry = join(import.meta.dirname, '..', 'app', 'own', 'gateway.ts');
const [firstKey, secondKey, wrongKey] = ['acme-key-one-1111', 'acme-key-two-2222', 'acme-key-wrong-3333'];

/** Acme accepts one key, and delays an order whose number is in `slow`. */
const acme = {
  key: firstKey,
  sold: [] as { phone: string; key: unknown }[],
  slow: new Map<string, Promise<void>>(),
};
const server = createServer((request, response) => {
  const say = (body: object): void => void response.end(JSON.stringify(body));
  const key = request.headers['x-key'];
  if (key !== acme.key) return say({ state: 'who_are_you' });
  if (request.method === 'GET') return say({ state: 'never_heard' });
  void readJson(request).then(async (body) => {
    const { phone } = body as { phone: string };
    acme.sold.push({ phone, key });
    await acme.slow.get(phone.slice(-10));
    say({ state: 'done' });
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.close();
  server.closeAllConnections();
});
const acmeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const gateway = await openGatewayUnderTest({ entry });
const { databaseUrl, simulatorUrl } = gateway;
const second = await startGateway({
  entry,
  databaseUrl,
  simulatorUrl,
  dataDir: gateway.dataDir,
});
after(() => second[Symbol.asyncDispose]());

/** All output that the operator saw. */
const outputs: string[] = [];
const actor = { name: 'ada', principal: 'user:ada', edge: 'cli' } as const;
const { token } = await gateway.database.transaction((tx) =>
  createTokenOperation.run(
    { tx, actor, clock: systemClock },
    { role: ['admin'], name: 'ada', expires: '1d' },
  ),
);

async function oja(...args: string[]): Promise<Ran> {
  const settings = { DATABASE_URL: databaseUrl, OJA_DATA_DIR: gateway.dataDir };
  const ran = await spawnOja(settings, args, ownOja);
  outputs.push(ran.out, ran.err);
  return ran;
}

type Said = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly data: any;
  readonly reason?: string;
  readonly message: string;
};

type Method = 'GET' | 'POST' | 'PUT';

/** By the admin API of the first process. */
async function admin(method: Method, path: string, body?: object): Promise<Said> {
  const answer = await fetch(`${gateway.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  outputs.push(text);
  const { data, reason, message } = JSON.parse(text) as Said;
  return { status: answer.status, data, ...(reason !== undefined && { reason }), message: message ?? text };
}

async function done(method: Method, path: string, body?: object): Promise<Said['data']> {
  const said = await admin(method, path, body);
  assert.equal(said.status, 200, said.message);
  return said.data;
}

function store(values: Readonly<Record<string, string>>, provider = 'acme'): Promise<Said> {
  return admin('PUT', `/providers/${provider}/credentials`, { values });
}

/** Both processes work with it. */
async function untilInUse(version: number): Promise<void> {
  await eventually(`version ${version} is in use`, async () => {
    const rows = await gateway.database.query<{ version: string }>(
      "select state->>'credentials_version' as version from provider_states where provider = 'acme'",
    );
    return rows.length === 2 && rows.every((row) => row.version === String(version)) ? true : undefined;
  });
}

function buy(at: Gateway, msisdn: string, path = airtimeSync, fields: object = {}): Promise<Answer> {
  return at.call('POST', path, { as: 'live', body: airtime({ msisdn, ...fields }) });
}

function soldByAcme(msisdn: string): { phone: string; key: unknown } | undefined {
  return acme.sold.find(({ phone }) => phone.endsWith(msisdn.slice(1)));
}

function route(change: object): Promise<Said['data']> {
  return done('PUT', '/routes/live/airtime/MTN', change);
}

/** Waits until both processes have the routes and pauses that were stored before. */
async function untilSoldBy(provider: 'acme' | 'vtpass'): Promise<void> {
  for (const at of [gateway, second]) {
    await eventually(`${provider} sells`, async () => {
      const msisdn = newNumber();
      const answer = await buy(at, msisdn);
      // 503: it still has the previous pause.
      if (answer.status === 503) return undefined;
      assert.equal(answer.status, 200, answer.text);
      return (soldByAcme(msisdn) !== undefined) === (provider === 'acme') ? true : undefined;
    });
  }
}

describe('credentials that are stored sealed', () => {
  it('adds a provider without settings in every process, without a restart', async () => {
    await route({ providers: ['acme', 'vtpass'] });
    await untilSoldBy('vtpass');
    const path = join(gateway.dataDir, 'acme.env');
    await writeFile(path, `# Acme\n\nOJA_ACME_URL=${acmeUrl}\nexport OJA_ACME_KEY="${firstKey}"\n`);
    const ran = await oja('provider', 'set-credentials', 'acme', '--file', path, '--json');
    assert.equal(ran.code, 0, ran.err);
    const { version, fingerprints } = JSON.parse(ran.out).data;
    assert.equal(version, 1);
    assert.deepEqual(Object.keys(fingerprints).sort(), ['OJA_ACME_KEY', 'OJA_ACME_URL']);
    await untilSoldBy('acme');
    await untilInUse(1);
    const headers = { 'x-key': firstKey };
    const called = await gateway.call('POST', '/hooks/acme', { as: 'nobody', body: {}, headers });
    assert.equal(called.status, 200, called.text);
  });

  it('rotates credentials during calls, which end with the earlier credentials', async () => {
    const msisdn = newNumber();
    const { promise, resolve } = Promise.withResolvers<void>();
    acme.slow.set(msisdn.slice(1), promise);
    const slow = buy(gateway, msisdn);
    await eventually('the call is under way', () => soldByAcme(msisdn));
    acme.key = secondKey;
    // Absent settings stay unchanged.
    assert.equal((await store({ OJA_ACME_KEY: secondKey })).status, 200);
    await untilInUse(2);
    await untilSoldBy('acme');
    resolve();
    const answer = await slow;
    assert.equal(answer.body.response_code, '00', answer.text);
    assert.equal(soldByAcme(msisdn)?.key, firstKey);
    assert.equal(acme.sold.at(-1)?.key, secondKey);
  });

  it('refuses credentials that cannot work, and changes nothing', async () => {
    for (const [values, reason, names] of [
      [{ OJA_ACME_KEY: '' }, 'credentials_unfit', /\bOJA_ACME_KEY\b/],
      [{ OJA_ACME_URL: 'ftp://acme.example', OJA_ACME_KEY: 'x' }, 'credentials_unfit', /\bOJA_ACME_URL\b/],
      [{ OJA_ACME_URL: 'https://acme.example' }, 'secrets_for_address', /\bOJA_ACME_KEY\b/],
      [{ OJA_ACME_PIN: '1234' }, 'credential_unknown', /\bOJA_ACME_URL, OJA_ACME_KEY\b/],
    ] as const) {
      const refused = await store(values);
      assert.deepEqual([refused.status, refused.reason], [400, reason], refused.message);
      assert.match(refused.message, names);
    }
    const shown = await done('GET', '/providers/acme');
    assert.deepEqual([shown.credentials.version, shown.credentials_before.version], [2, 1]);
    assert.deepEqual(shown.settings, [
      { name: 'OJA_ACME_URL', secret: false },
      { name: 'OJA_ACME_KEY', secret: true },
    ]);
  });

  it('restores the earlier credentials with one command', async () => {
    const before = (await done('GET', '/providers/acme')).credentials.fingerprints;
    assert.equal((await store({ OJA_ACME_KEY: wrongKey })).status, 200);
    await untilInUse(3);
    assert.notDeepEqual((await done('GET', '/providers/acme')).credentials.fingerprints, before);
    const restored = await done('POST', '/providers/acme/credentials/restore');
    assert.deepEqual([restored.version, restored.fingerprints], [4, before]);
    await untilInUse(4);
    await untilSoldBy('acme');
  });

  it('refuses a partial change that may be another account while orders are queried', async () => {
    const reference = newReference();
    acme.key = 'nobody';
    await gateway.call('POST', airtimeAsync, { as: 'live', body: airtime({ request_ref: reference }) });
    await eventually('it is asked about', async () => {
      const rows = await gateway.database.query(
        "select from pending_purchases where provider = 'acme' and step = 'query' and due_at is not null and owner is null",
      );
      return rows.length > 0 ? true : undefined;
    });
    const refused = await store({ OJA_ACME_URL: `${acmeUrl}/`, OJA_ACME_KEY: secondKey });
    assert.deepEqual([refused.status, refused.reason], [409, 'provider_account_changes'], refused.message);
    assert.match(refused.message, /\bOJA_ACME_URL\b/);
    acme.key = secondKey;
  });

  it('reads the simulator’s own keys too, and tests them with one query', async () => {
    const isTaken = async (): Promise<boolean> => (await done('POST', '/providers/vtpass/test')).answered;
    assert.equal(await isTaken(), true);
    const keys = ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'];
    const wrong = Object.fromEntries(keys.map((name) => [name, 'wrong']));
    const stored = await store({ ...wrong, OJA_VTPASS_BASE_URL: `${simulatorUrl}/vtpass/api` }, 'vtpass');
    assert.equal(stored.status, 200, stored.message);
    await eventually('they are not taken', async () => ((await isTaken()) ? undefined : true));
    const tested = await oja('provider', 'test', 'vtpass');
    assert.deepEqual([tested.code, tested.err], [1, '']);
    // Back to those of the environment.
    const restored = await done('POST', '/providers/vtpass/credentials/restore');
    assert.deepEqual(restored.fingerprints, {});
    await eventually('those before are taken', async () => ((await isTaken()) ? true : undefined));
  });

  it('never shows credentials in output, logs or audit entries', async () => {
    const entries = await gateway.database.query<{ line: string }>(
      'select row_to_json(a)::text as line from audit_log a union all select row_to_json(c)::text from provider_credentials c',
    );
    const said = [...outputs, gateway.output(), second.output(), ...entries.map(({ line }) => line)].join(
      '\n',
    );
    assert.match(said, /provider\.set_credentials/);
    for (const secret of [firstKey, secondKey, wrongKey, acmeUrl]) assert.ok(!said.includes(secret), secret);
  });
});

describe('a provider that is paused', () => {
  it('sends no new purchase to a paused provider in any process; the next provider serves', async () => {
    const reason = 'Acme is under maintenance';
    const paused = await done('POST', '/providers/acme/pause', { reason });
    assert.deepEqual(paused, { provider: 'acme', product: '*', network: '*', paused: true, changed: true });
    await untilSoldBy('vtpass');
    const sold = acme.sold.length;
    for (const at of [gateway, second]) {
      const msisdn = newNumber();
      assert.equal((await buy(at, msisdn)).body.response_code, '00');
      assert.equal((await deliveriesTo(gateway, msisdn))[0]?.provider, 'vtpass');
    }
    assert.equal(acme.sold.length, sold);
    const [row] = (await done('GET', '/providers')).filter(
      (one: { provider: string }) => one.provider === 'acme',
    );
    assert.equal(row.paused[0].reason, reason);
    const again = await done('POST', '/providers/acme/pause', { reason: 'once more' });
    assert.equal(again.changed, false);
  });

  it('refuses a purchase that only the paused provider serves: 503, and nothing is stored', async () => {
    const place = { product: 'airtime', network: 'mtn' };
    await done('POST', '/providers/vtpass/pause', { ...place, reason: 'MTN fails there' });
    for (const [at, path] of [
      [gateway, airtimeSync],
      [second, airtimeAsync],
    ] as const) {
      const reference = newReference();
      await eventually('it is refused', async () => {
        const fields = { request_ref: newReference() };
        return (await buy(at, newNumber(), path, fields)).status === 503 ? true : undefined;
      });
      const answer = await buy(at, newNumber(), path, { request_ref: reference });
      assertRefused(answer, 503);
      assert.equal((await statusOf(at, reference, 'live')).status, 404);
    }
    // Another network is still sold.
    const glo = await buy(gateway, newNumber(), airtimeSync, { network: 'glo' });
    assert.notEqual(glo.status, 500, glo.text);
    await done('POST', '/providers/vtpass/resume', place);
    const nothing = await admin('POST', '/providers/vtpass/resume', place);
    assert.deepEqual([nothing.status, nothing.reason], [409, 'not_paused']);
    await untilSoldBy('vtpass');
  });

  it('sells again when resumed, with both in the audit log', async () => {
    await done('POST', '/providers/acme/resume');
    await untilSoldBy('acme');
    const entries = await gateway.database.query<{ action: string }>(
      "select action from audit_log where subject = 'provider:acme' and action like 'provider.%e' order by id",
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['provider.pause', 'provider.resume'],
    );
  });

  it('refuses to pause unknown providers', async () => {
    for (const [name, place, reason] of [
      ['nobody', {}, 'no_such_provider'],
      ['acme', { network: 'MTN' }, 'input_malformed'],
      ['acme', { product: 'airtime', network: 'DSTV' }, 'no_such_network'],
      ['acme', { reason: ' ' }, 'input_malformed'],
    ] as const) {
      const refused = await admin('POST', `/providers/${name}/pause`, { reason: 'x', ...place });
      assert.deepEqual([refused.status, refused.reason], [400, reason], refused.message);
    }
  });
});

describe('a route with shares', () => {
  it('gives each provider its share, in every process', async () => {
    const shares = { acme: 30, vtpass: 70 };
    const set = await route({ providers: ['acme', 'vtpass'], share: shares });
    assert.deepEqual(set.shares, shares);
    await untilSoldBy('vtpass');
    const numbers = Array.from({ length: 60 }, () => newNumber());
    await Promise.all(numbers.map((msisdn, index) => buy(index % 2 === 0 ? gateway : second, msisdn)));
    const acmes = numbers.filter((msisdn) => soldByAcme(msisdn) !== undefined).length;
    assert.ok(acmes >= 5 && acmes <= 35, `${acmes} of 60, where 18 are expected`);
    const listed = await done('GET', '/routes');
    const isHere = ({ product, network }: { product: string; network: string }): boolean =>
      product === 'airtime' && network === 'MTN';
    assert.deepEqual(listed.find(isHere).shares, shares);
  });

  it('refuses a share of an unknown provider, or an invalid one', async () => {
    for (const share of [{ nomba: 50 }, { acme: 0 }, { acme: '70' }]) {
      const change = { providers: ['acme', 'vtpass'], share };
      assert.equal((await admin('PUT', '/routes/live/airtime/MTN', change)).status, 400);
    }
    assert.deepEqual((await route({ providers: ['acme', 'vtpass'] })).shares, {});
    await untilSoldBy('acme');
  });
});

describe('how providers do', () => {
  it('shows answers, calls, float and routes over all processes', async () => {
    for (const at of [gateway, second]) {
      const order = airtime({ msisdn: newNumber() });
      await at.call('POST', airtimeSync, { as: 'live', body: order });
      await untilFinal(at, order.request_ref, 'live');
    }
    const shown = await eventually('both processes have told', async () => {
      const now = await done('GET', '/providers/acme');
      const told = now.in_processes.filter(
        (one: { five_minutes: { success: number } }) => one.five_minutes.success > 0,
      );
      return told.length === 2 ? now : undefined;
    });
    assert.equal(shown.processes, 2);
    assert.equal(shown.health, 'well');
    assert.equal(shown.breaker.state, 'closed');
    assert.equal(shown.limiter.calls_max > 0, true);
    assert.ok(Date.now() - Date.parse(shown.last_answer.at) < 60_000);
    const route = { product: 'airtime', network: 'MTN', kind: '*', strategy: 'order' };
    assert.deepEqual(shown.routes, [{ ...route, position: 1, share: null }]);
    const [vtpass] = (await done('GET', '/providers')).filter(
      (one: { provider: string }) => one.provider === 'vtpass',
    );
    assert.equal(vtpass.float.currency, 'NGN');
    const ran = await oja('provider', 'show', 'acme', '--json');
    assert.equal(ran.code, 0, ran.err);
    const { provider, health, credentials, credentials_in_use: used } = JSON.parse(ran.out).data;
    assert.deepEqual(
      [provider, health, credentials.version, credentials.set_by, used],
      ['acme', 'well', 4, 'ada', [4]],
    );
  });

  it('shows a dead provider: no call succeeds, and no call reaches it', async () => {
    server.close();
    server.closeAllConnections();
    for (let tries = 0; tries < 4; tries += 1) await buy(gateway, newNumber());
    const dead = await eventually('it shows', async () => {
      const shown = await done('GET', '/providers/acme');
      return shown.five_minutes.unreachable >= 4 ? shown : undefined;
    });
    assert.equal(dead.last_call.what, 'unreachable');
    const metrics = await (await fetch(gateway.metricsUrl)).text();
    assert.match(metrics, /oja_provider_calls_total\{provider="acme",result="unreachable"\} [4-9]/);
    assert.match(metrics, /oja_provider_calls_max\{provider="acme",kind="orders"\} \d+/);
  });

  it('forgets a dead process; a new one uses the stored credentials', async () => {
    second.kill('SIGKILL');
    await second.exited;
    await eventually('one is left', async () => {
      const { processes } = await done('GET', '/providers/acme');
      return processes === 1 ? true : undefined;
    });
    await using _ = await startGateway({ entry, databaseUrl, simulatorUrl, dataDir: gateway.dataDir });
    await eventually('both work with the same', async () => {
      const { processes, credentials_in_use: versions } = await done('GET', '/providers/acme');
      return processes === 2 && versions.join() === '4' ? true : undefined;
    });
  });
});
