/**
 * Every product of every provider that was bought in the lost time of a restore is entered
 * automatically, with its network, its plan and its goods, and is neither bought nor delivered
 * again.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { runOja } from '../cli/harness.ts';
import { betting, cable, electricity, newMeter, postpaid } from '../e2e/bills.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertAudited,
  data,
  dataSync,
  eventually,
  type Fields,
  newNumber,
  newReference,
  statusOf,
} from '../e2e/gateway-under-test.ts';
import { cardOrders, esimOrders } from '../e2e/goods.ts';
import { deliveriesTo } from '../e2e/provider.ts';
import { copyOf, folder } from '../operate/restore-lock/gone-back.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Answer, type Gateway, startGateway } from '../support/gateway.ts';

type Bought = {
  readonly what: string;
  readonly provider: 'vtpass' | 'nomba' | 'reloadly' | 'esimaccess';
  readonly path: string;
  readonly body: Fields;
  /** Its goods, which are also returned after the restore. */
  readonly goods: readonly string[];
};

function bill(what: string, body: Fields, ...goods: string[]): Omit<Bought, 'provider'> {
  return { what, path: anyProduct, body, goods };
}

const education = { product: 'EDUCATION', phone: '08031234567' };

/** Separate numbers and meters, so that each delivery is found by its recipient. */
function ofVtpass(): readonly Omit<Bought, 'provider'>[] {
  return [
    { what: 'airtime', path: airtimeSync, body: airtime({ msisdn: newNumber(), network: 'glo' }), goods: [] },
    { what: 'data', path: dataSync, body: data({ msisdn: newNumber() }), goods: [] },
    bill('prepaid', electricity({ msisdn: newMeter() }), 'token', 'units'),
    bill('postpaid', postpaid({ msisdn: newMeter() })),
    bill('KEDCO', electricity({ msisdn: newMeter(), network: 'KEDCO', plan_code: '2011' }), 'token'),
    bill('DSTV', cable({ msisdn: newMeter() })),
    bill('GOTV', cable({ msisdn: newMeter(), network: 'GOTV', plan_code: '2131', amount: '1900.00' })),
    bill(
      'STARTIMES',
      cable({ msisdn: newMeter(), network: 'STARTIMES', plan_code: '2161', amount: '1700.00' }),
    ),
    bill(
      'WAEC',
      electricity({
        ...education,
        network: 'WAEC',
        msisdn: newNumber(),
        plan_code: '2301',
        amount: '5350.00',
      }),
      'pins',
    ),
    bill(
      'JAMB',
      electricity({
        ...education,
        network: 'JAMB',
        msisdn: '1234567893',
        plan_code: '2304',
        amount: '6200.00',
      }),
      'pins',
    ),
  ];
}

function ofNomba(): readonly Omit<Bought, 'provider'>[] {
  return [
    {
      what: 'airtime',
      path: airtimeSync,
      body: airtime({ msisdn: newNumber(), network: '9mobile' }),
      goods: [],
    },
    {
      what: 'data',
      path: dataSync,
      body: data({ msisdn: newNumber(), plan_code: 'MTN-2', amount: '200.00' }),
      goods: [],
    },
    bill('postpaid', postpaid({ msisdn: newMeter() })),
    bill('DSTV', cable({ msisdn: newMeter() })),
    bill('betting', betting({ msisdn: 'punter77' })),
  ];
}

