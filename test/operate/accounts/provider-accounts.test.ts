/**
 * Accounts at a provider are added, renamed and removed while two gateway processes sell. Two
 * simulators are two accounts: neither knows the orders of the other.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { loadConfig } from '../../../src/app/config.ts';
import { openLiveProviders } from '../../../src/app/live-providers.ts';
import { registriesOf } from '../../../src/app/registries.ts';
import { createTokenOperation } from '../../../src/backoffice/access/operations/create-token.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Role } from '../../../src/core/operation.ts';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import { markRemoved } from '../../../src/providers/provider-account-store.ts';
import { type Ran, runOja } from '../../cli/harness.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  eventually,
  newNumber,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
} from '../../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave } from '../../e2e/provider.ts';
import { openShop } from '../../e2e/shop.ts';
import { itInProof } from '../../support/budget.ts';
import { type Answer, type Gateway, ownSimulator, startGateway } from '../../support/gateway.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const otherUrl = await ownSimulator(stack);
// Own gateway: changes the providers.
const gateway = await openGatewayUnderTest({ settings: { OJA_NOT_FOUND_GRACE_S: '30' } });
const { databaseUrl, simulatorUrl, dataDir, database } = gateway;
const second = stack.use(await startGateway({ databaseUrl, simulatorUrl, dataDir }));
/** For the books and set behaviour of the other account. */
const other = { simulatorUrl: otherUrl } as Gateway;
const shop = await openShop(gateway, { balance: 100_000_000n });

async function tokenOf(role: Role): Promise<string> {
  const actor = { name: role, principal: `user:${role}`, edge: 'cli' } as const;
  const created = await database.transaction((tx) =>
    createTokenOperation.run({ tx, actor, clock: systemClock }, { role: [role], name: role, expires: '1d' }),
  );
  return created.token;
}

const admin = await tokenOf('admin');

type Said = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly data: any;
  readonly reason: string | undefined;
  readonly text: string;
};

