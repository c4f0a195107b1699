/** One attempt at an endpoint: allowed addresses, its time limit, and the stored result. */
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { createAddressGuard } from '../../../src/notifications/webhooks/address-guard.ts';
import { openGuardedAgent } from '../../../src/notifications/webhooks/guarded-agent.ts';
import { sendEvent, type TryResult } from '../../../src/notifications/webhooks/send-event.ts';
import { newSecret, signatureHeaders } from '../../../src/notifications/webhooks/signature.ts';

const secret = newSecret();
const body = '{"id":"evt_1","type":"transaction.success"}';

/** Answers each connection by hand. */
async function listen(serve: (socket: Socket) => void): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => serve(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const open = createAddressGuard({ allowed: [], allowsLoopback: true });
const closed = createAddressGuard({ allowed: [], allowsLoopback: false });
const agent = openGuardedAgent({ guard: open, connectMs: 5_000, totalMs: 30_000 });
after(() => agent.destroy());

async function send(port: number, path = '/', totalMs = 15_000): Promise<TryResult> {
  const url = `http://127.0.0.1:${port}${path}`;
  return await sendEvent({ agent, url, secrets: [secret], id: 'evt_1', body, now: new Date(), totalMs });
}

function reply(text: string): (socket: Socket) => void {
  return (socket) => socket.end(text);
}

describe('a try', () => {
  it('returns the status and a thousand bytes of the answer', async () => {
    await using ok = await listen(reply('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const { status, answer, note } = await send(ok.port);
    assert.deepEqual([status, answer, note], [200, 'ok', undefined]);
    await using odd = await listen(
      reply('HTTP/1.1 503 No\r\nRetry-After: 120\r\nContent-Length: 4\r\n\r\na\0\u001bb'),
    );
    const refused = await send(odd.port);
    assert.deepEqual([refused.status, refused.answer, refused.retryAfterMs], [503, 'a??b', 120_000]);
  });

  it('reads no more of a large, endless or compressed answer', async () => {
    await using large = await listen((socket) => {
      socket.write('HTTP/1.1 500 No\r\nContent-Length: 10000000\r\n\r\n');
      socket.write('x'.repeat(10_000_000));
    });
    const much = await send(large.port);
    assert.deepEqual([much.status, much.answer], [500, 'x'.repeat(1_024)]);
    await using endless = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\ny\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const never = await send(endless.port, '/', 1_500);
    assert.equal(never.status, 200);
    assert.match(never.answer ?? '', /^y+$/);
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    await using packed = await listen((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    const unpacked = await send(packed.port);
    assert.ok(unpacked.status === 200 && (unpacked.answer ?? '').length <= 1_024);
  });

  it('ends in time when no answer, or no HTTP, arrives', async () => {
    await using silent = await listen(() => undefined);
    const late = await send(silent.port, '/', 300);
    assert.deepEqual([late.status, late.fault], [undefined, 'timeout']);
    await using slow = await listen((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal((await send(slow.port, '/', 300)).status, undefined);
    await using broken = await listen(reply('what?\r\n\r\n'));
    assert.equal((await send(broken.port)).fault, 'no_http');
    await using cut = await listen((socket) => socket.destroy());
    assert.equal((await send(cut.port)).fault, 'connection_broken');
    await using headers = await listen(reply(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`));
    assert.equal((await send(headers.port)).status, undefined);
    const gone = await listen(() => undefined);
    await gone[Symbol.asyncDispose]();
    assert.equal((await send(gone.port)).fault, 'connection_refused');
  });

  it('follows no redirect', async () => {
    let asked = 0;
    await using target = await listen((socket) => {
      asked += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      await using from = await listen(
        reply(
          `HTTP/1.1 ${status} Moved\r\nLocation: http://127.0.0.1:${target.port}/\r\nContent-Length: 0\r\n\r\n`,
        ),
      );
      const result = await send(from.port);
      assert.deepEqual([result.status, result.note !== undefined], [status, true]);
    }
    assert.equal(asked, 0);
  });

  it('refuses an untrusted certificate, and accepts one that this machine trusts', async () => {
    const pair = {
      key: readFileSync(new URL('../../support/self-signed.key.pem', import.meta.url)),
      cert: readFileSync(new URL('../../support/self-signed.cert.pem', import.meta.url)),
    };
    let asked = 0;
    const server = createTlsServer(pair, (_request, response) => {
      asked += 1;
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `https://127.0.0.1:${port}/`;
    const sendBy = (by: typeof agent) =>
      sendEvent({ agent: by, url, secrets: [secret], id: 'evt_1', body, now: new Date() });
    const refused = await sendBy(agent);
    assert.deepEqual([refused.status, refused.fault], [undefined, 'certificate']);
    assert.equal(asked, 0);
    // An agent loads its trusted certificates with its first connection.
    const trusting = openGuardedAgent({ guard: open, connectMs: 5_000, totalMs: 30_000 });
    const before = getCACertificates();
    setDefaultCACertificates([pair.cert.toString()]);
    const taken = await Promise.all([sendBy(trusting), sendBy(trusting)]);
    setDefaultCACertificates(before);
    await trusting.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.deepEqual(
      taken.map(({ status, answer }) => [status, answer]),
      [
        [200, 'ok'],
        [200, 'ok'],
      ],
    );
  });
});

describe('the guard of connections', () => {
  /** Replaces the public name server: each look-up takes the next answer. */
  function guarded(...answers: readonly string[]) {
    let nth = 0;
    const guardedAgent = openGuardedAgent({
      guard: closed,
      connectMs: 500,
      totalMs: 1_000,
      resolve: (_name, _options, done) => {
        const address = answers[Math.min(nth, answers.length - 1)] ?? '';
        nth += 1;
        done(
          null,
          address.split(',').map(
            (one): LookupAddress => ({
              address: one,
              family: one.includes(':') ? 6 : 4,
            }),
          ),
        );
      },
    });
    return { agent: guardedAgent, [Symbol.asyncDispose]: () => guardedAgent.destroy() };
  }

  it('reaches no private address, in any notation or behind a name', async () => {
    let reached = 0;
    await using victim = await listen((socket) => {
      reached += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret');
    });
    const { port } = victim;
    await using literal = guarded('127.0.0.1');
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      'localhost',
      'rebound.example',
    ]) {
      const result = await sendEvent({
        agent: literal.agent,
        url: `http://${host}:${port}/`,
        secrets: [secret],
        id: 'evt_1',
        body,
        now: new Date(),
      });
      assert.deepEqual(
        [result.status, result.answer, result.fault],
        [undefined, undefined, 'address_blocked'],
        host,
      );
    }
    // A name that resolves to a public address when it is checked, and to this machine when it is
    // used.
    await using rebinding = guarded('127.0.0.1,8.8.8.8', '::1', '::ffff:127.0.0.1', '127.0.0.1');
    for (let turn = 0; turn < 4; turn += 1) {
      const url = `http://rebinding.example:${port}/`;
      await sendEvent({
        agent: rebinding.agent,
        url,
        secrets: [secret],
        id: 'evt_1',
        body,
        now: new Date(),
        totalMs: 300,
      });
    }
    assert.equal(reached, 0);
  });

  it('checks the address of the connection itself', async () => {
    let reached = 0;
    await using victim = await listen(() => {
      reached += 1;
    });
    let judged = 0;
    // Allowed when it is checked, and forbidden a moment later.
    const forbids = (): boolean => ++judged > 1;
    const late = openGuardedAgent({ guard: { ...closed, forbids }, connectMs: 500, totalMs: 1_000 });
    const result = await sendEvent({
      agent: late,
      url: `http://127.0.0.1:${victim.port}/`,
      secrets: [secret],
      id: 'evt_1',
      body,
      now: new Date(),
    });
    await late.destroy();
    assert.equal(result.fault, 'address_blocked');
    assert.deepEqual([judged, reached], [2, 0]);
  });
});

describe('the signature', () => {
  it('is verified by the reference library with each of two secrets', () => {
    const time = Math.floor(Date.now() / 1_000);
    const [old, present] = [newSecret(), newSecret()];
    const headers = signatureHeaders([present, old], { id: 'evt_1', time, body });
    for (const one of [old, present]) {
      assert.deepEqual(new Webhook(one).verify(body, headers), JSON.parse(body));
      assert.throws(() => new Webhook(one).verify(`${body} `, headers));
      const late = signatureHeaders([one], { id: 'evt_1', time: time - 400, body });
      assert.throws(() => new Webhook(one).verify(body, late));
    }
    assert.throws(() => new Webhook(newSecret()).verify(body, headers));
  });
});
