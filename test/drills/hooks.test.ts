/**
 * POST /hooks/{provider}: a callback is a hint to query the provider. An authentic one brings the
 * outcome sooner, a forged one has no effect.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  eventually,
  footprint,
  newNumber,
  openGatewayUnderTest,
  putOffQuestions,
  putOffQuestionsOf,
  statusOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, settle } from '../e2e/provider.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import type { Answer } from '../support/gateway.ts';

/** The simulator's callbacks, passed on to the gateway, whose port is known only later. */
const callbacks: { readonly body: string; readonly answer: Answer }[] = [];
const relay = createServer((request: IncomingMessage, response) => {
  void readText(request).then(async (body) => {
    if (request.url !== '/vtpass') return response.writeHead(404).end();
    const answer = await gateway.call('POST', '/hooks/vtpass', { as: 'nobody', body });
    callbacks.push({ body, answer });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
  });
}).listen(0, '127.0.0.1');
const folder = await mkdtemp(join(tmpdir(), 'oja-hooks-'));
cleanUpAfter(folder);
const simulator = await startSimulator(
  readSettings({
    OJA_SIMULATOR_PORT: '0',
    OJA_SIMULATOR_DIR: folder,
    OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
  }),
);
// Its first query is due after five seconds, so a test postpones it.
const gateway = await openGatewayUnderTest({
  simulatorUrl: simulator.url,
  settings: { OJA_TIME_SCALE: '1' },
});
after(async () => {
  await simulator.close();
  relay.close();
  await rm(folder, { recursive: true });
});

function callback(body: unknown, provider = 'vtpass'): Promise<Answer> {
  return gateway.call('POST', `/hooks/${provider}`, { as: 'nobody', body });
}

/** The reference of a purchase's attempt at the provider. */
async function referenceOf(id: unknown): Promise<string> {
  return await eventually('the attempt is on record', async () => {
    const [row] = await gateway.database.query<{ reference: string }>(
      'select reference from attempts where purchase_id = $1',
      [id],
    );
    return row?.reference;
  });
}

describe('a callback', () => {
  it('a callback decides the outcome before the next query is due', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const order = airtime({ msisdn });
    const creating = gateway.call('POST', airtimeSync, { as: 'live', body: order });
    await putOffQuestionsOf(gateway, order.request_ref);
    await settle(gateway, msisdn);
    const created = await creating;
    assert.equal(created.body.response_code, '00');
    const reference = await referenceOf(created.body.data.internal_reference);
    // The purchase may be answered before the callback that decided it.
    const heard = await eventually('the callback is answered', () => {
      const found = callbacks.filter(({ body }) => body.includes(reference));
      return found.length > 0 ? found : undefined;
    });
    assert.equal(heard.length, 1);
    assert.deepEqual([heard[0]?.answer.status, heard[0]?.answer.body], [200, { response: 'success' }]);
    const answers = await gateway.database.query(
      'select source from provider_answers where purchase_id = $1 order by at',
      [created.body.data.internal_reference],
    );
    assert.deepEqual(answers, [{ source: 'purchase' }, { source: 'query' }]);
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
  });

  it('a repeated callback changes the purchase once', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'duplicate_callback', recipient: msisdn, settle_ms: 600_000 });
    const order = airtime({ msisdn });
    const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    await putOffQuestions(gateway, created.body.data.internal_reference);
    await settle(gateway, msisdn);
    assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '00');
    const reference = await referenceOf(created.body.data.internal_reference);
    await eventually('both came', () =>
      callbacks.filter(({ body }) => body.includes(reference)).length === 2 ? true : undefined,
    );
    const before = await footprint(gateway.database);
    assert.deepEqual((await callback(JSON.parse(callbacks.at(-1)?.body ?? ''))).body, {
      response: 'success',
    });
    assert.deepEqual(await footprint(gateway.database), before);
  });
});

describe('a forged callback', () => {
  it('a forged claim of delivery leaves a pending purchase pending', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const order = airtime({ msisdn });
    const created = await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    const reference = await referenceOf(created.body.data.internal_reference);
    await eventually('the provider has the order', async () => {
      const rows = await gateway.database.query(
        "select 1 from provider_answers where kind = 'accepted' and purchase_id = $1",
        [created.body.data.internal_reference],
      );
      return rows.length > 0 ? true : undefined;
    });
    const claim = (status: string, code: string): object => ({
      type: 'transaction-update',
      data: { code, requestId: reference, content: { transactions: { status, total_amount: 1 } } },
    });
    for (const body of [claim('delivered', '000'), claim('failed', '016'), claim('reversed', '040')]) {
      assert.deepEqual((await callback(body)).body, { response: 'success' });
      assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '02');
    }
    await settle(gateway, msisdn);
    assert.equal((await untilFinal(gateway, order.request_ref, 'live')).body.code, '01');
    assert.deepEqual((await callback(claim('delivered', '000'))).body, { response: 'success' });
    assert.equal((await statusOf(gateway, order.request_ref, 'live')).body.code, '01');
    assert.deepEqual(await deliveriesTo(gateway, msisdn), []);
  });

  it('an unknown or malformed callback gets the same answer and changes nothing', async () => {
    const before = await footprint(gateway.database);
    const known = 'transaction-update';
    for (const body of [
      { type: known, data: { requestId: '202611210101abcdefghijkl' } },
      { type: known, data: { requestId: "' or 1=1 --" } },
      { type: known, data: { requestId: 7 } },
      { type: known, data: null },
      { type: known },
      { type: 'variations-update', serviceID: 'mtn-data', data: {} },
      {},
      [],
      null,
      'text',
      7,
    ]) {
      assert.deepEqual((await callback(JSON.stringify(body))).body, { response: 'success' });
    }
    for (const broken of ['', '{', '\ud800', '[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]']) {
      assertRefused(await callback(broken), 400);
    }
    assertRefused(await callback(' '.repeat(3_000_000)), 400);
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('a callback of a provider without callbacks is 404', async () => {
    for (const provider of ['sandbox', 'nobody', 'VTPASS', '..', '%00', 'constructor', '__proto__']) {
      assertRefused(await callback({ type: 'transaction-update' }, provider), 404);
    }
    assertRefused(await gateway.call('GET', '/hooks/vtpass', { as: 'nobody' }), 405);
  });
});
