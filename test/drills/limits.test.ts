/**
 * Overload: more requests than a credential may send are answered 429, more purchases than the
 * queue holds are answered 503. Both store nothing.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/core/limits.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  eventually,
  newReference,
  openGatewayUnderTest,
  statusOf,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { issueKey } from '../e2e/shop.ts';
import { isGate } from '../support/budget.ts';
import type { Answer, Gateway, KeyPair } from '../support/gateway.ts';

const perS = 5;

describe('a credential that sends too much', async () => {
  // Own gateway: a rate limit.
  const gateway = await openGatewayUnderTest({ settings: { OJA_RATE_LIMIT_PER_S: String(perS) } });

  function burst(count: number, as: KeyPair | 'test'): Promise<Answer[]> {
    return Promise.all(
      Array.from({ length: count }, () => gateway.call('POST', airtimeSync, { as, body: airtime() })),
    );
  }

  it('gets 429 with the time to retry, and stores nothing', async () => {
    const startedAt = performance.now();
    const answers = await burst(40, 'test');
    const elapsedS = (performance.now() - startedAt) / 1_000;
    const let_in = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => answer.status !== 200);
    // A burst of twice the rate, plus the tokens that are added meanwhile.
    assert.ok(
      let_in.length >= 2 * perS && let_in.length <= 2 * perS + perS * elapsedS + 1,
      `${let_in.length}`,
    );
    for (const answer of refused) {
      assertRefused(answer, 429);
      assert.match(String(answer.headers['retry-after']), /^[1-9][0-9]*$/);
    }
    const rows = await gateway.database.query('select 1 from purchases');
    assert.equal(rows.length, let_in.length);
    const other = await gateway.call('GET', '/v1/wallet/balance', { as: 'live' });
    assert.equal(other.status, 200, 'another credential is not held back');
    const health = await Promise.all(
      Array.from({ length: 30 }, () => gateway.call('GET', '/v1/healthz', { as: 'test' })),
    );
    assert.ok(health.every((answer) => answer.status === 200));
  });

  it('is accepted again after the stated wait', async () => {
    const refused = (await burst(40, 'test')).find((answer) => answer.status === 429);
    assert.ok(refused);
    await sleep(Number(refused.headers['retry-after']) * 1_000);
    assert.equal((await burst(1, 'test'))[0]?.status, 200);
  });

  it('applies the credential’s own limit, if set; 0 is no limit', async () => {
    const slow = await issueKey(gateway, 'DEMO', { environment: 'test', rateLimitPerS: 1 });
    const free = await issueKey(gateway, 'DEMO', { environment: 'test', rateLimitPerS: 0 });
    const startedAt = performance.now();
    const answers = await burst(20, slow);
    const elapsedS = (performance.now() - startedAt) / 1_000;
    const let_in = answers.filter((answer) => answer.status === 200).length;
    assert.ok(let_in >= 2 && let_in <= 3 + elapsedS, `${let_in}`);
    assert.ok((await burst(60, free)).every((answer) => answer.status === 200));
  });

  it('is not limited by others who guess its secret', async () => {
    const pair = await issueKey(gateway, 'DEMO', { environment: 'test', rateLimitPerS: 1 });
    const guesses = await burst(30, { ...pair, secret: 'a guess' });
    assert.ok(guesses.every((answer) => answer.status === 401));
    assert.equal((await burst(1, pair))[0]?.status, 200);
  });
});

describe('more purchases than can wait', async () => {
  const gateway = await openGatewayUnderTest();
  // Each connection has one request in progress.
  const sockets = 600;
  const eachSends = isGate ? 3 : 10;
  /** The minimum for one key if no other key is in use. */
  const share = limits.purchases.pools.test.places / 2;

  it('excess purchases are 503 and stored nowhere; those that waited are all served', async (t) => {
    const lock = Promise.withResolvers<void>();
    t.after(() => lock.resolve());
    const locked = Promise.withResolvers<void>();
    const holding = gateway.database.transaction(async (tx) => {
      await tx.query('select 1 from wallet_owners for update');
      locked.resolve();
      await lock.promise;
    });
    await locked.promise;
    const lockedAt = performance.now();
    const crowd = Array.from({ length: sockets }, () => pipeline(gateway, eachSends));
    await eventually('the queue is full', async () => {
      const metrics = await fetch(gateway.metricsUrl);
      const depth = /oja_queue_depth\{queue="accept"\} (\d+)/.exec(await metrics.text())?.[1];
      return Number(depth) >= share ? true : undefined;
    });
    for (const path of [airtimeSync, airtimeAsync]) {
      const body = airtime();
      const refused = await gateway.call('POST', path, { body });
      assertRefused(refused, 503, { reason: 'requests_full' });
      assert.match(String(refused.headers['retry-after']), /^[1-9][0-9]*$/);
      assertRefused(await statusOf(gateway, body.request_ref), 404);
    }
    assert.equal((await gateway.call('GET', '/v1/healthz')).status, 200);
    lock.resolve();
    await holding;
    // A longer lock would have ended the waiting batches, which are also answered 503.
    const isServed = performance.now() - lockedAt < 25_000;
    const answered = (await Promise.all(crowd)).flat();
    assert.equal(answered.length, sockets * eachSends);
    const taken = answered.filter((status) => status === 200).length;
    const refused = answered.filter((status) => status === 503).length;
    assert.equal(taken + refused, answered.length);
    assert.ok((taken >= share || !isServed) && refused > 0, `${taken} taken, ${refused} refused`);
    const rows = await gateway.database.query<{ purchases: number }>(
      'select count(*)::integer as purchases from purchases',
    );
    assert.equal(rows[0]?.purchases, taken);
    const { held } = await eventually('all are done', async () => {
      const wallet = await walletOf(gateway);
      return wallet.held === '0.00' ? wallet : undefined;
    });
    assert.equal(held, '0.00');
    assert.equal((await gateway.call('POST', airtimeSync, { body: airtime() })).body.response_code, '00');
  });
});

/**
 * Sends this many purchases on one connection without waiting. Returns the statuses of their
 * answers, in order.
 */
function pipeline(gateway: Gateway, count: number): Promise<number[]> {
  const { hostname, port } = new URL(gateway.url);
  const { key, secret } = gateway.credentials.test;
  const requests = Array.from({ length: count }, () => {
    const body = JSON.stringify(airtime({ request_ref: newReference() }));
    return (
      `POST ${airtimeAsync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${key}\r\nx-merchant-secret: ${secret}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  });
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(requests.join('')));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      if (statuses.length < count) return;
      socket.destroy();
      resolve(statuses);
    });
    socket.once('error', reject);
    socket.once('end', () => reject(new Error(`closed early: ${text.slice(-300)}`)));
  });
}
