/**
 * Gateways that are killed while they send webhooks: each final purchase is sent at least once,
 * under one id, and no event is sent without its purchase. The proof also kills under load.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { itInProof } from '../support/budget.ts';
import type { KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { type Fixture, type FixtureGateway, openFixture, untilAnswered } from './fixture.ts';

async function post(
  gateway: FixtureGateway,
  { key, secret }: KeyPair,
  path: string,
  body: object,
): Promise<number> {
  const answer = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-merchant-key': key, 'x-merchant-secret': secret },
    body: JSON.stringify(body),
  });
  return answer.status;
}

async function openEndpoint(
  gateway: FixtureGateway,
  keys: KeyPair,
  receiver: WebhookReceiver,
): Promise<void> {
  assert.equal(await post(gateway, keys, '/v1/webhooks/endpoints', { url: `${receiver.url}/hook` }), 200);
}

const kills = 3;

/** The lease of the dead process expires. */
async function endLeases({ database }: Fixture): Promise<void> {
  await database.query('update webhook_endpoints set due_at = now() where due_at is not null');
}

describe('a crash during webhook deliveries', { concurrency: 2 }, () => {
  for (const { point, sent, register } of [
    { point: 'before-webhook', sent: 0, register: itInProof },
    { point: 'after-webhooks', sent: 1, register: it },
  ] as const) {
    register(`${point}: it was sent ${sent} times, and is sent after it under the same id`, async () => {
      await using receiver = await startWebhookReceiver();
      await using fixture = await openFixture();
      const doomed = await fixture.start({ OJA_STOP_AT: point });
      const keys = await fixture.test();
      await openEndpoint(doomed, keys, receiver);
      const body = {
        merchant: 'DEMO',
        msisdn: '08031234567',
        network: 'mtn',
        amount: '100.00',
        request_ref: 'one',
      };
      assert.equal(await post(doomed, keys, '/v1/transactions/airtime/sync', body), 200);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal(receiver.received.length, sent);
      assert.deepEqual(await fixture.database.query('select from webhook_deliveries'), []);
      await endLeases(fixture);
      await fixture.start();
      await until('it is told', async () => receiver.received.length > sent);
      const ids = new Set(receiver.received.map(({ event }) => event.id));
      const [purchase] = await fixture.database.query<{ id: string }>(
        'select purchase_id as id from purchase_outcomes',
      );
      assert.deepEqual([...ids], [`evt_${purchase?.id.replaceAll('-', '')}`]);
      await until('it is stored', async () => {
        const rows = await fixture.database.query("select from webhook_deliveries where state = 'delivered'");
        return rows.length === 1;
      });
      await sleep(700);
      assert.equal(receiver.received.length, sent + 1);
    });
  }

  itInProof('at random, under load, with an endpoint that fails now and then', async () => {
    await using receiver = await startWebhookReceiver();
    let answers = 0;
    receiver.answer = (response) => {
      answers += 1;
      if (answers % 7 === 0) response.destroy();
      else response.writeHead(answers % 5 === 0 ? 500 : 200).end();
    };
    await using fixture = await openFixture();
    const gateways = [await fixture.start(), await fixture.start()];
    const [first] = gateways;
    assert.ok(first);
    await openEndpoint(first, await fixture.live(), receiver);
    const load = await fixture.startLoad({ url: () => gateways[0]?.url ?? '', clients: 4 });
    for (let round = 0; round < kills; round += 1) {
      await sleep(700);
      const doomed = gateways.shift();
      doomed?.kill('SIGKILL');
      await doomed?.exited;
      await endLeases(fixture);
      gateways.push(await fixture.start());
    }
    await untilAnswered(load, 40);
    await load.stop();
    const { purchases, wrong } = await fixture.settle({ load });
    assert.deepEqual(wrong, []);
    const final = new Map(purchases.map(({ id, status }) => [`evt_${id.replaceAll('-', '')}`, status]));
    assert.ok(final.size > 20, `${final.size} purchases`);
    await until('all are told', async () => {
      await fixture.database.query('update webhook_deliveries set due_at = now() where due_at is not null');
      const [left] = await fixture.database.query<{ count: number }>(
        "select count(*)::integer as count from webhook_deliveries where state = 'delivered'",
      );
      return left?.count === final.size;
    });
    const told = new Map(receiver.received.map(({ event }) => [event.id, event]));
    assert.deepEqual(new Set(told.keys()), new Set(final.keys()));
    for (const [id, event] of told) assert.equal(event.data.state, final.get(id), id);
    for (const { event } of receiver.received)
      assert.deepEqual(event, told.get(event.id), 'the same at every try');
  });
});
