/** A host of several addresses: both take requests, and refuse what is none in the same words. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { addressesOf, listenOn } from '../../src/app/listen-on.ts';
import { createLog } from '../../src/kernel/log.ts';
import { buildEdge } from '../http/harness.ts';
import { raw } from '../http/socket.ts';
import { freePort } from '../support/processes.ts';

const log = createLog('silent');
const edge = await buildEdge();
after(() => edge.app.close());
const port = await listenOn(edge.app, ['127.0.0.1', '::1'], 0, log);

for (const host of ['127.0.0.1', '::1']) {
  test(`${host} takes requests, and refuses the rest in JSON`, async () => {
    const health = await raw(port, 'GET /v1/healthz HTTP/1.0\r\n\r\n', undefined, host);
    assert.match(health, /^HTTP\/1\.1 200 /);
    for (const [status, bytes] of [
      [400, 'hello\r\n\r\n'],
      [400, 'GET /v1/healthz HTTP/1.1\r\n\r\n'],
      [405, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
      [417, 'GET /v1/healthz HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n'],
      [431, `GET /v1/healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`],
    ] as const) {
      const answer = await raw(port, bytes, (text) => /\r\n\r\n\{.*\}$/s.test(text), host);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), bytes.slice(0, 60));
      assert.match(answer, /^cache-control: no-store$/im);
      assert.equal(JSON.parse(answer.split('\r\n\r\n')[1] ?? '').code, status);
    }
  });
}

test('an address that somebody else has is passed over, and the others are listened on', async () => {
  // Of those that the system gives out, a connection of another test may have it at 127.0.0.1.
  const other = createServer().listen(await freePort(), '::1');
  after(() => other.close());
  await once(other, 'listening');
  const address = other.address();
  assert.ok(address !== null && typeof address === 'object');
  const second = await buildEdge();
  after(() => second.app.close());
  assert.equal(await listenOn(second.app, ['127.0.0.1', '::1'], address.port, log), address.port);
  assert.match(await raw(address.port, 'hello\r\n\r\n'), /^HTTP\/1\.1 400 /);
});

test('any host but localhost is one address', async () => {
  assert.deepEqual(await addressesOf('0.0.0.0'), ['0.0.0.0']);
  assert.ok((await addressesOf('localhost')).includes('127.0.0.1'));
});
