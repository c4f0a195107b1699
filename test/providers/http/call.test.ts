/**
 * The line between "never sent" and "perhaps sent", against servers that break at every point of an
 * exchange.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallEvent,
  type CallResult,
  openUpstream,
  type Upstream,
  type UpstreamSettings,
} from '../../../src/providers/http/call.ts';

describe('a call that is answered', () => {
  it('returns a reply with its status and JSON, whatever the status', async () => {
    for (const status of [200, 401, 404, 429, 500]) {
      await using bench = await openBench(({ socket }) => respond(socket, '{"code":"000"}', status));
      assert.deepEqual(await pay(bench.upstream), { kind: 'reply', status, body: { code: '000' } });
    }
  });

  it('sends path, keys and JSON', async () => {
    await using bench = await openBench(({ socket }) => respond(socket, '{}'));
    await pay(bench.upstream, 'r1');
    assert.match(bench.requests[0] ?? '', /^POST \/base\/pay HTTP\/1\.1\r\n/);
    assert.match(bench.requests[0] ?? '', /\r\napi-key: k\r\n/);
    assert.match(bench.requests[0] ?? '', /\r\ncontent-type: application\/json\r\n.*\{"id":"r1"\}$/s);
  });

  it('reuses the connection', async () => {
    await using bench = await openBench(({ socket }) => respond(socket, '{}'), { connectionsMax: 1 });
    for (let calls = 0; calls < 5; calls += 1) await pay(bench.upstream);
    assert.equal(bench.connections(), 1);
  });

  it('reports a call to the metrics hook, without its content', async () => {
    const events: CallEvent[] = [];
    await using bench = await openBench(({ socket }) => respond(socket, '{}'), {
      onCall: (event) => events.push(event),
    });
    await pay(bench.upstream);
    assert.deepEqual(
      events.map(({ latencyMs, ...rest }) => rest),
      [{ provider: 'test', operation: 'purchase', outcome: 'reply' }],
    );
    assert.ok((events[0]?.latencyMs ?? 0) > 0);
  });
});

describe('a call that was sent and not readably answered is lost', () => {
  const breakages: Readonly<Record<string, (socket: Socket) => void>> = {
    'cut after the request': (socket) => socket.destroy(),
    'reset after the request': (socket) => socket.resetAndDestroy(),
    'closed without an answer': (socket) => socket.end(),
    'cut within the headers': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
    'cut within the body': (socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"code":"000"'),
    'cut within a chunk': (socket) =>
      socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n50\r\n{"code"'),
    'not HTTP at all': (socket) => socket.end('hello\r\n\r\n'),
    'an HTML page': (socket) => respond(socket, '<html></html>'),
    'broken JSON': (socket) => respond(socket, '{"code":"000"'),
    'an empty body': (socket) => respond(socket, ''),
    'a body without end': (socket) => respond(socket, `"${'x'.repeat(2 * 1024 * 1024)}"`),
    'no answer until the deadline': () => undefined,
    'an answer that trickles beyond the deadline': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{');
    },
  };
  for (const [name, breakage] of Object.entries(breakages)) {
    it(name, async () => {
      await using bench = await openBench(({ socket }) => breakage(socket), { deadlineMs: 300 });
      assert.equal((await pay(bench.upstream)).kind, 'lost');
      await sleep(20);
      assert.equal(bench.requests.length, 1, 'sent once, never again');
    });
  }

  it('loses a call when a reused connection breaks under the request', async () => {
    await using bench = await openBench(({ socket, count }) => {
      if (count === 1) respond(socket, '{}');
      else socket.resetAndDestroy();
    });
    assert.equal((await pay(bench.upstream)).kind, 'reply');
    assert.equal((await pay(bench.upstream)).kind, 'lost');
    await sleep(20);
    assert.equal(bench.requests.length, 2);
  });

  it('loses a call when the caller stops waiting after it was sent', async () => {
    await using bench = await openBench(() => undefined);
    const stop = new AbortController();
    const call = pay(bench.upstream, 'r', stop.signal);
    await eventually(() => bench.requests.length === 1);
    stop.abort();
    assert.equal((await call).kind, 'lost');
  });
});

describe('a call that never left is not_sent', () => {
  it('sends no call when no server listens', async () => {
    await using upstream = open('http://127.0.0.1:1/');
    assert.deepEqual(await pay(upstream), { kind: 'not_sent', reason: 'ECONNREFUSED', unreachable: true });
  });

  it('sends no call when the host does not exist', async () => {
    await using upstream = open('http://no-such-host.invalid/');
    assert.equal((await pay(upstream)).kind, 'not_sent');
  });

  it('sends no call without TLS when TLS is expected', async () => {
    await using bench = await openBench(() => undefined);
    await using upstream = open(bench.url.replace('http:', 'https:'), { deadlineMs: 1_000 });
    const socketEnds = eventually(() => bench.connections() === 1).then(() => bench.dropConnections());
    assert.equal((await pay(upstream)).kind, 'not_sent');
    await socketEnds;
  });

  it('sends no call when the caller had stopped before', async () => {
    await using bench = await openBench(({ socket }) => respond(socket, '{}'));
    assert.equal((await pay(bench.upstream, 'r', AbortSignal.abort())).kind, 'not_sent');
    assert.equal(bench.requests.length, 0);
  });

  it('sends no call when the pool is closed', async () => {
    await using bench = await openBench(({ socket }) => respond(socket, '{}'));
    await bench.upstream[Symbol.asyncDispose]();
    assert.equal((await pay(bench.upstream)).kind, 'not_sent');
  });

  it('never sends a call that was given up while it waited for a connection', async () => {
    const free = Promise.withResolvers<void>();
    await using bench = await openBench(({ socket }) => void free.promise.then(() => respond(socket, '{}')), {
      connectionsMax: 1,
    });
    const first = pay(bench.upstream, 'first');
    await eventually(() => bench.requests.length === 1);
    assert.equal((await pay(bench.upstream, 'second', AbortSignal.timeout(30))).kind, 'not_sent');
    free.resolve();
    assert.equal((await first).kind, 'reply');
    assert.equal((await pay(bench.upstream, 'third')).kind, 'reply');
    assert.deepEqual(bench.requests.map(idOf), ['first', 'third']);
  });

  it('sends no call when too many wait already', async () => {
    const free = Promise.withResolvers<void>();
    await using bench = await openBench(({ socket }) => void free.promise.then(() => respond(socket, '{}')), {
      connectionsMax: 1,
      limits: { waitingMax: 1 },
    });
    const first = pay(bench.upstream);
    const second = pay(bench.upstream);
    assert.deepEqual(await pay(bench.upstream), { kind: 'not_sent', reason: 'too many calls are waiting' });
    free.resolve();
    assert.equal((await first).kind, 'reply');
    assert.equal((await second).kind, 'reply');
  });
});

describe('under a line that breaks at random', () => {
  it('sends no call twice, and never reports an arrived call as not_sent', async () => {
    let dice = 12345;
    const roll = (sides: number): number => {
      dice = (Math.imul(dice, 1103515245) + 12345) >>> 0;
      return (dice >>> 8) % sides;
    };
    await using bench = await openBench(
      ({ socket }) => {
        const side = roll(6);
        if (side === 0) socket.resetAndDestroy();
        else if (side === 1) socket.end();
        else if (side === 2) respond(socket, '<html>');
        else {
          respond(socket, '{}');
          // Idle connections die too, some just as the next request is written.
          if (side === 3) setTimeout(() => socket.resetAndDestroy(), roll(3));
        }
      },
      { connectionsMax: 8, breaker: { window: 10_000, probeAfterMs: 10 } },
    );
    const answers = new Map<string, CallResult>();
    const ids = Array.from({ length: 1_500 }, (_, index) => `id${index}x`);
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          const signal = roll(10) === 0 ? AbortSignal.timeout(roll(4)) : undefined;
          answers.set(id, await pay(bench.upstream, id, signal));
        }
      }),
    );
    await sleep(50);
    const arrived = bench.requests.map(idOf);
    assert.equal(new Set(arrived).size, arrived.length, 'an id arrived twice');
    const kinds = new Set<string>();
    for (const [id, answer] of answers) {
      kinds.add(answer.kind);
      if (answer.kind === 'not_sent') assert.ok(!arrived.includes(id), `${id} arrived`);
      if (answer.kind === 'reply') assert.ok(arrived.includes(id), `${id} did not arrive`);
    }
    assert.deepEqual([...kinds].sort(), ['lost', 'not_sent', 'reply']);
  });
});

describe('the deadline', () => {
  it('begins the deadline when the call leaves, so that calls behind slow ones are answered', async () => {
    await using bench = await openBench(({ socket }) => void setTimeout(respond, 300, socket, '{}'), {
      connectionsMax: 1,
      deadlineMs: 1_200,
    });
    const results = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => pay(bench.upstream, id)));
    assert.deepEqual(
      results.map((result) => result.kind),
      ['reply', 'reply', 'reply', 'reply', 'reply'],
    );
  });
});

describe('a call that must leave in time', () => {
  it('waits no longer than the default of the upstream when the caller names no time', async () => {
    await using bench = await openBench(() => undefined, { connectionsMax: 1, waitMs: 1_000 });
    const first = pay(bench.upstream, 'a');
    await eventually(() => bench.requests.length === 1);
    const late = { kind: 'not_sent', reason: 'waited too long to be sent' };
    assert.deepEqual(await pay(bench.upstream, 'b'), late);
    assert.deepEqual(bench.requests.map(idOf), ['a']);
    assert.equal((await first).kind, 'lost');
  });

  it('sends a call whose turn comes in time', async () => {
    await using bench = await openBench(({ socket }) => void setTimeout(respond, 50, socket, '{}'), {
      connectionsMax: 1,
    });
    const calls = [pay(bench.upstream, 'a'), pay(bench.upstream, 'b', undefined, 10_000)];
    assert.deepEqual(
      (await Promise.all(calls)).map((result) => result.kind),
      ['reply', 'reply'],
    );
  });

  it('answers at once when a call waited too long, and does not send it later', async () => {
    const free = Promise.withResolvers<void>();
    await using bench = await openBench(({ socket }) => void free.promise.then(() => respond(socket, '{}')), {
      connectionsMax: 1,
    });
    const first = pay(bench.upstream, 'a');
    const late = { kind: 'not_sent', reason: 'waited too long to be sent' };
    assert.deepEqual(await pay(bench.upstream, 'b', undefined, 40), late);
    free.resolve();
    assert.equal((await first).kind, 'reply');
    assert.equal((await pay(bench.upstream, 'c')).kind, 'reply');
    assert.deepEqual(bench.requests.map(idOf), ['a', 'c']);
  });

  it('does not send a late call when an answer is read before the timers run, as in a process that was stopped', async (t) => {
    await using bench = await openBench(
      ({ socket }) => {
        const until = performance.now() + 80;
        while (performance.now() < until);
        respond(socket, '{}');
      },
      { connectionsMax: 1 },
    );
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const calls = [pay(bench.upstream, 'a'), pay(bench.upstream, 'b', undefined, 40)];
    assert.deepEqual(
      (await Promise.all(calls)).map((result) => result.kind),
      ['reply', 'not_sent'],
    );
    assert.deepEqual(bench.requests.map(idOf), ['a']);
  });

  it('continues a call that was sent, however long the answer takes', async () => {
    await using bench = await openBench(({ socket }) => void setTimeout(respond, 700, socket, '{}'), {
      deadlineMs: 60_000,
    });
    assert.equal((await pay(bench.upstream, 'a', undefined, 500)).kind, 'reply');
  });
});

/** The wall clock of the machine, moved ahead by this much. */
function setWallClock(t: TestContext, aheadMs: number): void {
  const real = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => real() + aheadMs);
}

