/**
 * The connection limits of a listener: who is admitted, who is refused, and that admitted clients
 * are not affected.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createListener, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { boundConnections, type ConnectionCounts } from '../../../src/api/edge/bound-connections.ts';
import { networkOf } from '../../../src/core/network-of.ts';
import { until } from '../../support/until.ts';

type Bounded = {
  readonly server: Server;
  readonly counts: () => ConnectionCounts;
  readonly told: string[];
  /** From an address of this machine. */
  readonly come: (from?: string, port?: number) => Promise<Socket>;
};

const proxy = '127.0.0.9';
const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());

function portOf(server: { address(): unknown }): number {
  return Number(Reflect.get(Object(server.address()), 'port'));
}

async function bounded(max: number, share: number): Promise<Bounded> {
  const server = createServer((_request, response) => void response.end('served'));
  const told: string[] = [];
  const onDrop = (reason: string, address: string): void => void told.push(`${reason} ${address}`);
  const counts = boundConnections(server, { max, share, proxies: [`${proxy}/32`], onDrop });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const come = async (from = '127.0.0.1', port = portOf(server)): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from }).on('error', () => undefined);
    stack.defer(() => void socket.destroy());
    return await new Promise((resolve) => {
      socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket));
    });
  };
  return { server, counts, told, come };
}

/** The answer. Empty if the connection was closed. */
function ask(socket: Socket): Promise<string> {
  if (socket.destroyed) return Promise.resolve('');
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data))).once('close', () => resolve(''));
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  });
}

const isServed = async (socket: Socket): Promise<boolean> => /served/.test(await ask(socket));

describe('a listener with six places', () => {
  it('closes connections beyond its limit, serves the others, and gives a free slot to the next', async () => {
    const { counts, told, come } = await bounded(6, 6);
    const inside: Socket[] = [];
    for (let place = 0; place < 6; place += 1) inside.push(await come());
    for (const socket of inside) assert.ok(await isServed(socket));
    const beyond = await Promise.all(Array.from({ length: 50 }, () => come()));
    assert.deepEqual(
      await Promise.all(beyond.map(isServed)),
      beyond.map(() => false),
    );
    for (const socket of inside) assert.ok(await isServed(socket));
    assert.deepEqual(counts(), { open: 6, dropped: { full: 50, share: 0 } });
    assert.deepEqual(new Set(told), new Set(['full 127.0.0.1']));
    inside[0]?.destroy();
    await until('its place is free', () => counts().open === 5);
    assert.ok(await isServed(await come()));
  });

  it('gives one address its share, and leaves connections to others', async () => {
    const { counts, told, come } = await bounded(6, 2);
    const own = [await come(), await come()];
    assert.ok(await isServed(own[0] as Socket));
    assert.equal(await isServed(await come()), false);
    assert.ok(await isServed(await come('127.0.0.2')));
    assert.ok(await isServed(own[1] as Socket));
    assert.deepEqual(counts(), { open: 3, dropped: { full: 0, share: 1 } });
    assert.deepEqual(told, ['share 127.0.0.1']);
    own[0]?.destroy();
    await until('its place is free', () => counts().open === 2);
    assert.ok(await isServed(await come()));
  });

  it('accepts as many connections through a proxy as there are places', async () => {
    const { counts, come } = await bounded(6, 2);
    for (let place = 0; place < 6; place += 1) assert.ok(await isServed(await come(proxy)));
    assert.equal(await isServed(await come(proxy)), false);
    assert.deepEqual(counts(), { open: 6, dropped: { full: 1, share: 0 } });
  });

  it('counts connections to another address of its host too', async () => {
    const { server, counts, come } = await bounded(6, 6);
    const further = createListener({ allowHalfOpen: true }, (socket) => server.emit('connection', socket));
    further.listen(0, '127.0.0.1');
    await once(further, 'listening');
    stack.defer(() => void further.close());
    for (let place = 0; place < 3; place += 1) {
      assert.ok(await isServed(await come()));
      assert.ok(await isServed(await come('127.0.0.1', portOf(further))));
    }
    assert.equal(await isServed(await come('127.0.0.1', portOf(further))), false);
    assert.deepEqual(counts(), { open: 6, dropped: { full: 1, share: 0 } });
  });
});

it('counts addresses by network: an IPv4 address, or the first half of an IPv6 address', () => {
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9');
  assert.equal(networkOf('2001:db8:0:1:aaaa::1'), networkOf('2001:db8::1:0:0:0:2'));
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8:0:2::1'));
});
