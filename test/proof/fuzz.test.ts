/**
 * A short fuzz run with a fixed seed, and badly behaved sockets: no request ends in an error of
 * ours, and none stops a purchase.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type FuzzGround, openFuzzGround } from '../../lab/fuzz/ground.ts';
import { runFuzz } from '../../lab/fuzz/run-fuzz.ts';
import { until } from '../support/until.ts';

/** The connection limit of the admin API. */
const PLACES = 256;

let ground: FuzzGround;

before(async () => {
  ground = await openFuzzGround();
});
after(() => ground[Symbol.asyncDispose]());

it('finds no fault with 900 generated requests', async () => {
  const { sent, faults, memory, statuses } = await runFuzz(ground, {
    requests: 900,
    seed: 16,
    chapter: 450,
    lanes: { api: 12, admin: 4, console: 4, portal: 4 },
  });
  assert.deepEqual(
    faults.map(({ words, curl }) => `${words}\n${curl}`),
    [],
  );
  assert.ok(sent >= 900);
  // A refused request proves little.
  const served = (...edges: (keyof typeof statuses)[]): number =>
    edges.reduce((sum, edge) => sum + (statuses[edge]['200'] ?? 0), 0);
  const counts = [served('api'), served('admin'), served('console', 'portal')];
  assert.ok(
    counts.every((count) => count > 5),
    JSON.stringify(statuses),
  );
  const [first, last] = [memory[0], memory.at(-1)];
  assert.ok(first && last && last.heapMb - first.heapMb < 40, JSON.stringify(memory));
});

describe('sockets that behave badly', () => {
  const open = (url = ground.urls.api): Socket => {
    const { hostname, port } = new URL(url);
    return connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  };

  const purchase = (reference: string): string => {
    const { merchant, test } = ground.gateway.credentials;
    const body = JSON.stringify({
      merchant,
      msisdn: '08031234567',
      network: 'mtn',
      amount: '50',
      request_ref: reference,
    });
    return (
      `POST /v1/transactions/airtime/async HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${test.key}\r\n` +
      `x-merchant-secret: ${test.secret}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  };

  const isOver = (socket: Socket): boolean => socket.readableEnded || socket.destroyed;

  /** The reply when `enough` returns true, or when the connection ends. */
  const hear = (socket: Socket, enough: (text: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      socket
        .on('close', () => resolve(text))
        .on('data', (chunk) => {
          text += chunk;
          if (enough(text)) resolve(text);
        });
    });

  it('500 sockets that send headers byte by byte stop no purchase, and time out, at every listener', async (t) => {
    const { admin, console, portal } = ground.urls;
    const elsewhere = [admin, console, portal, ground.gateway.metricsUrl];
    const slow = [...Array.from({ length: 500 }, () => open()), ...elsewhere.map((url) => open(url))];
    t.after(() => {
      for (const socket of slow) socket.destroy();
    });
    // A reply that is never read never ends.
    for (const socket of slow.slice(1)) socket.resume();
    for (const socket of slow) socket.write('POST /v1/transactions HTTP/1.1\r\nhost: x\r\nx-a: ');
    const dripping = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('y');
    }, 1_000);
    t.after(() => clearInterval(dripping));
    const [first] = slow;
    assert.ok(first);
    const given = hear(first, (text) => text.includes('}'));
    const buyer = open();
    t.after(() => buyer.destroy());
    buyer.write(purchase('slow-1'));
    assert.match(await hear(buyer, (text) => text.includes('}}')), /^HTTP\/1\.1 200 /);
    assert.match(await given, /^HTTP\/1\.1 408 /);
    await until('all are closed', () => slow.every(isOver));
  });

  it('closes connections beyond its places, and serves the others', async (t) => {
    const openAdmin = (): Socket => open(ground.urls.admin);
    const isAnswered = async (socket: Socket): Promise<boolean> => {
      socket.write('GET /admin/v1/merchants HTTP/1.1\r\nhost: x\r\n\r\n');
      return (await hear(socket, (text) => text.includes('}'))).startsWith('HTTP/1.1 401 ');
    };
    const inside = openAdmin();
    t.after(() => inside.destroy());
    assert.ok(await isAnswered(inside));
    // A client that was answered may stay connected for a minute.
    const flood = Array.from({ length: 2 * PLACES }, () => openAdmin().resume());
    for (const socket of flood) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    t.after(() => {
      for (const socket of flood) socket.destroy();
    });
    await until('those beyond are closed', () => flood.filter(isOver).length > PLACES);
    assert.ok(!(await isAnswered(openAdmin())));
    assert.ok(await isAnswered(inside));
    for (const socket of flood) socket.destroy();
    const metrics = async (): Promise<string> => await (await fetch(ground.gateway.metricsUrl)).text();
    assert.match(await metrics(), /^oja_connections_refused_total\{listener="admin",reason="full"\} [1-9]/m);
    await until('there are places', async () =>
      /^oja_connections\{listener="admin"\} \d$/m.test(await metrics()),
    );
    const next = openAdmin();
    t.after(() => next.destroy());
    assert.ok(await isAnswered(next));
  });

  it('answers pipelined purchases, in their order', async (t) => {
    const socket = open();
    t.after(() => socket.destroy());
    const references = Array.from({ length: 50 }, (_, index) => `piped-${index}`);
    socket.write(references.map(purchase).join(''));
    const count = (text: string): number => [...text.matchAll(/HTTP\/1\.1 200 /g)].length;
    const text = await hear(socket, (heard) => count(heard) === references.length && heard.endsWith('}}'));
    assert.deepEqual(
      [...text.matchAll(/"request_id":"(piped-\d+)"/g)].map(([, reference]) => reference),
      references,
    );
  });

  it('refuses headers and bodies beyond their limits, and ends a half-closed socket', async (t) => {
    const answered = async (bytes: string): Promise<string> => {
      const socket = open();
      t.after(() => socket.destroy());
      socket.write(bytes);
      return await hear(socket, (text) => /\r\n\r\n\{.*\}$/s.test(text));
    };
    const large = await answered(`GET /v1/healthz HTTP/1.1\r\nhost: x\r\nx-a: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.match(large, /^HTTP\/1\.1 431 /);
    const [head = ''] = purchase('large-1').split('content-length');
    const body = await answered(`${head}content-length: 70000\r\n\r\n${'x'.repeat(70_000)}`);
    assert.match(body, /^HTTP\/1\.1 400 /);
    const half = open();
    t.after(() => half.destroy());
    half.end(purchase('half-1'));
    assert.match(await hear(half, () => false), /^(?:HTTP\/1\.1 200 .*)?$/s);
  });
});