describe('a call that waits while the machine sleeps', () => {
  it('does not send a late call, although no timer has fired', async (t) => {
    const free = Promise.withResolvers<void>();
    await using bench = await openBench(({ socket }) => void free.promise.then(() => respond(socket, '{}')), {
      connectionsMax: 1,
      waitMs: 60_000,
    });
    const first = pay(bench.upstream, 'first');
    await eventually(() => bench.requests.length === 1);
    const second = pay(bench.upstream, 'second');
    setWallClock(t, 3_600_000);
    free.resolve();
    assert.equal((await first).kind, 'reply');
    assert.deepEqual(await second, { kind: 'not_sent', reason: 'waited too long to be sent' });
    assert.equal(bench.requests.length, 1);
  });
});

describe('the breaker', () => {
  const PROBE_AFTER_MS = 1_000;
  const breaker = { window: 4, probeAfterMs: PROBE_AFTER_MS };

  it('probes in time, although the wall clock was set back', async (t) => {
    let well = false;
    await using bench = await openBench(({ socket }) => (well ? respond(socket, '{}') : socket.destroy()), {
      breaker,
    });
    for (let calls = 0; calls < 4; calls += 1) await pay(bench.upstream);
    assert.equal(bench.upstream.breakerState(), 'open');
    setWallClock(t, -3_600_000);
    well = true;
    await eventually(() => bench.upstream.breakerState() === 'half_open');
    assert.equal((await pay(bench.upstream)).kind, 'reply');
    assert.equal(bench.upstream.breakerState(), 'closed');
  });

  it('opens after faults and lets no call through', async () => {
    for (const fault of [
      (socket: Socket): void => void socket.destroy(),
      (socket: Socket): void => respond(socket, '{}', 503),
      (socket: Socket): void => respond(socket, '<html>'),
      (): void => undefined,
    ]) {
      await using bench = await openBench(({ socket }) => fault(socket), { breaker, deadlineMs: 200 });
      for (let calls = 0; calls < 4; calls += 1) await pay(bench.upstream);
      assert.equal(bench.upstream.breakerState(), 'open');
      assert.deepEqual(await pay(bench.upstream), { kind: 'not_sent', reason: 'breaker open' });
      // They may be read later than they were given up.
      await eventually(() => bench.requests.length === 4);
    }
  });

  it('stays closed after refusals, because the upstream answers', async () => {
    await using bench = await openBench(({ socket }) => respond(socket, '{}', 401), { breaker });
    for (let calls = 0; calls < 10; calls += 1) await pay(bench.upstream);
    assert.equal(bench.upstream.breakerState(), 'closed');
  });

  it('stays closed after a 429: calls wait as long as it requests, a second at least', async () => {
    let saidAt = 0;
    await using bench = await openBench(
      ({ socket, count }) => {
        if (count > 1) return respond(socket, '{}');
        saidAt = performance.now();
        socket.write('HTTP/1.1 429 X\r\nretry-after: 0\r\ncontent-length: 2\r\n\r\n{}');
      },
      { breaker },
    );
    assert.deepEqual(await pay(bench.upstream), { kind: 'reply', status: 429, body: {} });
    assert.equal(bench.upstream.breakerState(), 'open');
    const ended: string[] = [];
    const waiting = [pay(bench.upstream), pay(bench.upstream)].map(async (call) => {
      ended.push((await call).kind);
    });
    // A call that cannot wait so long is refused at once.
    const hasty = pay(bench.upstream, 'r', undefined, 100);
    assert.deepEqual(await hasty, { kind: 'not_sent', reason: 'the upstream asked for fewer calls' });
    assert.deepEqual(ended, []);
    await Promise.all(waiting);
    assert.deepEqual(ended, ['reply', 'reply']);
    assert.ok(performance.now() - saidAt >= 990);
    assert.equal(bench.upstream.breakerState(), 'closed');
  });

  it('does not send a call after a 429 when its caller has cancelled it', async () => {
    await using bench = await openBench(
      ({ socket }) => socket.write('HTTP/1.1 429 X\r\ncontent-length: 2\r\n\r\n{}'),
      { breaker },
    );
    await pay(bench.upstream);
    const given = await pay(bench.upstream, 'r', AbortSignal.timeout(50));
    assert.deepEqual(given, { kind: 'not_sent', reason: 'the caller stopped waiting' });
    assert.equal(bench.requests.length, 1);
  });

  it('opens after refused connections', async () => {
    await using upstream = open('http://127.0.0.1:1/', { breaker });
    for (let calls = 0; calls < 4; calls += 1) await pay(upstream);
    assert.equal(upstream.breakerState(), 'open');
  });

  it('stays closed after any number of calls that we gave up or never made', async () => {
    await using bench = await openBench(() => undefined, {
      breaker,
      connectionsMax: 1,
      waitMs: 1_000,
      deadlineMs: 60_000,
    });
    for (let calls = 0; calls < 4; calls += 1) assert.equal((await giveUpOnceSent(bench)).kind, 'lost');
    assert.equal(bench.requests.length, 4);
    const stop = new AbortController();
    const held = pay(bench.upstream, 'r', stop.signal);
    await eventually(() => bench.requests.length === 5);
    const waiting = Array.from({ length: 8 }, () => pay(bench.upstream));
    const late = { kind: 'not_sent', reason: 'waited too long to be sent' };
    for (const result of await Promise.all(waiting)) assert.deepEqual(result, late);
    stop.abort();
    assert.equal((await held).kind, 'lost');
    assert.equal(bench.upstream.breakerState(), 'closed');
  });

  it('stays open when the probe is cancelled', async () => {
    let silent = false;
    await using bench = await openBench(({ socket }) => (silent ? undefined : socket.destroy()), { breaker });
    for (let calls = 0; calls < 4; calls += 1) await pay(bench.upstream);
    silent = true;
    await sleep(PROBE_AFTER_MS + 50);
    assert.equal((await giveUpOnceSent(bench)).kind, 'lost');
    assert.equal(bench.upstream.breakerState(), 'open');
  });

  it('probes with one call, refusing the others, and closes when it is answered', async () => {
    let well = false;
    const free = Promise.withResolvers<void>();
    await using bench = await openBench(
      ({ socket }) => {
        if (well) void free.promise.then(() => respond(socket, '{}'));
        else socket.destroy();
      },
      { breaker },
    );
    for (let calls = 0; calls < 4; calls += 1) await pay(bench.upstream);
    well = true;
    await sleep(PROBE_AFTER_MS + 50);
    const probe = pay(bench.upstream);
    await eventually(() => bench.requests.length === 5);
    assert.equal(bench.upstream.breakerState(), 'half_open');
    assert.equal((await pay(bench.upstream)).kind, 'not_sent');
    free.resolve();
    assert.equal((await probe).kind, 'reply');
    assert.equal(bench.upstream.breakerState(), 'closed');
    assert.equal((await pay(bench.upstream)).kind, 'reply');
  });

  it('opens again when the probe fails', async () => {
    await using bench = await openBench(({ socket }) => socket.destroy(), { breaker });
    for (let calls = 0; calls < 4; calls += 1) await pay(bench.upstream);
    await sleep(PROBE_AFTER_MS + 50);
    assert.equal((await pay(bench.upstream)).kind, 'lost');
    assert.equal(bench.upstream.breakerState(), 'open');
  });
});

