/**
 * The effect of a flooding caller on others: purchases that only wait for an outcome hold no slot,
 * and the requests of a connection are processed one after the other.
 *
 * Own gateway: the numbers are those of the whole process.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { limits } from '../../src/core/limits.ts';
import {
  airtime,
  airtimeSync,
  assertRefused,
  openGatewayUnderTest,
  statusOf,
} from '../e2e/gateway-under-test.ts';
import { issueKey, openShop } from '../e2e/shop.ts';
import { isGate } from '../support/budget.ts';
import type { Answer, KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const gateway = await openGatewayUnderTest();
const shop = await openShop(gateway, { balance: 10_000_000n });
const other = await openShop(gateway, { balance: 10_000_000n });

/** Pending for an hour. */
const pendingNumber = '08000000401';

async function metric(name: string): Promise<number> {
  const text = await (await fetch(gateway.metricsUrl)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

async function depthOf(queue: string): Promise<number> {
  return await metric(`oja_queue_depth{queue="${queue}"}`);
}

async function isDepth(queue: string, wanted: number): Promise<void> {
  await until(`${wanted} of ${queue}`, async () => (await depthOf(queue)) === wanted);
}

async function pipeline(bodies: readonly object[], as: KeyPair): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  send(socket, bodies, as);
  return socket;
}

function send(socket: Socket, bodies: readonly object[], { key, secret }: KeyPair): void {
  const { hostname } = new URL(gateway.url);
  const texts = bodies.map((body) => {
    const text = JSON.stringify(body);
    return (
      `POST ${airtimeSync} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n` +
      `X-Merchant-Key: ${key}\r\nX-Merchant-Secret: ${secret}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    );
  });
  socket.write(texts.join(''));
}

function buy(as: KeyPair, merchant: string): Promise<Answer> {
  return gateway.call('POST', airtimeSync, { as, body: airtime({ merchant }) });
}

describe('a flood of purchases that wait for an outcome', () => {
  it('uses no slots of purchases, and ends with its connections', async () => {
    const order = () => airtime({ merchant: shop.code, msisdn: pendingNumber });
    const floods = Array.from({ length: 6 }, () => Array.from({ length: isGate ? 15 : 60 }, order));
    const sockets = await Promise.all(floods.map((orders) => pipeline(orders, shop.test)));
    await isDepth('awaited', sockets.length);
    await isDepth('sync', 0);
    assert.equal((await buy(other.live, other.code)).body.status, 'success');
    assert.equal((await buy(shop.live, shop.code)).body.status, 'success');
    for (const socket of sockets) socket.destroy();
    await isDepth('awaited', 0);
    // Started work continues without its caller.
    const [first, second] = floods[0] ?? [];
    assert.equal((await statusOf(gateway, first?.request_ref, shop.test)).body.code, '02');
    // Work that waited for its turn is never started.
    assertRefused(await statusOf(gateway, second?.request_ref, shop.test), 404);
  });

  it('stops reading a connection whose requests wait', async () => {
    // Pending for some seconds.
    const order = () => airtime({ merchant: shop.code, msisdn: '08000000110' });
    const orders = Array.from({ length: 10_000 }, order);
    const socket = await pipeline(orders, shop.test);
    await isDepth('awaited', 1);
    // More than the operating system buffers.
    for (let more = 0; more < 5; more += 1) send(socket, orders, shop.test);
    assert.equal((await buy(other.live, other.code)).body.status, 'success');
    assert.ok(socket.writableLength > 1_000_000, `${socket.writableLength}`);
    socket.destroy();
  });

  it('processes requests of a connection when earlier ones are answered', async () => {
    const count = 30;
    const orders = Array.from({ length: count }, () => airtime({ merchant: shop.code }));
    const socket = await pipeline(orders, shop.test);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await until('all answers', () => text.split('"response_code":"00"').length - 1 === count);
    const answered = [...text.matchAll(/"request_id":"([^"]+)"/g)].map(([, reference]) => reference);
    assert.deepEqual(
      answered,
      orders.map((body) => body.request_ref),
    );
    socket.destroy();
  });
});

describe('long polls of a merchant with many keys', () => {
  it('refuses long polls beyond the merchant’s share, but none of another merchant', async () => {
    const greedy = await openShop(gateway);
    const { eachGroup, eachMember } = limits.eventPolls.pools.test;
    const poll = (as: KeyPair) => gateway.call('GET', '/v1/events?after=latest&wait=20', { as });
    const keys: KeyPair[] = [];
    while (keys.length < eachGroup / eachMember + 3) {
      keys.push(await issueKey(gateway, greedy.code, { environment: 'test' }));
    }
    const polls: Promise<Answer>[] = [];
    let refusals = 0;
    // Key by key, because lookups of all keys at once would be refused first.
    for (const key of keys) {
      for (let sent = 0; sent <= eachMember; sent += 1) {
        const answer = poll(key);
        polls.push(answer);
        void answer.then(({ status }) => {
          if (status !== 200) refusals += 1;
        });
      }
      await until(
        'each waits or is refused',
        async () => (await metric('oja_event_polls')) + refusals === polls.length,
      );
    }
    const others = [poll(other.test), poll(greedy.live)];
    const answers = await Promise.all(polls);
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(answers.length - refused.length, eachGroup);
    for (const answer of refused) {
      assertRefused(answer, 429, { reason: 'event_polls_full' });
      assert.ok(Number(answer.headers['retry-after']) >= 1);
    }
    for (const answer of await Promise.all(others)) assert.equal(answer.status, 200);
  });
});
