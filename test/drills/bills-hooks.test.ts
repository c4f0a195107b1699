/**
 * POST /hooks/nomba: a signed webhook brings the outcome of a bill sooner. An unsigned one has no
 * effect.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { betting, buy } from '../e2e/bills.ts';
import {
  eventually,
  footprint,
  openGatewayUnderTest,
  putOffQuestionsOf,
  untilFinal,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, settle } from '../e2e/provider.ts';
import type { Answer } from '../support/gateway.ts';

type Webhook = { readonly body: string; readonly headers: Record<string, string> };

const webhooks: Webhook[] = [];
/** Passed on to the gateway, whose port is known only later, or withheld from it. */
let passOn = true;

const relay = createServer((request, response) => {
  void readText(request).then(async (body) => {
    if (request.url !== '/nomba') return response.writeHead(404).end();
    const named = Object.entries(request.headers).filter(([name]) => name.startsWith('nomba-'));
    const webhook = { body, headers: Object.fromEntries(named) as Record<string, string> };
    webhooks.push(webhook);
    const status = passOn ? (await deliver(webhook)).status : 200;
    response.writeHead(status).end();
  });
}).listen(0, '127.0.0.1');
const folder = await mkdtemp(join(tmpdir(), 'oja-hooks-'));
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

function deliver({ body, headers }: Webhook): Promise<Answer> {
  return gateway.call('POST', '/hooks/nomba', { as: 'nobody', body, headers });
}

describe('a webhook of Nomba', () => {
  it('a webhook with a good signature decides the outcome before the next query is due', async () => {
    const msisdn = 'punter1001';
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const bill = betting({ msisdn });
    const buying = buy(gateway, bill, 'live');
    await putOffQuestionsOf(gateway, bill.request_ref);
    await settle(gateway, msisdn);
    const answer = await buying;
    assert.equal(answer.body.response_code, '00', answer.text);
    assert.equal(webhooks.length, 1);
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
    const before = await footprint(gateway.database);
    assert.deepEqual((await deliver(webhooks[0] as Webhook)).body, { response: 'success' });
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('a webhook with a bad or missing signature gets the same answer and starts no query', async () => {
    const msisdn = 'punter1002';
    passOn = false;
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const body = betting({ msisdn });
    const buying = buy(gateway, body, 'live');
    const id = await putOffQuestionsOf(gateway, body.request_ref);
    await settle(gateway, msisdn);
    const { body: text, headers } = await eventually('the provider calls back', () => webhooks[1]);
    const forged: readonly Webhook[] = [
      { body: text, headers: {} },
      { body: text, headers: { ...headers, 'nomba-signature': 'x' } },
      { body: text, headers: { ...headers, 'nomba-timestamp': new Date(0).toISOString() } },
      { body: text.replace('payout_refund', 'payout_success'), headers },
      { body: '{}', headers },
      { body: '[]', headers },
      { body: 'null', headers },
    ];
    for (const webhook of forged) {
      const answer = await deliver(webhook);
      assert.deepEqual([answer.status, answer.body], [200, { response: 'success' }]);
    }
    const queries = "select from provider_answers where purchase_id = $1 and source = 'query'";
    assert.deepEqual(await gateway.database.query(queries, [id]), []);
    const [pending] = await gateway.database.query<{ is_due: boolean }>(
      'select due_at <= now() as is_due from pending_purchases where purchase_id = $1',
      [id],
    );
    assert.equal(pending?.is_due, false);
    await deliver({ body: text, headers });
    const answer = await buying;
    assert.equal(answer.body.response_code, '01', answer.text);
    assert.equal((await untilFinal(gateway, body.request_ref, 'live')).body.code, '01');
    assert.deepEqual(await deliveriesTo(gateway, msisdn), []);
  });
});
