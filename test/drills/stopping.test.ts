/**
 * SIGTERM: the gateway accepts no new work, finishes and answers running work, and exits with 0.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { openDatabaseProxy } from '../crash/database-proxy.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertAudited,
  data,
  dataSync,
  eventually,
  newNumber,
  statusOf,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave } from '../e2e/provider.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

/** Resolves when the provider has received the calls for these purchases. */
async function untilCalling(gateway: Gateway, count: number): Promise<void> {
  await eventually(`${count} attempts are under way`, async () => {
    const [row] = await gateway.database.query<{ attempts: number }>(
      'select count(*)::integer as attempts from attempts',
    );
    return row?.attempts === count ? true : undefined;
  });
}

describe('SIGTERM', { concurrency: true }, () => {
  it('lets slow purchases in flight finish, sync and async, and ends with 0', async () => {
    await using gateway = await startGateway();
    const numbers = [newNumber(), newNumber(), newNumber()];
    await misbehave(gateway, ...numbers.map((recipient) => ({ fault: 'slow', recipient, delay_ms: 1_500 })));
    const [first, second, third] = numbers;
    const orders = [airtime({ msisdn: first }), data({ msisdn: second }), airtime({ msisdn: third })];
    const [bought, subscribed] = [
      gateway.call('POST', airtimeSync, { as: 'live', body: orders[0] }),
      gateway.call('POST', dataSync, { as: 'live', body: orders[1] }),
    ];
    await gateway.call('POST', airtimeAsync, { as: 'live', body: orders[2] });
    await untilCalling(gateway, 3);
    // Clients hold their connections; one of them is idle.
    const idle = await openConnection(gateway);
    const exit = gateway.stop();
    for (const answer of [await bought, await subscribed]) {
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.response_code, '00');
    }
    assert.deepEqual(await exit, { code: 0, signal: null });
    idle.close();
    for (const number of numbers) assert.equal((await deliveriesTo(gateway, number)).length, 1);
    const [row] = await gateway.database.query(
      `select
         (select count(*)::integer from pending_purchases) as pending,
         (select count(*)::integer from purchase_outcomes where status = 'success') as succeeded,
         (select count(*)::integer from gateways) as gateways`,
    );
    assert.deepEqual(row, { pending: 0, succeeded: 3, gateways: 0 });
    await assertAudited(gateway.database);
  });

  it('accepts no new work: 503 on an open connection, no new connections', async () => {
    await using gateway = await startGateway();
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'slow', recipient: msisdn, delay_ms: 1_500 });
    const running = gateway.call('POST', airtimeSync, { as: 'live', body: airtime({ msisdn }) });
    await untilCalling(gateway, 1);
    const open = await openConnection(gateway);
    const late = airtime();
    // Half a request before the signal, so that the connection does not count as idle.
    open.begin(late);
    const exit = gateway.stop();
    await eventually('no connection is taken any more', () => connectionIsRefused(gateway));
    const answer = await open.finish();
    assert.match(answer, /^HTTP\/1\.1 503 /);
    assert.match(answer, /retry-after: \d+/i);
    assert.equal((await running).body.response_code, '00');
    assert.deepEqual(await exit, { code: 0, signal: null });
    const rows = await gateway.database.query('select reference from purchases');
    assert.equal(rows.length, 1);
  });

  it('hands over pending purchases: another process finishes them', async () => {
    await using gateway = await startGateway();
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 1_000 });
    const order = airtime({ msisdn });
    await gateway.call('POST', airtimeAsync, { as: 'live', body: order });
    await untilCalling(gateway, 1);
    assert.deepEqual(await gateway.stop(), { code: 0, signal: null });
    const { databaseUrl, dataDir, simulatorUrl } = gateway;
    await using next = await startGateway({ databaseUrl, dataDir, simulatorUrl });
    assert.deepEqual(next.credentials, gateway.credentials);
    await eventually('it is final', async () =>
      (await statusOf(next, order.request_ref, 'live')).body.code === '00' ? true : undefined,
    );
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
    assert.equal((await walletOf(next, 'live')).held, '0.00');
    await assertAudited(next.database);
  });

  it('ends with 0 although the database is gone: others notice its missing heartbeat', async () => {
    await using clone = await createTestDatabase({ demo: true });
    await using proxy = await openDatabaseProxy(clone.connectionString);
    await using gateway = await startGateway({ databaseUrl: proxy.connectionString });
    proxy.refuse(true);
    proxy.sever();
    assert.deepEqual(await gateway.stop(), { code: 0, signal: null }, gateway.output());
    assert.doesNotMatch(gateway.output(), /cannot start/);
    assert.ok(gateway.log().some(({ msg }) => String(msg).startsWith('it is not signed off')));
    assert.equal((await clone.database.query('select from gateways')).length, 1);
  });
});

type OpenConnection = {
  begin(order: object): void;
  finish(): Promise<string>;
  close(): void;
};

async function openConnection(gateway: Gateway): Promise<OpenConnection> {
  const { hostname, port } = new URL(gateway.url);
  const { key, secret } = gateway.credentials.test;
  const socket = connect(Number(port), hostname);
  let text = '';
  let rest = '';
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  // One answer, so that the other side knows this connection.
  socket.write('GET /v1/healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await eventually('the connection is used', () => (text.includes('"ok"') ? true : undefined));
  text = '';
  return {
    begin(order): void {
      const body = JSON.stringify(order);
      const head =
        `POST ${airtimeSync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${key}\r\nx-merchant-secret: ${secret}\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n`;
      socket.write(head.slice(0, 40));
      rest = `${head.slice(40)}\r\n${body}`;
    },
    async finish(): Promise<string> {
      socket.write(rest);
      return await closed;
    },
    close: () => socket.destroy(),
  };
}

function connectionIsRefused(gateway: Gateway): Promise<true | undefined> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', () => resolve(true));
  });
}
