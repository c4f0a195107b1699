/**
 * Prompt and true refusals: an order that its provider cannot serve is not stored, a failed one has
 * a reason, and lookups do not wait for an unresponsive database.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { lookUpPatienceMs } from '../../src/db/answer-soon.ts';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  newReference,
  openSharedGateway,
  statusOf,
} from '../e2e/gateway-under-test.ts';
import { cardOrders, openCounter } from '../e2e/goods.ts';
import { misbehave } from '../e2e/provider.ts';
import { createTestDatabase } from '../support/database.ts';
import { startGateway } from '../support/gateway.ts';

const SOON_MS = 5_000;
const card = { plan_id: 300059 };

describe('a gift card order that its provider cannot serve', () => {
  it('an order without a float is 502: nothing is stored, and the reference stays free', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oja-poor-'));
    const simulator = await startSimulator(
      readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder, OJA_SIMULATOR_BALANCE: '1000' }),
    );
    await using gateway = await startGateway({ simulatorUrl: simulator.url });
    const counter = await openCounter(gateway, cardOrders);
    const request_id = newReference();
    for (let time = 0; time < 2; time += 1) {
      const answer = await counter.assertNothingStored({ ...card, request_id });
      assertRefused(answer, 502, { reason: 'order_not_served' });
      assert.doesNotMatch(answer.text, /reloadly|wallet|float|our /i);
      assertRefused(await counter.look(request_id), 404);
    }
    // Test credentials buy from no provider.
    const test = await gateway.call('POST', cardOrders, { body: { ...card, request_id } });
    assert.equal(test.body.response_code, '00', test.text);
    await gateway.stop();
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('an order that the provider refuses is 01, stored, with a reason', async () => {
    const gateway = await openSharedGateway();
    const counter = await openCounter(gateway, cardOrders);
    await misbehave(gateway, { fault: 'float_out', recipient: '261' });
    const answer = await counter.order(card);
    assert.equal(answer.body.response_code, '01', answer.text);
    assert.equal(answer.body.data.reason, 'provider_refused');
    const { request_id } = answer.body.data;
    assert.equal((await counter.look(request_id)).body.response_message, answer.body.response_message);
    const status = await statusOf(gateway, request_id, counter.shop.live);
    assert.equal(status.body.message, answer.body.response_message);
    await counter.assertSpent('0.00');
  });
});

describe('while the database does not respond', () => {
  it('lookups are 503 and never say "send"', async () => {
    const own = await createTestDatabase();
    const proxy = await openDatabaseProxy(own.connectionString);
    after(async () => {
      await proxy[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    });
    await using gateway = await startGateway({ databaseUrl: proxy.connectionString });
    const body = airtime();
    assert.equal((await gateway.call('POST', airtimeSync, { body })).body.response_code, '00');
    const paths = [
      anyProduct,
      `${anyProduct}/status?request_ref=${body.request_ref}`,
      '/v1/wallet/balance',
      '/v1/wallet/statement',
      '/v1/wallet/funding-account',
      '/v1/esim/orders/esim-1',
    ];
    for (const path of paths) {
      const { status } = await gateway.call('GET', path);
      assert.ok([200, 404].includes(status), `${path}: ${status}`);
    }
    proxy.swallow();
    const answers = await Promise.all([...paths, ...paths].map((path) => gateway.call('GET', path)));
    assert.ok(lookUpPatienceMs < SOON_MS);
    for (const answer of answers) {
      // New connections work: a lookup that got one is answered.
      if (answer.status === 200 || answer.status === 404) continue;
      // The answer mentions no purchase, because the client could mistake it for its own.
      assertRefused(answer, 503, { reason: 'database_away' });
    }
    assert.ok(answers.some(({ status }) => status === 503));
    // It would wait half a minute for its database.
    gateway.kill('SIGKILL');
  });
});
