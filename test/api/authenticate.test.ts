/** Authentication: accepted and refused credentials, messages, and rate limits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createRateLimiter } from '../../src/api/plumbing/rate-limit.ts';
import { Refusal } from '../../src/api/plumbing/refusal.ts';
import { limits } from '../../src/core/limits.ts';
import { airtimeSync, aPrincipal, buildEdge, credentials, goodAirtime, secret } from './harness.ts';

const edge = await buildEdge();
after(() => edge.app.close());

test('every fault of the credentials gets one and the same 401', async (t) => {
  const wrong: Record<string, Record<string, string | string[]>> = {
    none: {},
    'key only': { 'x-merchant-key': 'oja_test_good' },
    'secret only': { 'x-merchant-secret': secret },
    'unknown key': { ...credentials, 'x-merchant-key': 'oja_test_unknown' },
    'wrong secret': { ...credentials, 'x-merchant-secret': `${secret}x` },
    'empty key': { ...credentials, 'x-merchant-key': '' },
    'key in other case': { ...credentials, 'x-merchant-key': 'OJA_TEST_GOOD' },
    'key sent twice': { ...credentials, 'x-merchant-key': ['oja_test_good', 'oja_test_good'] },
    'secret sent twice': { ...credentials, 'x-merchant-secret': [secret, secret] },
    'overlong secret': { ...credentials, 'x-merchant-secret': 'x'.repeat(5_000) },
    'other scheme': { authorization: `Bearer ${secret}` },
  };
  const first = await edge.app.inject({ method: 'POST', url: airtimeSync, payload: goodAirtime });
  for (const [name, headers] of Object.entries(wrong)) {
    await t.test(name, async () => {
      edge.purchases.length = 0;
      const response = await edge.app.inject({
        method: 'POST',
        url: airtimeSync,
        headers: { ...headers, 'content-type': 'application/json' },
        payload: '{ broken',
      });
      assert.equal(response.statusCode, 401);
      assert.equal(response.body, first.body);
      assert.equal(edge.purchases.length, 0);
    });
  }
  const accepted = await edge.send('POST', airtimeSync, goodAirtime);
  assert.equal(accepted.statusCode, 200);
});

test('refuses without a lookup what cannot be a credential', async (t) => {
  const asked: string[] = [];
  const asking = await buildEdge({
    authenticator: {
      authenticate: async (key) => {
        asked.push(key);
        return aPrincipal();
      },
    },
  });
  t.after(() => asking.app.close());
  const send = (headers: Record<string, string | string[]>) =>
    asking.app.inject({ url: '/v1/plans/mtn', headers: { ...credentials, ...headers } });
  for (const headers of [
    { 'x-merchant-key': ['a', 'b'] },
    { 'x-merchant-key': 'x'.repeat(201) },
    { 'x-merchant-secret': 'x'.repeat(201) },
    { 'x-merchant-secret': 'two words' },
    { 'x-merchant-key': 'k\u00e9y' },
  ]) {
    assert.equal((await send(headers)).statusCode, 401);
  }
  assert.deepEqual(asked, []);
  assert.equal((await send({ 'x-merchant-key': 'x'.repeat(200) })).statusCode, 200);
  assert.equal(asked.length, 1);
});

test('a credential that may not be used from here is 403', async () => {
  const response = await edge.app.inject({
    method: 'POST',
    url: airtimeSync,
    headers: { ...credentials, 'x-merchant-key': 'oja_test_elsewhere' },
    payload: goodAirtime,
  });
  assert.equal(response.statusCode, 403);
  assert.equal(response.json().code, 403);
});

test('the address that counts is the socket’s, unless a proxy is trusted', async (t) => {
  const seen: string[] = [];
  const authenticate = async (_key: string, _secret: string, ip: string) => {
    seen.push(ip);
    return 'unknown' as const;
  };
  const headers = { ...credentials, 'x-forwarded-for': '203.0.113.9' };
  for (const trustProxy of [false, true]) {
    const other = await buildEdge({ authenticator: { authenticate }, limits: { trustProxy } });
    t.after(() => other.app.close());
    await other.app.inject({ url: '/v1/plans/mtn', headers });
  }
  assert.deepEqual(seen, ['127.0.0.1', '203.0.113.9']);
});

test('more requests than the limit are 429 with the time to wait', async (t) => {
  // Both clocks of the machine are frozen, so no slot becomes free.
  t.mock.method(performance, 'now', () => 1_000);
  t.mock.timers.enable({ apis: ['Date'] });
  const limited = await buildEdge({ rateLimit: { perS: 0.5, burst: 3 } });
  t.after(() => limited.app.close());
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    statuses.push((await limited.send('POST', airtimeSync, goodAirtime)).statusCode);
  }
  assert.deepEqual(statuses, [200, 200, 200]);
  const refused = await limited.send('POST', airtimeSync, goodAirtime);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.json().code, 429);
  assert.equal(refused.headers['retry-after'], '2');
  assert.equal(limited.purchases.length, 3);
});

test('delays the refusal of a request over the limit, and not when too many wait', async (t) => {
  const limited = await buildEdge({ rateLimit: { perS: 0.001, burst: 1 } });
  t.after(() => limited.app.close());
  assert.equal((await limited.send('POST', airtimeSync, goodAirtime)).statusCode, 200);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answered: number[] = [];
  const sending = Array.from({ length: limits.floodRefusalsHeldMax + 1 }, async (_, at) => {
    const { statusCode } = await limited.send('POST', airtimeSync, goodAirtime);
    answered.push(at);
    return statusCode;
  });
  const last = sending.at(-1);
  assert.equal(await last, 429);
  assert.deepEqual(answered, [limits.floodRefusalsHeldMax]);
  t.mock.timers.tick(limits.floodRefusalHeldMs);
  assert.deepEqual(new Set(await Promise.all(sending)), new Set([429]));
});

test('the bucket fills again, is shared by the credentials of a merchant, and heeds their own rates', () => {
  let nowMs = 0;
  const limiter = createRateLimiter({ perS: 10, burst: 20 }, { elapsedMs: () => nowMs });
  const taken = (principal: ReturnType<typeof aPrincipal>, times: number): number => {
    let count = 0;
    for (let i = 0; i < times; i += 1) {
      try {
        limiter.take(principal);
        count += 1;
      } catch (error) {
        assert.ok(error instanceof Refusal && error.status === 429);
      }
    }
    return count;
  };
  const one = aPrincipal();
  assert.equal(taken(one, 100), 20);
  nowMs = 500;
  assert.equal(taken(one, 100), 5);
  nowMs = 3_600_000;
  assert.equal(taken(one, 100), 20);
  assert.equal(taken(aPrincipal({ credentialId: 'two' }), 100), 0);
  const { environment, merchant } = one;
  const apart = environment === 'live' ? 'test' : 'live';
  assert.equal(taken(aPrincipal({ credentialId: 'apart', environment: apart }), 100), 20);
  const other = { ...merchant, id: merchant.id + 1 };
  assert.equal(taken(aPrincipal({ credentialId: 'other', merchant: other }), 100), 20);
  const slow = aPrincipal({ credentialId: 'slow', rateLimitPerS: 1 });
  assert.equal(taken(slow, 100), 0);
  assert.equal(taken(aPrincipal({ credentialId: 'free', rateLimitPerS: 0 }), 1_000), 1_000);
  nowMs += 1_000_000;
  assert.equal(taken(slow, 100), 2);
  assert.equal(taken(aPrincipal({ credentialId: 'two' }), 100), 18);
  // The operator raised the limit of this merchant above the default.
  const fast = aPrincipal({ credentialId: 'fast', rateLimitPerS: 100 });
  nowMs += 1_000_000;
  assert.equal(taken(fast, 1_000), 200);
  assert.equal(taken(fast, 1_000), 0);
  // Its other credentials together get the default again once that one is no longer used.
  nowMs += 1_000_000;
  const others = ['three', 'four', 'five'].map((credentialId) => aPrincipal({ credentialId }));
  assert.deepEqual(
    others.map((principal) => taken(principal, 100)),
    [20, 0, 0],
  );
  const free = createRateLimiter({ perS: 0, burst: 0 }, { elapsedMs: () => nowMs });
  for (let i = 0; i < 1_000; i += 1) free.take(one);
});

test('the buckets stay bounded: the newest keeps its count, the oldest is forgotten', () => {
  const limiter = createRateLimiter({ perS: 1, burst: 1 }, { elapsedMs: () => 0 });
  const isTaken = (credentialId: string): boolean => {
    try {
      const { merchant } = aPrincipal();
      limiter.take(
        aPrincipal({ credentialId, merchant: { ...merchant, id: Number(credentialId.slice(1)) } }),
      );
      return true;
    } catch (error) {
      assert.ok(error instanceof Refusal && error.status === 429);
      return false;
    }
  };
  for (let i = 0; i <= 10_000; i += 1) assert.equal(isTaken(`c${i}`), true);
  assert.equal(isTaken('c10000'), false);
  assert.equal(isTaken('c0'), true);
});
