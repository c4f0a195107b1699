/**
 * The API on a real socket: large bodies, slow requests, malformed HTTP, and a server that stops.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { airtimeSync, aPurchase, credentials, goodAirtime } from './harness.ts';
import { headerLines, listening, raw } from './socket.ts';

/** Writes the whole `body` before it reads the answer, as many clients do. */
async function post(
  port: number,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
): Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: airtimeSync,
    headers: { ...credentials, ...headers },
  });
  const answered = once(request, 'response');
  request.end(body);
  const [response] = (await answered) as [http.IncomingMessage];
  const chunks = await response.toArray();
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks).toString(),
    headers: response.headers,
  };
}

const paddedTo = (bytes: number) => {
  const body = JSON.stringify({ ...goodAirtime, note: '' });
  return body.replace('"note":""', `"note":"${'x'.repeat(bytes - body.length)}"`);
};

test('a body of 64 KiB is accepted, one more byte is 400', async (t) => {
  const { port } = await listening(t);
  assert.equal((await post(port, paddedTo(65_536))).status, 200);
  const refused = await post(port, paddedTo(65_537));
  assert.equal(refused.status, 400);
  assert.equal(JSON.parse(refused.body).reason, 'body_too_large');
});

test('a body of 3 MB is answered with 400 before the connection closes, declared or chunked', async (t) => {
  const { edge, port } = await listening(t);
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }, { expect: '100-continue' }]) {
    const refused = await post(port, paddedTo(3_000_000), headers);
    assert.equal(refused.status, 400);
    assert.equal(JSON.parse(refused.body).status, 'error');
  }
  assert.equal(edge.purchases.length, 0);
});

test('sends the refusal to a client that reads only after it has written everything', async (t) => {
  const { port } = await listening(t);
  const body = paddedTo(12_000_000);
  const socket = net.connect(port, '127.0.0.1').pause();
  t.after(() => socket.destroy());
  const head = `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(head + body, (error) => (error ? reject(error) : resolve()));
  });
  const answer = Buffer.concat(await socket.toArray()).toString();
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

test('without credentials a large body is 401, and the answer arrives', async (t) => {
  const { port } = await listening(t);
  const refused = await post(port, paddedTo(3_000_000), { 'x-merchant-secret': 'wrong' });
  assert.equal(refused.status, 401);
});

test('an oversized body is refused by its declared length', async (t) => {
  const { port } = await listening(t);
  const answer = await raw(
    port,
    `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: 99999999999\r\n\r\n{`,
    (text) => text.includes('\r\n\r\n'),
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /connection: close/i);
});

test('Expect: 100-continue is honoured, any other expectation is refused in JSON', async (t) => {
  const { port } = await listening(t);
  const body = JSON.stringify(goodAirtime);
  const head = `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: ${body.length}\r\n`;
  const accepted = await raw(port, `${head}Expect: 100-continue\r\n\r\n${body}`, (text) =>
    text.includes('success'),
  );
  assert.match(accepted, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  const refused = await raw(port, `${head}Expect: a-miracle\r\n\r\n${body}`, (text) =>
    text.includes('"code"'),
  );
  assert.match(refused, /^HTTP\/1\.1 417 /);
  assert.match(refused, /"status":"error","code":417,"reason":"expectation_unsupported"/);
});

test('malformed HTTP and headers that are too long are refused in JSON', async (t) => {
  const { port } = await listening(t);
  const malformed = await raw(port, 'this is no HTTP\r\n\r\n');
  assert.match(malformed, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(malformed, /\{"status":"error","code":400,"reason":"request_malformed","message":"[^"]+"\}$/);
  const long = await raw(
    port,
    `GET /v1/healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  assert.match(long, /^HTTP\/1\.1 431 /);
  assert.match(long, /"code":431,"reason":"headers_too_large"/);
  const smuggled = await raw(
    port,
    `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  );
  assert.match(smuggled, /^HTTP\/1\.1 400 /);
  const short = await raw(
    port,
    `GET /v1/healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(9_000)}\r\nConnection: close\r\n\r\n`,
  );
  assert.match(short, /^HTTP\/1\.1 200 /);
});

test('gives up on a body that does not arrive', async (t) => {
  const { edge, port } = await listening(t, { limits: { requestTimeoutMs: 300, headersTimeoutMs: 300 } });
  const answer = await raw(
    port,
    `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: 100\r\n\r\n{"merchant"`,
  );
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.equal(edge.purchases.length, 0);
});

test('a body that breaks off is no fault of ours', async (t) => {
  const { edge, port } = await listening(t);
  const socket = net.connect(port, '127.0.0.1');
  const arrived = once(edge.app.server, 'request');
  socket.write(
    `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: 100\r\n\r\n{"merchant"`,
  );
  await arrived;
  socket.destroy();
  await until(() => edge.logged.length > 0);
  assert.deepEqual(
    edge.logged.map((line) => line.level),
    ['info'],
  );
});

test('garbage after a purchase in flight is not answered as if it were the purchase', async (t) => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { port } = await listening(t, {
    purchases: {
      purchase: async (request) => {
        started.resolve();
        await gate.promise;
        return aPurchase(request);
      },
    },
  });
  const body = JSON.stringify(goodAirtime);
  const purchase = `POST ${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await raw(port, `${purchase}garbage\r\n\r\n`);
  assert.equal(answer, '');
  gate.resolve();
});

test('finishes running requests and refuses new ones with 503 when the server stops', async (t) => {
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { edge, port } = await listening(t, {
    purchases: {
      purchase: async (request) => {
        started.resolve();
        await gate.promise;
        return aPurchase(request);
      },
    },
  });
  const body = JSON.stringify(goodAirtime);
  const rest = `${airtimeSync} HTTP/1.1\r\nHost: x\r\n${headerLines()}Content-Length: ${body.length}\r\n\r\n${body}`;
  // One connection with a purchase in progress, and one in the middle of its request, when the
  // server begins to stop. Their clients would keep both alive.
  const sockets: net.Socket[] = [];
  edge.app.server.on('connection', (socket) => sockets.push(socket));
  const running = net.connect(port, '127.0.0.1');
  const late = net.connect(port, '127.0.0.1');
  t.after(() => running.destroy());
  t.after(() => late.destroy());
  await Promise.all([once(running, 'connect'), once(late, 'connect')]);
  late.write('POST ');
  running.write(`POST ${rest}`);
  await started.promise;
  await until(() => sockets.some((socket) => socket.bytesRead === 'POST '.length));
  const closed = edge.app.close();
  await until(() => !edge.app.server.listening);
  late.write(rest);
  const [refusal] = (await once(late, 'data')) as [Buffer];
  assert.match(refusal.toString(), /^HTTP\/1\.1 503 /);
  assert.match(refusal.toString(), /retry-after: 1/i);
  gate.resolve();
  const [answer] = (await once(running, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
  const inTime = await Promise.race([closed.then(() => true), wait(30_000, false, { ref: false })]);
  assert.ok(inTime, 'a kept-alive connection held the server open');
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, 'it did not happen in time');
    await wait(10);
  }
}
