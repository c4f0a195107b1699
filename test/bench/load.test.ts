/**
 * The load generator against misbehaving servers: only successful answers count as such, and time
 * counts from when a request was due.
 */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type LoadJob, type LoadResult, msisdnOf, referenceOf } from '../../bench/load/job.ts';
import { runJob } from '../../bench/load/run-job.ts';
import { countAnswers, hasFailed, median, type ResultRow } from '../../bench/results.ts';

const GOOD = '{"status":"success","response_code":"00","response_message":"Delivered"}';

const job: Omit<LoadJob, 'port'> = {
  connections: 4,
  credentials: [{ key: 'key', secret: 'secret', merchant: 'DEMO' }],
  requests: {
    kind: 'purchases',
    path: '/v1/transactions/airtime/sync',
    run: 'unit',
    from: 7,
    networks: ['mtn', '9mobile'],
  },
  pace: { kind: 'closed', count: 40, seconds: 0 },
  expect: '"response_code":"00"',
};

async function load(answer: RequestListener, changes: Partial<LoadJob> = {}): Promise<LoadResult> {
  return await loadServer(createServer({ noDelay: true }, answer), changes);
}

async function loadServer(server: Server, changes: Partial<LoadJob> = {}): Promise<LoadResult> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await runJob({ ...job, ...changes, port: (server.address() as AddressInfo).port });
  } finally {
    server.close();
  }
}

/** Answers every request, except that number `n` gets the given treatment. */
function answering(odd: ReadonlyMap<number, RequestListener>): RequestListener {
  let n = 0;
  return (request, response) => {
    n += 1;
    const other = odd.get(n);
    if (other !== undefined) other(request, response);
    else response.end(GOOD);
  };
}