it('enters every product of every provider by itself after a restore', async () => {
  await using stack = new AsyncDisposableStack();
  const dataDir = await folder(stack);
  const simulator = await startSimulator(
    readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: await folder(stack) }),
  );
  stack.defer(() => simulator.close());
  const clone = stack.use(await createTestDatabase());
  const settingsOf = (databaseUrl: string) => ({
    DATABASE_URL: databaseUrl,
    OJA_DATA_DIR: dataDir,
    OJA_PROFILE: 'demo',
    OJA_SIMULATOR_URL: simulator.url,
  });
  const start = (databaseUrl: string): Promise<Gateway> =>
    startGateway({ databaseUrl, dataDir, simulatorUrl: simulator.url });
  {
    await using gateway = await start(clone.connectionString);
    await gateway.stop();
  }
  const backup = await copyOf(clone.connectionString, stack);

  const lost: { readonly bought: Bought; readonly told: Answer }[] = [];
  {
    await using gateway = await start(clone.connectionString);
    const buy = async (bought: Bought): Promise<void> => {
      lost.push({ bought, told: await buyWhole(gateway, bought) });
    };
    for (const one of ofVtpass()) await buy({ ...one, provider: 'vtpass' });
    await routeAll(gateway, settingsOf(clone.connectionString), 'nomba');
    for (const one of ofNomba()) await buy({ ...one, provider: 'nomba' });
    const card = { plan_id: 300008, request_id: newReference(), quantity: 2 };
    await buy({ what: 'card', provider: 'reloadly', path: cardOrders, body: card, goods: ['cards'] });
    const esim = { plan_id: 'US-1GB-7D', request_id: newReference() };
    await buy({
      what: 'eSIM',
      provider: 'esimaccess',
      path: esimOrders,
      body: esim,
      goods: ['lpa', 'iccid'],
    });
    await gateway.stop();
  }

  await using gateway = await start(backup);
  const settings = settingsOf(backup);
  const file = join(dataDir, 'vtpass.csv');
  await writeFile(file, await (await fetch(`${simulator.url}/statements/vtpass.csv`)).text());
  const until = new Date();
  const from = new Date(until.getTime() - 86_400_000);
  const whole = ['--from', from.toISOString(), '--to', until.toISOString(), '--apply'];
  for (const party of [['vtpass', file], ['nomba'], ['reloadly'], ['esimaccess']]) {
    const ran = await runOja(settings, ['reconcile', ...party, ...whole]);
    assert.equal(ran.err, '', ran.out);
  }
  for (const command of [
    ['restore', 'open'],
    ['credential', 'confirm', '--all', '--yes'],
  ]) {
    const done = await runOja(settings, command);
    assert.equal(done.code, 0, done.err);
  }
  await eventually('it is open', async () => {
    const { body } = await gateway.call('GET', '/v1/healthz', { as: 'nobody' });
    return body.checks.restore_lock === 'ok' ? true : undefined;
  });
  for (const { bought, told } of lost) await assertFound(gateway, bought, told);
  await assertAudited(gateway.database);
});

async function routeAll(
  gateway: Gateway,
  settings: Readonly<Record<string, string>>,
  provider: string,
): Promise<void> {
  for (const product of ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING']) {
    const set = await runOja(settings, ['route', 'set', 'live', product, '*', provider]);
    assert.equal(set.code, 0, set.err);
  }
  await gateway.database.query("delete from routes where environment = 'live' and network <> '*'");
  await eventually('the routes are used', async () => {
    const body = airtime({ msisdn: newNumber() });
    await gateway.call('POST', airtimeSync, { as: 'live', body });
    const [delivery] = await deliveriesTo(gateway, body.msisdn);
    return delivery?.provider === provider ? true : undefined;
  });
}

function isOrder({ path }: Bought): boolean {
  return path === cardOrders || path === esimOrders;
}

async function look(gateway: Gateway, bought: Bought): Promise<Answer> {
  return isOrder(bought)
    ? await gateway.call('GET', `${bought.path}/${bought.body.request_id}`, { as: 'live' })
    : await statusOf(gateway, bought.body.request_ref, 'live');
}

async function buyWhole(gateway: Gateway, bought: Bought): Promise<Answer> {
  const answer = await gateway.call('POST', bought.path, { as: 'live', body: bought.body });
  assert.equal(answer.status, 200, `${bought.what}: ${answer.text}`);
  return await untilSuccess(gateway, bought);
}

async function untilSuccess(gateway: Gateway, bought: Bought): Promise<Answer> {
  return await eventually(`${bought.provider} ${bought.what} is a success`, async () => {
    const answer = await look(gateway, bought);
    const { response_code: code, code: other } = answer.body;
    const goods = answer.body.payload ?? answer.body.data ?? {};
    const isWhole = bought.goods.every((name) => goods[name] !== undefined);
    return (code ?? other) === '00' && isWhole ? answer : undefined;
  });
}

/** It is found with its goods, refused when it is sent again, and delivered once. */
async function assertFound(gateway: Gateway, bought: Bought, told: Answer): Promise<void> {
  const name = `${bought.provider} ${bought.what}`;
  const found = await untilSuccess(gateway, bought);
  const [before, after] = [told, found].map(({ body }) => body.payload ?? body.data);
  for (const field of [...bought.goods, 'product', 'network', 'plan_code', 'amount', 'charge', 'msisdn'])
    assert.deepEqual(after[field], before[field], `${name}, ${field}: ${found.text} / ${told.text}`);
  const again = await gateway.call('POST', bought.path, { as: 'live', body: bought.body });
  assert.equal(again.status, 422, `${name}: ${again.text}`);
  assert.equal(again.body.data.status, 'success', `${name}: ${again.text}`);
  if (isOrder(bought)) return;
  const deliveries = await deliveriesTo(gateway, bought.body.msisdn);
  assert.deepEqual(
    deliveries.map(({ provider }) => provider),
    [bought.provider],
    name,
  );
}
