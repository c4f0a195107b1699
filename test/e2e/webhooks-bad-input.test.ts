/**
 * Failing endpoints, through the public interface of a gateway in production: addresses that must
 * not be called, servers that answer badly, and objects of other merchants. The operator allowed
 * one private address, for the allowed variant of each case.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { blockedAddressNote } from '../../src/notifications/webhooks/send-event.ts';
import { runOja } from '../cli/harness.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type KeyPair, type RunningGateway, runGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const OWN = '127.0.0.2';
const endpoints = '/v1/webhooks/endpoints';

// biome-ignore lint/suspicious/noExplicitAny: looked into by path, and the assertions judge its shape
type Answer = { readonly status: number; readonly body: any };

const stack = new AsyncDisposableStack();
let clone: TestDatabase;
let gateway: RunningGateway;
let url: string;
let [shop, live, other]: (KeyPair | undefined)[] = [];

before(async () => {
  clone = stack.use(await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'oja-webhooks-'));
  cleanUpAfter(folder);
  const settings = {
    OJA_PROFILE: 'production',
    OJA_ENCRYPTION_KEY: '5'.repeat(64),
    DATABASE_URL: clone.connectionString,
    OJA_DATA_DIR: folder,
    OJA_WEBHOOK_NETWORKS: OWN,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'lying-names.ts')}`,
  };
  gateway = stack.use(runGateway(settings));
  url = await until('it listens', () => /listening on (http:\S+)/.exec(gateway.output())?.[1]);
  const keyOf = async (code: string, environment: string): Promise<KeyPair> => {
    await runOja(settings, ['merchant', 'create', code, code]);
    const issued = await runOja(settings, ['credential', 'issue', code, '--env', environment, '--json']);
    return JSON.parse(issued.out).data;
  };
  shop = await keyOf('SHOP', 'test');
  live = await keyOf('SHOP', 'live');
  other = await keyOf('OTHER', 'test');
});
after(() => stack.disposeAsync());

async function call(method: string, path: string, body?: unknown, as = shop): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      'x-merchant-key': as?.key ?? '',
      'x-merchant-secret': as?.secret ?? '',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

type Server = AsyncDisposable & { readonly port: number; readonly heard: string[]; connected(): number };

/** Answers each request by hand, and records the requests. */
async function listen(host: string, serve: (socket: Socket) => void, port = 0): Promise<Server> {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  let connected = 0;
  const server = createServer((socket) => {
    connected += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard.push(chunk.toString('utf8'));
      if (heard.length === 1 || /^POST/.test(heard.at(-1) ?? '')) serve(socket);
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    connected: () => connected,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Two servers with the same port, of which other programs may use one. */
async function listenTwice(host: string, other: string): Promise<[Server, Server]> {
  for (;;) {
    const server = await listen(host, ok);
    try {
      return [server, await listen(other, ok, server.port)];
    } catch (error) {
      await server[Symbol.asyncDispose]();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

const reply =
  (head: string, body = '') =>
  (socket: Socket): void => {
    socket.end(`HTTP/1.1 ${head}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  };
const ok = reply('200 OK', 'ok');

/** The result of a test event at an endpoint, after its try. */
async function tryAt(target: string): Promise<Answer['body']> {
  const made = await call('POST', endpoints, { url: target });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { id } = made.body.data;
  try {
    return await tryOnce(id);
  } finally {
    await call('DELETE', `${endpoints}/${id}`);
  }
}

async function tryOnce(id: string): Promise<Answer['body']> {
  const { data } = (await call('POST', `${endpoints}/${id}/test`)).body;
  return await until('it is tried', async () => {
    const listed = await call('GET', `/v1/webhooks/deliveries?endpoint=${id}`);
    return listed.body.data.find(
      (one: Answer['body']) => one.event_id === data.event_id && one.tried_at !== null,
    );
  });
}

const literals = [
  ...['127.0.0.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]'],
  ...['[::ffff:7f00:1]', '0.0.0.0', '[::]', '[::1]', '169.254.169.254', '10.0.0.1', '[fd00::1]', 'localhost'],
];

describe('an endpoint that must not be', () => {
  it('refuses a wrong endpoint with its field and the rule, made or changed, and stores nothing', async () => {
    const good = await call('POST', endpoints, { url: `http://${OWN}:9/` });
    assert.equal(good.status, 200);
    const targetsByFault = {
      malformed: ['shop', '', 'ftp://x.example/', 'https://', 'https://user:pass@x.example/', 'http://a b/'],
      private: literals.map((host) => `http://${host}:8080/hook`),
    };
    const messages: string[] = [];
    for (const targets of Object.values(targetsByFault)) {
      const told = new Set<string>();
      for (const target of targets) {
        for (const [method, path] of [
          ['POST', endpoints],
          ['PATCH', `${endpoints}/${good.body.data.id}`],
        ] as const) {
          const { status, body } = await call(method, path, { url: target });
          assert.equal(status, 400, `${method} ${target}`);
          assert.deepEqual(
            body.errors.map(({ field }: { field: string }) => field),
            ['url'],
            target,
          );
          if (target === '') continue;
          assert.equal(body.reason, 'endpoint_url_refused', target);
          told.add(body.message);
        }
      }
      messages.push(...told);
    }
    // The rule in the message depends on the error.
    assert.equal(new Set(messages).size, 2);
    assert.equal(messages.length, 2);
    const { data } = (await call('GET', endpoints)).body;
    assert.deepEqual(
      data.map((one: Answer['body']) => one.url),
      [`http://${OWN}:9/`],
    );
    await call('DELETE', `${endpoints}/${good.body.data.id}`);
  });
});

describe('a name', () => {
  it('does not connect to a name of a private address, and reveals nothing about it', async () => {
    await using victim = await listen('0.0.0.0', reply('200 OK', 'secret'));
    const names = ['inside.example', 'mapped.example'];
    for (const tried of await Promise.all(names.map((name) => tryAt(`http://${name}:${victim.port}/`)))) {
      assert.deepEqual(
        [tried.state, tried.http_status, tried.answer, tried.note],
        ['waiting', null, null, blockedAddressNote],
      );
    }
    assert.equal(victim.connected(), 0);
    const allowed = await tryAt(`http://own.example:${victim.port}/`);
    assert.deepEqual([allowed.state, allowed.answer], ['delivered', 'secret']);
    const both = await tryAt(`http://both.example:${victim.port}/`);
    assert.equal(both.state, 'delivered');
    assert.equal(victim.connected(), 2);
  });

  it('checks the address at the time of the connection', async () => {
    const [one, other] = await listenTwice(OWN, '127.0.0.1');
    await using receiver = one;
    await using trap = other;
    const { data } = (await call('POST', endpoints, { url: `http://rebinding.example:${receiver.port}/` }))
      .body;
    const first = await tryOnce(data.id);
    const second = await tryOnce(data.id);
    await call('DELETE', `${endpoints}/${data.id}`);
    assert.deepEqual([first.state, second.state, second.note], ['delivered', 'waiting', blockedAddressNote]);
    assert.deepEqual([receiver.connected(), trap.connected()], [1, 0]);
  });
});

describe('an endpoint that answers badly', () => {
  it('follows no redirect', async () => {
    await using target = await listen(OWN, ok);
    await Promise.all(
      [301, 302, 303, 307, 308].map(async (status) => {
        await using from = await listen(
          OWN,
          reply(`${status} Moved\r\nLocation: http://${OWN}:${target.port}/`),
        );
        const tried = await tryAt(`http://${OWN}:${from.port}/`);
        assert.deepEqual([tried.state, tried.http_status, tried.note !== null], ['waiting', status, true]);
      }),
    );
    assert.equal(target.connected(), 0);
    assert.equal((await tryAt(`http://${OWN}:${target.port}/`)).state, 'delivered');
  });

  it('waits fifteen seconds for head and body at most, and reads a bounded amount', async () => {
    const drip = (socket: Socket, text: string): void => {
      const timer = setInterval(() => socket.write(text), 20);
      socket.on('close', () => clearInterval(timer));
    };
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const servers = Object.entries<[(socket: Socket) => void, state: string, status: number | null]>({
      silent: [() => undefined, 'waiting', null],
      'slow head': [(socket) => drip(socket, 'X'), 'waiting', null],
      'slow body': [
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n');
          drip(socket, 'y');
        },
        'delivered',
        200,
      ],
      endless: [
        (socket) => {
          socket.write('HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n');
          drip(socket, '3e8\r\n'.concat('z'.repeat(1_000), '\r\n'));
        },
        'waiting',
        500,
      ],
      large: [
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n');
          socket.write('x'.repeat(10_000_000));
        },
        'delivered',
        200,
      ],
      bomb: [
        (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
          socket.end(bomb);
        },
        'delivered',
        200,
      ],
      'large head': [
        (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`),
        'waiting',
        null,
      ],
      'no HTTP': [(socket) => socket.end('what?\r\n\r\n'), 'waiting', null],
    });
    const tryOf = async ([name, [serve, state, status]]: (typeof servers)[number]): Promise<void> => {
      await using server = await listen(OWN, serve);
      const tried = await tryAt(`http://${OWN}:${server.port}/`);
      assert.deepEqual([tried.state, tried.http_status], [state, status], `${name}: ${tried.note}`);
      assert.ok((tried.answer ?? '').length <= 1_024, name);
    };
    await Promise.all(servers.slice(0, 4).map(tryOf));
    await Promise.all(servers.slice(4).map(tryOf));
  });

  it('sends nothing to an untrusted certificate', async () => {
    const read = (name: string): Promise<Buffer> =>
      readFile(new URL(`../support/self-signed.${name}.pem`, import.meta.url));
    let asked = 0;
    const server = createTlsServer(
      { key: await read('key'), cert: await read('cert') },
      (_request, response) => {
        asked += 1;
        response.end();
      },
    );
    await new Promise<void>((resolve) => server.listen(0, OWN, resolve));
    const { port } = server.address() as AddressInfo;
    const tried = await tryAt(`https://${OWN}:${port}/`).finally(() => server.close());
    assert.deepEqual([tried.state, tried.http_status, asked], ['waiting', null, 0]);
    assert.notEqual(tried.note, null);
  });

  it('waits as long as Retry-After says, at most a day, and stops permanently after 410', async () => {
    await Promise.all(
      (
        [
          ['', 3.9, 6.1],
          ['Retry-After: 3600\r\n', 3_599, 3_601],
          ['Retry-After: 1\r\n', 3.9, 6.1],
          ['Retry-After: 999999999\r\n', 86_399, 86_401],
          ['Retry-After: soon\r\n', 3.9, 6.1],
        ] as const
      ).map(async ([header, leastS, mostS]) => {
        await using busy = await listen(OWN, reply(`429 Busy\r\n${header}X: y`));
        const tried = await tryAt(`http://${OWN}:${busy.port}/`);
        const waitS = (Date.parse(tried.next_try_at) - Date.parse(tried.tried_at)) / 1_000;
        assert.ok(waitS >= leastS && waitS <= mostS, `${header}${waitS}`);
      }),
    );
    await using gone = await listen(OWN, reply('410 Gone'));
    const { data } = (await call('POST', endpoints, { url: `http://${OWN}:${gone.port}/` })).body;
    await tryOnce(data.id);
    const [endpoint] = (await call('GET', endpoints)).body.data;
    assert.deepEqual([endpoint.state, endpoint.disabled_reason], ['disabled', 'gone']);
    assert.equal((await call('POST', `${endpoints}/${data.id}/test`)).status, 400);
    await call('DELETE', `${endpoints}/${data.id}`);
  });
});

describe('what is another merchant’s, or of the other environment', () => {
  it('hides endpoints, deliveries and cursors of other merchants and environments', async () => {
    await using receiver = await listen(OWN, ok);
    const { data } = (await call('POST', endpoints, { url: `http://${OWN}:${receiver.port}/` })).body;
    const delivery = await tryOnce(data.id);
    const { cursor } = (await call('GET', '/v1/events?after=latest&wait=0')).body;
    const [endpoint, replay] = [`${endpoints}/${data.id}`, `/v1/webhooks/deliveries/${delivery.id}/replay`];
    const deeds: readonly [method: string, path: string, body?: unknown][] = [
      ['PATCH', endpoint, { description: 'mine' }],
      ['POST', `${endpoint}/rotate`, {}],
      ['POST', `${endpoint}/test`],
      ['POST', `${endpoint}/replay`, { from: delivery.created_at }],
      ['POST', replay],
      ['DELETE', endpoint],
    ];
    const nobodys = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';
    const lists = [endpoints, '/v1/webhooks/deliveries', `/v1/webhooks/deliveries?endpoint=${data.id}`];
    for (const stranger of [other, live]) {
      for (const [method, path, body] of deeds) {
        const answer = await call(method, path, body, stranger);
        const unknown = path.replace(data.id, nobodys).replace(delivery.id, nobodys);
        assert.deepEqual(answer, await call(method, unknown, body, stranger), `${method} ${path}`);
        assert.equal(answer.status, 404);
      }
      for (const path of lists) {
        assert.deepEqual((await call('GET', path, undefined, stranger)).body.data, [], path);
      }
      for (const after of [cursor, `${cursor.slice(0, -1)}_`, 'AAAA', '0', cursor.toLowerCase()]) {
        const { status, body } = await call('GET', `/v1/events?after=${after}&wait=0`, undefined, stranger);
        assert.deepEqual([status, body.errors?.[0].field], [400, 'after'], after);
      }
    }
    // Its owner can still read it.
    assert.equal((await call('GET', `/v1/events?after=${cursor}&wait=0`)).status, 200);
    for (const [method, path, body] of deeds) {
      assert.equal((await call(method, path, body)).status, 200, `${method} ${path}`);
    }
    assert.ok(receiver.heard.every((text) => !text.includes('mine')));
  });
});