async function ask(method: string, path: string, body?: object, token = admin, at = gateway): Promise<Said> {
  const answer = await fetch(`${at.adminUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { data, reason } = JSON.parse(text) as Said;
  return { status: answer.status, data, reason, text };
}

async function done(method: string, path: string, body?: object): Promise<Said['data']> {
  const said = await ask(method, path, body);
  assert.equal(said.status, 200, said.text);
  return said.data;
}

async function refused(status: number, reason: string, asking: Promise<Said>): Promise<void> {
  const said = await asking;
  assert.deepEqual([said.status, said.reason], [status, reason], said.text);
}

const add = (name: string, connector = 'vtpass', token = admin) =>
  ask('POST', '/providers', { connector, name }, token);
const rename = (provider: string, name: string, token = admin) =>
  ask('POST', `/providers/${provider}/rename`, { name }, token);
const remove = (provider: string, body: object = {}, token = admin) =>
  ask('DELETE', `/providers/${provider}`, body, token);
const route = (...providers: string[]) => done('PUT', '/routes/live/airtime/MTN', { providers });

function oja(...args: string[]): Promise<Ran> {
  return runOja({ DATABASE_URL: databaseUrl, OJA_DATA_DIR: dataDir }, args);
}

const otherAccount = {
  OJA_VTPASS_BASE_URL: `${otherUrl}/vtpass/api`,
  OJA_VTPASS_API_KEY: 'simulator-api-key',
  OJA_VTPASS_PUBLIC_KEY: 'PK_simulator',
  OJA_VTPASS_SECRET_KEY: 'SK_simulator',
};

async function buy(at: Gateway): Promise<[Answer, Record<string, unknown>]> {
  const order = airtime({ merchant: shop.code, msisdn: newNumber() });
  return [await at.call('POST', airtimeSync, { as: shop.live, body: order }), order];
}

/** Waits until both processes sell at the account. Returns the last purchase. */
async function untilSoldAt(account: Gateway): Promise<Record<string, string>> {
  let last: Record<string, string> = {};
  for (const at of [gateway, second]) {
    await eventually('the process sells there', async () => {
      const [bought, order] = await buy(at);
      // It may learn the route before the account.
      if (bought.body.reason === 'no_provider') return undefined;
      assert.equal(bought.status, 200, bought.text);
      last = { ...order, id: bought.body.data.internal_reference } as Record<string, string>;
      return (await deliveriesTo(account, last.msisdn ?? '')).length === 1 ? true : undefined;
    });
  }
  return last;
}

/** Buys an order that the other account delivers and does not report before `tell`. */
async function buyInDoubt(): Promise<Record<string, string>> {
  const msisdn = newNumber();
  await misbehave(
    other,
    { fault: 'odd_reply', recipient: msisdn, operation: 'pay', delivered: true },
    { fault: 'odd_reply', recipient: msisdn, operation: 'requery' },
  );
  const order = airtime({ merchant: shop.code, msisdn });
  const bought = await gateway.call('POST', airtimeAsync, { as: shop.live, body: order });
  assert.equal(bought.status, 200, bought.text);
  const id = bought.body.data.internal_reference as string;
  await eventually('its answer is in doubt', async () => {
    const rows = await database.query(
      "select from provider_answers where purchase_id = $1 and kind = 'unknown'",
      [id],
    );
    return rows.length > 0 ? true : undefined;
  });
  return { ...order, id } as Record<string, string>;
}

async function tell({ msisdn }: Record<string, string>): Promise<void> {
  await misbehave(other, { fault: 'slow', recipient: msisdn ?? '', operation: 'requery', delay_ms: 0 });
}

async function untilNothingWaits(): Promise<void> {
  await eventually('nothing waits', async () => {
    await database.query('update pending_purchases set due_at = now() where due_at > now()');
    return (await database.query('select from pending_purchases')).length === 0 ? true : undefined;
  });
}

async function providerOf({ id }: Record<string, string>): Promise<unknown> {
  const { attempts, route: tried } = await done('GET', `/purchases/${id}`);
  return [attempts.map((one: { provider: string }) => one.provider), tried];
}

describe('accounts at a provider', () => {
  it('adds an account by an admin, under a free and well-formed name', async () => {
    for (const name of ['Vtpass', '-lagos', 'a b', 'x'.repeat(41), 'é', 'a_b', 'a/b']) {
      const { status, text } = await add(name);
      assert.equal(status, 400, `${name}: ${text}`);
    }
    for (const name of ['vtpass', 'nomba', 'sandbox', 'paystack', 'none']) {
      await refused(409, 'provider_name_taken', add(name));
    }
    await refused(400, 'no_such_connector', add('vtpass-lagos', 'vtpas'));
    for (const role of ['viewer', 'support', 'finance'] as const) {
      const token = await tokenOf(role);
      await refused(403, 'role_lacking', add('vtpass-lagos', 'vtpass', token));
      await refused(403, 'role_lacking', rename('vtpass', 'vtpass-lagos', token));
      await refused(403, 'role_lacking', remove('vtpass', {}, token));
    }
    await refused(400, 'no_such_provider', ask('GET', '/providers/vtpass-lagos'));
    const added = await add('vtpass-lagos');
    assert.equal(added.status, 200, added.text);
    assert.deepEqual(added.data, { provider: 'vtpass-lagos', connector: 'vtpass', restored: false });
    await refused(409, 'provider_name_taken', add('vtpass-lagos'));
    await refused(409, 'provider_name_taken', add('vtpass-lagos', 'nomba'));
    const listed = (await ask('GET', '/providers')).text;
    assert.deepEqual(
      (JSON.parse(listed).data as { provider: string; connector: string }[])
        .filter(({ connector }) => connector === 'vtpass')
        .map(({ provider }) => provider),
      ['vtpass', 'vtpass-lagos'],
    );
  });

  it('gives an account its own settings, and requires all of them', async () => {
    const path = '/providers/vtpass-lagos/credentials';
    const { OJA_VTPASS_BASE_URL: url, OJA_VTPASS_API_KEY: key } = otherAccount;
    const part = { OJA_VTPASS_BASE_URL: url, OJA_VTPASS_API_KEY: key };
    await refused(400, 'credentials_unfit', ask('PUT', path, { values: part }));
    await done('PUT', path, { values: otherAccount });
    const own = await done('GET', '/providers/vtpass');
    assert.equal(own.credentials, null);
    await refused(
      400,
      'no_such_provider',
      ask('PUT', '/providers/vtpass-kano/credentials', { values: part }),
    );
  });

  it('an account sells once a route names it, and the attempt names the account', async () => {
    await untilSoldAt(gateway);
    await route('vtpass-lagos', 'vtpass');
    const bought = await untilSoldAt(other);
    assert.equal((await deliveriesTo(gateway, bought.msisdn ?? '')).length, 0);
    assert.deepEqual(await providerOf(bought), [['vtpass-lagos'], 'vtpass-lagos,vtpass']);
    const metrics = await (await fetch(gateway.metricsUrl)).text();
    assert.match(metrics, /oja_provider_calls_max\{[^}]*provider="vtpass-lagos"/);
  });

  it('renames an account with a pending order, which is still queried there', async () => {
    const order = await buyInDoubt();
    const renamed = await rename('vtpass-lagos', 'vtpass-ikeja');
    assert.deepEqual(renamed.data, { provider: 'vtpass-ikeja', before: 'vtpass-lagos', changed: true });
    const hook = (name: string) =>
      gateway.call('POST', `/hooks/${name}`, { as: 'nobody', body: { type: 'transaction-update' } });
    await eventually('callbacks under the new name are taken', async () =>
      (await hook('vtpass-ikeja')).status === 200 ? true : undefined,
    );
    assert.equal((await hook('vtpass-lagos')).status, 200);
    assert.equal((await hook('vtpass-kano')).status, 404);
    const pending = await statusOf(gateway, order.request_ref, shop.live);
    assert.equal(pending.body.code, '02', pending.text);
    const waiting = await ask('GET', '/purchases/pending?provider=vtpass-lagos');
    assert.deepEqual(
      JSON.parse(waiting.text).data.map((one: { provider: string }) => one.provider),
      ['vtpass-ikeja'],
    );
    await tell(order);
    await untilNothingWaits();
    const final = await untilFinal(gateway, order.request_ref ?? '', shop.live);
    assert.equal(final.body.code, '00', final.text);
    assert.equal((await deliveriesTo(other, order.msisdn ?? '')).length, 1);
    assert.deepEqual(await providerOf(order), [['vtpass-ikeja'], 'vtpass-ikeja,vtpass']);
  });

  it('keeps routes, settings, pauses and history under the new name', async () => {
    await untilSoldAt(other);
    const shown = await done('GET', '/providers/vtpass-lagos');
    assert.deepEqual(
      [shown.provider, shown.connector, shown.former_names, shown.removed, shown.credentials.version],
      ['vtpass-ikeja', 'vtpass', ['vtpass-lagos'], false, 1],
    );
    assert.deepEqual((await done('GET', '/providers/vtpass-ikeja')).routes, shown.routes);
    const routes = JSON.parse((await ask('GET', '/routes?limit=200')).text).data;
    assert.ok(routes.some(({ providers }: { providers: string[] }) => providers[0] === 'vtpass-ikeja'));
    const failed = await ask('GET', '/purchases?provider=vtpass-lagos&status=success&limit=1');
    assert.equal(JSON.parse(failed.text).data[0].provider, 'vtpass-ikeja');
    const paused = await done('POST', '/providers/vtpass-lagos/pause', { reason: 'by its former name' });
    assert.equal(paused.provider, 'vtpass-ikeja');
    await untilSoldAt(gateway);
    await done('POST', '/providers/vtpass-ikeja/resume', {});
    await untilSoldAt(other);
    await eventually('metrics have the new name', async () => {
      const metrics = await (await fetch(gateway.metricsUrl)).text();
      return /oja_provider_paused\{[^}]*provider="vtpass-ikeja"/.test(metrics) ? true : undefined;
    });
    const listed = await oja('provider', 'list', '--json');
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, /"vtpass-ikeja"/);
    assert.doesNotMatch(listed.out, /"vtpass-lagos"/);
  });

  it('gives an account its own plan codes, which files name', async () => {
    const read = async (): Promise<Record<string, unknown>[]> =>
      JSON.parse((await done('GET', '/catalog/data?format=json')).content);
    const plan = (await read()).find(({ network }) => network === 'MTN');
    assert.ok(plan);
    const codes = plan.provider_codes as Record<string, unknown>;
    const coded = { ...plan, provider_codes: { ...codes, 'vtpass-ikeja': codes.vtpass } };
    const content = JSON.stringify([coded]);
    const changed = await done('POST', '/catalog/import', { content, product: 'data', apply: true });
    assert.equal(changed.applied, true);
    assert.ok(Object.hasOwn(changed.changes[0].fields[0].after, 'vtpass-ikeja'));
    const after = (await read()).find(({ plan_code }) => plan_code === plan.plan_code);
    assert.deepEqual(after?.provider_codes, coded.provider_codes);
    // The catalog has the account's id, under which a purchase looks for its codes.
    const stored = await database.query("select from plans where provider_codes ? 'vtpass-lagos'");
    assert.equal(stored.length, 1);
  });

  it('refuses a name that another account has or had', async () => {
    for (const name of ['vtpass', 'nomba', 'paystack']) {
      await refused(409, 'provider_name_taken', rename('vtpass-ikeja', name));
    }
    await refused(400, 'provider_name_malformed', rename('vtpass-ikeja', 'Ikeja'));
    await refused(400, 'no_such_provider', rename('vtpass-kano', 'vtpass-abuja'));
    await refused(409, 'provider_name_taken', add('vtpass-lagos'));
    assert.equal((await add('vtpass-kano')).status, 200);
    await refused(409, 'provider_name_taken', rename('vtpass-kano', 'vtpass-lagos'));
    await refused(409, 'provider_name_taken', rename('vtpass', 'vtpass-lagos'));
    const back = await rename('vtpass-ikeja', 'vtpass-lagos');
    assert.deepEqual(back.data, { provider: 'vtpass-lagos', before: 'vtpass-ikeja', changed: true });
    const same = await rename('vtpass-ikeja', 'vtpass-lagos');
    assert.deepEqual([same.status, same.data.changed], [200, false]);
  });

  it('renames the connector’s own account', async () => {
    const renamed = await oja('provider', 'rename', 'vtpass', 'vtpass-first', '--json');
    assert.equal(renamed.code, 0, renamed.err);
    await route('vtpass-first');
    assert.deepEqual(await providerOf(await untilSoldAt(gateway)), [['vtpass-first'], 'vtpass-first']);
    await route('vtpass-lagos', 'vtpass');
    await untilSoldAt(other);
  });

  it('reads the environment only for the account named like its connector', async () => {
    const variables = {
      OJA_PROFILE: 'production',
      DATABASE_URL: databaseUrl,
      OJA_ENCRYPTION_KEY: '11'.repeat(32),
      ...otherAccount,
      OJA_VTPASS_BASE_URL: 'https://vtpass.example/api',
    };
    const registries = registriesOf();
    const sealer = createSealer(newSealingKey());
    const unusable: string[] = [];
    await using live = await openLiveProviders(
      {
        config: loadConfig(variables, registries),
        variables,
        registries,
        simulatorUrl: undefined,
        sql: database,
        sealer: () => Promise.resolve(sealer),
        pepper: undefined,
      },
      { info: () => undefined, error: ({ provider }) => void unusable.push(provider) },
    );
    // One has no settings, and no key here opens those of the other.
    assert.deepEqual([...live.providers.keys()], ['sandbox', 'vtpass']);
    assert.deepEqual(unusable, ['vtpass-lagos']);
  });

  it('refuses removal while a route, a purchase or a plan needs the account', async () => {
    await refused(409, 'provider_routed', remove('vtpass-lagos'));
    await refused(409, 'provider_routed', remove('vtpass-lagos', { keep_codes: true }));
    const order = await buyInDoubt();
    await route('vtpass');
    await refused(409, 'provider_has_pending', remove('vtpass-ikeja'));
    await refused(409, 'provider_has_pending', remove('vtpass-ikeja', { keep_codes: true }));
    await tell(order);
    await untilNothingWaits();
    await untilSoldAt(gateway);
    await refused(409, 'provider_has_plans', remove('vtpass-ikeja'));
    const removed = await remove('vtpass-ikeja', { keep_codes: true });
    assert.deepEqual([removed.status, removed.data], [200, { provider: 'vtpass-lagos', plans: 1 }]);
    await refused(400, 'no_such_provider', remove('vtpass-ikeja', { keep_codes: true }));
    await refused(
      400,
      'no_such_provider',
      ask('PUT', '/routes/live/airtime/MTN', { providers: ['vtpass-lagos'] }),
    );
    const rows = (JSON.parse((await ask('GET', '/providers')).text) as Said).data;
    assert.ok(!rows.some(({ provider }: { provider: string }) => provider === 'vtpass-lagos'));
    // Its history is kept.
    assert.deepEqual(await providerOf(order), [['vtpass-lagos'], 'vtpass-lagos,vtpass-first']);
    const found = JSON.parse((await ask('GET', '/purchases?provider=vtpass-ikeja&limit=1')).text).data;
    assert.equal(found[0].provider, 'vtpass-lagos');
    assert.equal((await done('GET', '/providers/vtpass-lagos')).removed, true);
    const kano = await remove('vtpass-kano');
    assert.deepEqual([kano.status, kano.data.plans], [200, 0]);
  });

  it('queries an order that was accepted while its account was removed', async () => {
    assert.equal((await add('vtpass-lagos')).status, 200);
    await route('vtpass-lagos');
    await untilSoldAt(other);
    const order = await buyInDoubt();
    await database.transaction(async (tx) => {
      const account = { provider: 'vtpass-lagos', connector: 'vtpass', by: 'test' };
      await markRemoved(tx, account, true);
    });
    await route('vtpass');
    await untilSoldAt(gateway);
    await tell(order);
    await untilNothingWaits();
    const final = await untilFinal(gateway, order.request_ref ?? '', shop.live);
    assert.equal(final.body.code, '00', final.text);
  });

  it('restores an account that is added again, with its settings and history', async () => {
    await refused(409, 'provider_name_taken', add('vtpass-lagos', 'nomba'));
    const added = await add('vtpass-lagos');
    assert.deepEqual(added.data, { provider: 'vtpass-lagos', connector: 'vtpass', restored: true });
    await route('vtpass-lagos');
    await untilSoldAt(other);
  });

  itInProof('keeps the name when the process that renames is killed', async () => {
    const third = await startGateway({ databaseUrl, simulatorUrl, dataDir });
    await database.transaction(async (tx) => {
      // The account's row is written, and the row of its name waits.
      await tx.query('lock table provider_names in exclusive mode');
      const renaming = ask('POST', '/providers/vtpass-lagos/rename', { name: 'vtpass-jos' }, admin, third);
      const adding = ask('POST', '/providers', { connector: 'vtpass', name: 'vtpass-uyo' }, admin, third);
      const ended = Promise.allSettled([renaming, adding]);
      await eventually('it waits', async () => {
        const waiting = await tx.query(
          "select from pg_locks where not granted and relation = 'provider_names'::regclass",
        );
        return waiting.length > 0 ? true : undefined;
      });
      process.kill(third.pid, 'SIGKILL');
      await third.exited;
      assert.deepEqual(
        (await ended).map(({ status }) => status),
        ['rejected', 'rejected'],
      );
    });
    await third[Symbol.asyncDispose]();
    assert.equal((await done('GET', '/providers/vtpass-lagos')).provider, 'vtpass-lagos');
    await refused(400, 'no_such_provider', ask('GET', '/providers/vtpass-jos'));
    await refused(400, 'no_such_provider', ask('GET', '/providers/vtpass-uyo'));
    assert.equal((await rename('vtpass-lagos', 'vtpass-jos')).data.provider, 'vtpass-jos');
    assert.equal((await add('vtpass-uyo')).data.restored, false);
    const bought = await untilSoldAt(other);
    assert.deepEqual(await providerOf(bought), [['vtpass-jos'], 'vtpass-jos']);
  });
});
