/** One log line and one measurement for each request, without secrets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { GatewayError } from '../../src/core/errors.ts';
import {
  airtimeSync,
  aPrincipal,
  aPurchase,
  buildEdge,
  credentials,
  goodAirtime,
  purchaseId,
  secret,
} from './harness.ts';

test('a request writes one line that identifies it, without its content', async (t) => {
  const observed: [string, number][] = [];
  const edge = await buildEdge({
    observeRequest: (route, status, ms) => {
      assert.ok(ms >= 0);
      observed.push([route, status]);
    },
  });
  t.after(() => edge.app.close());
  const response = await edge.send('POST', airtimeSync, { ...goodAirtime, request_ref: 'not-in-the-log' });
  assert.equal(edge.logged.length, 1);
  const { ms, ...fields } = edge.logged[0]?.fields ?? {};
  assert.equal(typeof ms, 'number');
  assert.deepEqual(fields, {
    reqId: response.headers['x-request-id'],
    method: 'POST',
    route: airtimeSync,
    status: 200,
    merchant: 'DEMO',
    purchase: purchaseId,
  });
  await edge.send('GET', '/v1/transactions/status?request_ref=not-in-the-log');
  await edge.send('GET', '/v1/plans/mtn');
  await edge.send('GET', '/secret/path');
  await edge.send('GET', '/v1/plans/%zz');
  await edge.send('POST', airtimeSync, '{');
  assert.deepEqual(observed, [
    [airtimeSync, 200],
    ['/v1/transactions/status', 404],
    ['/v1/plans/:network', 200],
    ['unmatched', 404],
    ['unmatched', 400],
    [airtimeSync, 400],
  ]);
  assert.equal(edge.logged.length, observed.length);
  const text = JSON.stringify(edge.logged);
  for (const hidden of [secret, credentials['x-merchant-key'], 'not-in-the-log', '0803', '/secret/path']) {
    assert.ok(!text.includes(hidden), hidden);
  }
});

test('a request that is only counted writes no line, but a refused one does', async (t) => {
  let counted = 0;
  const agents = new Set<string | undefined>();
  const edge = await buildEdge({
    countsInstead: (agent) => {
      agents.add(agent);
      counted += 1;
      return counted < 3;
    },
  });
  t.after(() => edge.app.close());
  const lines = (): unknown[] => edge.logged.map(({ fields }) => fields.status);
  await edge.send('GET', '/v1/plans/mtn');
  await edge.send('GET', '/v1/plans/mtn');
  assert.deepEqual([counted, lines()], [2, []]);
  await edge.send('GET', '/secret/path');
  assert.deepEqual([counted, lines()], [2, [404]]);
  await edge.send('GET', '/v1/plans/mtn');
  assert.deepEqual([counted, lines()], [3, [404, 200]]);
  assert.deepEqual([...agents], ['lightMyRequest']);
});

test('an unsettled purchase is logged with its reference', async (t) => {
  const edge = await buildEdge({
    purchases: {
      purchase: () =>
        Promise.reject(new GatewayError({ code: 'outcome_unknown', reference: 'order-1', purchaseId })),
    },
  });
  t.after(() => edge.app.close());
  await edge.send('POST', airtimeSync, goodAirtime);
  assert.equal(edge.logged[0]?.fields.purchase, purchaseId);
  assert.equal(edge.logged[0]?.fields.status, 500);
});

test('a refusal logs the reason and only the key id of the credential', async (t) => {
  const key = `oja_test_${'k'.repeat(24)}`;
  const edge = await buildEdge({
    authenticator: {
      authenticate: async (_key, given, ip) => {
        if (given !== secret) return 'unknown';
        return ip === '10.9.9.9' ? 'forbidden' : aPrincipal();
      },
    },
    limits: { trustProxy: '127.0.0.1' },
    purchases: { purchase: () => Promise.reject(new GatewayError({ code: 'requests_full' })) },
  });
  t.after(() => edge.app.close());
  const send = async (headers: Record<string, string>, body = JSON.stringify(goodAirtime)) => {
    const { length } = edge.logged;
    const answer = await edge.app.inject({
      method: 'POST',
      url: airtimeSync,
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    });
    assert.equal(edge.logged.length, length + 1);
    const { reason, key, address, merchant, status } = edge.logged[length]?.fields ?? {};
    assert.equal(status, answer.statusCode);
    return { status, reason, key, address, merchant };
  };
  const own = { 'x-merchant-key': key, 'x-merchant-secret': secret };
  const from = { key, address: '127.0.0.1', merchant: 'DEMO' };
  assert.deepEqual(await send(own), { status: 503, reason: 'requests_full', ...from });
  assert.deepEqual(await send(own, '{}'), { status: 422, reason: 'field_missing', ...from });
  assert.deepEqual(await send(own, '{'), { status: 400, reason: 'body_not_json', ...from });
  const stranger = { ...from, merchant: undefined };
  assert.deepEqual(await send({ ...own, 'x-merchant-secret': 'wrong' }), {
    status: 401,
    reason: 'credential_wrong',
    ...stranger,
  });
  assert.deepEqual(await send({ ...own, 'x-forwarded-for': '10.9.9.9' }), {
    status: 403,
    reason: 'address_not_allowed',
    ...stranger,
    address: '10.9.9.9',
  });
  // A secret in the place of the key is not logged.
  assert.deepEqual(await send({ 'x-merchant-key': secret }), {
    status: 401,
    reason: 'credential_missing',
    ...stranger,
    key: undefined,
  });
  assert.ok(!JSON.stringify(edge.logged).includes(secret));
});

test('a greedy caller that is refused gets some lines and a count', async (t) => {
  const edge = await buildEdge({});
  t.after(() => edge.app.close());
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await Promise.all(Array.from({ length: 50 }, () => edge.app.inject({ url: '/v1/wallet/balance' })));
  assert.equal(edge.logged.length, 10);
  t.mock.timers.tick(1_000);
  assert.deepEqual(edge.logged.at(-1)?.fields, {
    caller: '127.0.0.1',
    reason: 'credential_missing',
    count: 40,
  });
});

test('logs a client that disconnects while its purchase runs once, and the purchase continues', async (t) => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const logged = Promise.withResolvers<number>();
  const edge = await buildEdge({
    observeRequest: (_route, status) => logged.resolve(status),
    purchases: {
      purchase: async (request) => {
        started.resolve();
        await gate.promise;
        finished.resolve();
        return aPurchase(request);
      },
    },
  });
  await edge.app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => edge.app.close());
  const address = edge.app.server.address();
  assert.ok(address !== null && typeof address === 'object');
  const socket = net.connect(address.port, '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify(goodAirtime);
  const headers = Object.entries(credentials).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headers.join('')}Content-Length: ${body.length}\r\n\r\n${body}`,
  );
  await started.promise;
  socket.destroy();
  assert.equal(await logged.promise, 499);
  gate.resolve();
  await finished.promise;
  assert.deepEqual(
    edge.logged.map((line) => line.level),
    ['info'],
  );
});