describe('the load generator', () => {
  it('counts good answers, and makes the requested number of requests', async () => {
    const { sent, good, errors } = await load(answering(new Map()));
    assert.deepEqual({ sent, good, errors }, { sent: 40, good: 40, errors: {} });
  });

  it('sends whole purchases, each with its own reference and number', async () => {
    const bodies: Record<string, string>[] = [];
    const { good } = await load((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        bodies.push(JSON.parse(text) as Record<string, string>);
        assert.equal(request.headers['x-merchant-key'], 'key');
        assert.equal(request.headers['x-merchant-secret'], 'secret');
        response.end(GOOD);
      });
    });
    assert.equal(good, 40);
    const expected = Array.from({ length: 40 }, (_, index) => ({
      merchant: 'DEMO',
      network: (7 + index) % 2 === 0 ? 'mtn' : '9mobile',
      amount: '10',
      request_ref: referenceOf('unit', 7 + index),
      msisdn: msisdnOf(7 + index),
    }));
    const byReference = (a: Record<string, string>, b: Record<string, string>): number =>
      (a.request_ref ?? '').localeCompare(b.request_ref ?? '');
    assert.deepEqual(bodies.sort(byReference), expected);
  });

  it('shares its connections out among several gateways', async () => {
    const served = [0, 0];
    const servers = served.map((_, index) =>
      createServer({ noDelay: true }, (_request, response) => {
        served[index] = (served[index] ?? 0) + 1;
        response.end(GOOD);
      }),
    );
    const ports = await Promise.all(
      servers.map(async (server) => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return (server.address() as AddressInfo).port;
      }),
    );
    const [port = 0, ...otherPorts] = ports;
    const { sent, good } = await runJob({ ...job, port, otherPorts });
    for (const server of servers) server.close();
    assert.deepEqual([sent, good], [40, 40]);
    for (const count of served) assert.ok(count >= 2, `each has two of four connections: ${served}`);
  });

  it('counts any answer except a 200 with the expected text as an error, with its content', async () => {
    const { good, errors } = await load(
      answering(
        new Map<number, RequestListener>([
          [3, (_, response) => response.end(GOOD.replace('00', '01').replace('Delivered', 'Declined'))],
          [5, (_, response) => response.writeHead(503).end('{"message":"busy"}')],
          [9, (_, response) => response.writeHead(503).end('{"message":"busy"}')],
          [12, (_, response) => response.writeHead(500).end(GOOD)],
          [20, (request) => request.socket.destroy()],
        ]),
      ),
    );
    assert.equal(good, 35);
    assert.deepEqual(errors, {
      'HTTP/1.1 200 OK "response_message":"Declined"': 1,
      'HTTP/1.1 503 Service Unavailable "message":"busy"': 2,
      'HTTP/1.1 500 Internal Server Error "response_message":"Delivered"': 1,
      'connection lost': 1,
    });
  });

  it('assembles an answer that arrives in pieces', async () => {
    const { good, errors } = await load(
      (_, response) => {
        response.setHeader('content-length', GOOD.length);
        response.flushHeaders();
        response.write(GOOD.slice(0, 20));
        setImmediate(() => response.end(GOOD.slice(20)));
      },
      { pace: { kind: 'closed', count: 10, seconds: 0 } },
    );
    assert.deepEqual({ good, errors }, { good: 10, errors: {} });
  });

  it('notices that the machine paused', async () => {
    const quiet = await load(answering(new Map()));
    assert.equal(quiet.stoodStillMs, 0);
    const { good, stoodStillMs } = await load(
      answering(
        new Map([
          [
            10,
            (_, response) => {
              // Server and load share this process: a pause affects both.
              Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
              response.end(GOOD);
            },
          ],
        ]),
      ),
    );
    assert.equal(good, 40);
    assert.ok(stoodStillMs > 1_000, `${stoodStillMs} ms`);
  });

  it('pauses between two requests of a connection when requested', async () => {
    const pace = { kind: 'closed', count: 8, seconds: 0, pauseMs: 200 } as const;
    const { good, seconds, latencyMs } = await load(answering(new Map()), { pace });
    assert.equal(good, 8);
    assert.ok(seconds >= 0.2, `${seconds} s`);
    assert.ok(latencyMs.p50 <= 1_000 * seconds - 200, 'the pause is no part of an answer');
  });

  it('opens a connection again that the server closed while it was idle', async () => {
    const sockets = new Set<Socket>();
    let asked = 0;
    let held: ServerResponse | undefined;
    const server = createServer({ noDelay: true }, ({ socket }, response) => {
      asked += 1;
      // One of four connections is used; the server closes the others long before the next request.
      if (asked === 1) {
        for (const other of sockets) {
          if (other !== socket) other.end('HTTP/1.1 408 Request Timeout\r\n\r\n');
        }
      }
      // The second is answered with the third, which needs one of the others.
      if (asked === 2) held = response;
      else response.end(GOOD);
      if (asked === 3) held?.end(GOOD);
    });
    server.on('connection', (socket) => sockets.add(socket));
    const pace = { kind: 'open', perSecond: 4, seconds: 1 } as const;
    const { sent, good, errors } = await loadServer(server, { pace });
    assert.deepEqual({ sent, good, errors }, { sent: 4, good: 4, errors: {} });
    assert.ok(sockets.size > 4, `${sockets.size} connections`);
  });

  it('ends when the server disconnects', async () => {
    const server = createTcpServer((socket) => {
      server.close();
      socket.on('data', () => socket.destroy());
    });
    const { sent, good, errors } = await loadServer(server, {
      connections: 1,
      pace: { kind: 'closed', seconds: 30 },
    });
    assert.deepEqual({ sent, good, errors }, { sent: 1, good: 0, errors: { 'connection lost': 1 } });
  });

  it('rejects when it cannot connect at all', async () => {
    await assert.rejects(runJob({ ...job, port: 1 }), /ECONNREFUSED/);
  });

  it('counts the time of a scheduled request from when it was due, also when it could not be sent', async () => {
    // The only connection is blocked for the first 450 ms of 600, so three of four requests are
    // late before they are sent.
    const held = answering(new Map([[1, (_, response) => void setTimeout(() => response.end(GOOD), 450)]]));
    const { good, latencyMs } = await load(held, {
      connections: 1,
      pace: { kind: 'open', perSecond: 100, seconds: 0.6 },
    });
    assert.equal(good, 60);
    assert.ok(latencyMs.p50 > 100, `${latencyMs.p50} ms`);
    assert.ok(latencyMs.max >= 449, `${latencyMs.max} ms`);
  });
});

describe('results', () => {
  const row: ResultRow = {
    scenario: 'latency',
    name: 'a row',
    figure: '1/s',
    range: '',
    goal: '',
    met: undefined,
    good: 1,
    errors: {},
  };

  it('counts a result as failed if a request failed, or nothing was measured', () => {
    assert.equal(hasFailed([row]), false);
    assert.equal(hasFailed([row, { ...row, errors: { 'no answer': 1 } }]), true);
    assert.equal(hasFailed([row, { ...row, good: 0 }]), true);
    assert.equal(hasFailed([]), true);
  });

  it('adds up the results of several rounds', () => {
    const result: LoadResult = {
      sent: 3,
      good: 2,
      seconds: 1,
      latencyMs: { p50: 1, p99: 1, max: 1 },
      stoodStillMs: 0,
      errors: { 'no answer': 1 },
    };
    assert.deepEqual(countAnswers([result, result]), { good: 4, errors: { 'no answer': 2 } });
  });

  it('takes the middle round', () => {
    assert.equal(median([9, 1, 5]), 5);
    assert.equal(median([4, 1, 2, 9]), 3);
    assert.equal(median([]), 0);
  });
});