type Bench = {
  readonly upstream: Upstream;
  readonly url: string;
  /** Requests as they arrived, whole. */
  readonly requests: readonly string[];
  connections(): number;
  dropConnections(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A bare TCP server: it sees every byte and breaks where it likes. */
async function openBench(
  onRequest: (request: { readonly socket: Socket; readonly count: number }) => void,
  settings: Partial<UpstreamSettings> = {},
): Promise<Bench> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      // Every body here is one flat JSON object.
      if (!received.endsWith('}')) return;
      requests.push(received);
      received = '';
      onRequest({ socket, count: requests.length });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}/base/`;
  const upstream = open(url, settings);
  const dropConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    upstream,
    url,
    requests,
    connections: () => connections,
    dropConnections,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]();
      dropConnections();
      server.close();
    },
  };
}

function open(baseUrl: string, settings: Partial<UpstreamSettings> = {}): Upstream {
  return openUpstream({ provider: 'test', baseUrl, connectionsMax: 4, deadlineMs: 2_000, ...settings });
}

function pay(upstream: Upstream, id = 'r', signal?: AbortSignal, sendWithinMs?: number): Promise<CallResult> {
  const headers = { 'api-key': 'k' };
  return upstream.call(
    { operation: 'purchase', method: 'POST', path: '/pay', headers, body: { id } },
    { signal, sendWithinMs },
  );
}

/** Its caller stops waiting as soon as the call has arrived. */
async function giveUpOnceSent(bench: Bench): Promise<CallResult> {
  const stop = new AbortController();
  const before = bench.requests.length;
  const call = pay(bench.upstream, 'r', stop.signal);
  await eventually(() => bench.requests.length > before);
  stop.abort();
  return await call;
}

function idOf(request: string): string {
  return /\{"id":"(\w+)"\}$/.exec(request)?.[1] ?? '';
}

function respond(socket: Socket, body: string, status = 200): void {
  socket.write(`HTTP/1.1 ${status} X\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

async function eventually(check: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!check()) {
    assert.ok(Date.now() < deadline, 'did not come about');
    await sleep(2);
  }
}
