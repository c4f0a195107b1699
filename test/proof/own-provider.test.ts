/**
 * A custom provider in a custom program: it sells, answers queries, is routed and calls back, with
 * no change in src.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { ConfigError, loadConfig } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { acme } from '../app/own/acme/index.ts';
import { spawnOja } from '../cli/harness.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  eventually,
  openGatewayUnderTest,
  putOffQuestions,
  statusOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { createTestDatabase } from '../support/database.ts';
import type { Answer } from '../support/gateway.ts';

const KEY = 'a-key-of-acme';
const ownOja = join(import.meta.dirname, '..', 'app', 'own', 'oja.ts');

/**
 * Acme: orders with our reference are delivered at once. An order for a number that ends in 9 is
 * delivered when the test requests it.
 */
const orders = new Map<string, { phone: string; naira: string; state: string; asked: number }>();
const server = createServer((request, response) => {
  const say = (body: object): void => void response.end(JSON.stringify(body));
  if (request.headers['x-key'] !== KEY) return say({ state: 'who are you' });
  if (request.method === 'POST') {
    void readJson(request).then((body) => {
      const { id, phone, naira } = body as { id: string; phone: string; naira: string };
      const state = phone.endsWith('9') ? 'working' : 'done';
      orders.set(id, { phone, naira, state, asked: 0 });
      say({ state });
    });
    return;
  }
  const order = orders.get(request.url?.slice('/orders/'.length) ?? '');
  if (order === undefined) return say({ state: 'never_heard' });
  order.asked += 1;
  say({ state: order.state });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const clone = await createTestDatabase();
const route = ['route', 'set', 'live', 'airtime', 'MTN', 'acme'];
const routed = await spawnOja({ DATABASE_URL: clone.connectionString }, route, ownOja);
const gateway = await openGatewayUnderTest({
  entry: join(import.meta.dirname, '..', 'app', 'own', 'gateway.ts'),
  databaseUrl: clone.connectionString,
  settings: { OJA_ACME_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, OJA_ACME_KEY: KEY },
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await clone[Symbol.asyncDispose]();
});

/** The only order that Acme has for a number, with its reference. */
async function orderFor(msisdn: string): Promise<[string, { state: string; naira: string; asked: number }]> {
  return await eventually('Acme has the order', () => {
    const found = [...orders].filter(([, { phone }]) => phone.endsWith(msisdn.slice(1)));
    assert.ok(found.length <= 1, 'ordered once');
    return found[0];
  });
}

function callBack(reference: string, key: string, provider = 'acme'): Promise<Answer> {
  return gateway.call('POST', `/hooks/${provider}`, {
    as: 'nobody',
    body: { id: reference },
    headers: { 'x-key': key },
  });
}

describe('a provider of one’s own', () => {
  it('commands that know it set its routes, and no others', async () => {
    assert.deepEqual([routed.code, routed.err], [0, '']);
    const refused = await spawnOja({ DATABASE_URL: clone.connectionString }, route);
    assert.deepEqual([refused.code, refused.refused], [1, 'no_such_provider']);
    const inTest = route.with(2, 'test');
    assert.equal((await spawnOja({ DATABASE_URL: clone.connectionString }, inTest, ownOja)).code, 1);
  });

  it('sells in the request', async () => {
    const msisdn = '08031000001';
    const answer = await gateway.call('POST', airtimeSync, { as: 'live', body: airtime({ msisdn }) });
    assert.deepEqual([answer.status, answer.body.response_code], [200, '00'], answer.text);
    assert.equal(answer.body.data.telco_message, 'Acme delivered');
    assert.equal((await orderFor(msisdn))[1].naira, '100.00');
  });

  it('sells in the background', async () => {
    const msisdn = '08031000002';
    const order = airtime({ msisdn });
    await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
    await orderFor(msisdn);
  });

  it('gets no purchases of test credentials, and none of a network without a route to it', async () => {
    const before = orders.size;
    for (const [as, network] of [
      ['test', 'mtn'],
      ['live', 'glo'],
    ] as const) {
      const answer = await gateway.call('POST', airtimeSync, { as, body: airtime({ network }) });
      // The demo's route of the whole product serves the other networks.
      assert.equal(answer.status, 200, answer.text);
    }
    assert.equal(orders.size, before);
  });

  it('is queried after a callback, and not after a forged one', async () => {
    const msisdn = '08031000009';
    const order = airtime({ msisdn });
    const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    const [reference, acmes] = await orderFor(msisdn);
    await eventually('the answer is on record', async () => {
      const rows = await gateway.database.query(
        "select 1 from provider_answers join attempts using (purchase_id) where reference = $1 and kind = 'accepted'",
        [reference],
      );
      return rows.length > 0 ? true : undefined;
    });
    await putOffQuestions(gateway, created.body.data.internal_reference);
    acmes.state = 'done';
    const said = { response: 'success' };
    assert.deepEqual((await callBack(reference, 'another-key')).body, said);
    assert.deepEqual(
      [(await statusOf(gateway, order.request_ref, 'live')).body.code, acmes.asked],
      ['02', 0],
    );
    assert.deepEqual((await callBack(reference, KEY)).body, said);
    assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
    assertRefused(await callBack(reference, KEY, 'acme2'), 404);
  });

  it('has its settings validated with all the others, and is absent without them', () => {
    const registries = registriesOf({ providers: [...builtInProviders, acme] });
    assert.equal(loadConfig({}, registries).providers.has('acme'), false);
    assert.throws(
      () => loadConfig({ OJA_ACME_URL: 'http://acme.example', PORT: 'x' }, registries),
      (error) => error instanceof ConfigError && /\bPORT\b.*\n.*\bOJA_ACME_KEY\b/.test(error.message),
    );
  });

  it('has its own display name', () => {
    assert.throws(() => registriesOf({ providers: [acme, ...builtInProviders, acme] }), /acme/);
  });
});
