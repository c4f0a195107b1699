/** A call goes out once, and once more after its token was refused; never for another reason. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { isBody } from '../../../src/providers/http/reply-fields.ts';
import {
  openTokenedClient,
  type TokenedClient,
  type TokenedClientSettings,
  type TokenedRequest,
} from '../../../src/providers/http/tokened-client.ts';

const pay: TokenedRequest = {
  operation: 'purchase',
  method: 'POST',
  path: '/pay',
  headers: { account: 'a' },
  body: { id: 'r1' },
};

describe('a call with a token', () => {
  it('sends the token in addition to the headers, and shares one between concurrent calls', async () => {
    await using bench = await openBench();
    const results = await Promise.all(Array.from({ length: 5 }, () => bench.client.call(pay)));
    for (const result of results)
      assert.deepEqual(result, { kind: 'reply', status: 200, body: { ok: true } });
    assert.equal(bench.tokens, 1);
    assert.deepEqual(
      new Set(bench.calls.map(({ authorization, account }) => `${authorization} ${account}`)),
      new Set(['Bearer t1 a']),
    );
    assert.deepEqual(bench.client.secrets(), ['t1', '']);
  });

  it('repeats a refused call once, unchanged, with a new token', async () => {
    await using bench = await openBench();
    await bench.client.call(pay);
    bench.valid = 't2';
    const results = await Promise.all(Array.from({ length: 3 }, () => bench.client.call(pay)));
    for (const result of results) assert.equal(result.kind === 'reply' && result.status, 200);
    assert.equal(bench.tokens, 2, 'one new token for all of them');
    assert.deepEqual(new Set(bench.calls.map(({ body }) => body)), new Set(['{"id":"r1"}']));
    assert.equal(bench.calls.length, 1 + 3 + 3);
  });

  it('returns the second refusal without a third call', async () => {
    await using bench = await openBench();
    bench.valid = 'none';
    assert.deepEqual(await bench.client.call(pay), {
      kind: 'reply',
      status: 401,
      body: { refused: 'token' },
    });
    assert.deepEqual([bench.calls.length, bench.tokens], [2, 2]);
  });

  it('repeats a call for no other answer, and not without an answer', async () => {
    const answers: readonly ((response: ServerResponse) => void)[] = [
      (response) => json(response, 401, { refused: 'order' }),
      (response) => json(response, 403, {}),
      (response) => json(response, 429, {}),
      (response) => json(response, 500, {}),
      (response) => response.writeHead(200).end('<html>'),
      (response) => response.destroy(),
    ];
    for (const answer of answers) {
      await using bench = await openBench();
      bench.answer = answer;
      await bench.client.call(pay);
      assert.deepEqual([bench.calls.length, bench.tokens], [1, 1]);
    }
  });
});

describe('a call without a token', () => {
  it('makes no call without a token: no access when our credentials were refused, else not sent', async () => {
    await using bench = await openBench();
    bench.issue = (response) => json(response, 400, {});
    assert.deepEqual(await bench.client.call(pay), { kind: 'no_access', reason: 'refused' });
    await using other = await openBench();
    other.issue = (response) => json(response, 500, {});
    assert.deepEqual(await other.client.call(pay), {
      kind: 'not_sent',
      reason: 'no token',
      unreachable: true,
    });
    assert.equal(bench.calls.length + other.calls.length, 0);
  });

  it('does not wait longer than it may, nor than its caller', async () => {
    await using bench = await openBench({ waitMs: 300 });
    const slow = Promise.withResolvers<void>();
    bench.issue = async (response) => {
      await slow.promise;
      json(response, 500, {});
    };
    const aborted = await bench.client.call(pay, { signal: AbortSignal.timeout(50) });
    assert.deepEqual(aborted, { kind: 'not_sent', reason: 'no token in time', unreachable: true });
    const late = await bench.client.call(pay, { sendWithinMs: 0 });
    assert.equal(late.kind, 'not_sent');
    assert.equal((await bench.client.call(pay, { sendWithinMs: 20.5 })).kind, 'not_sent');
    slow.resolve();
    assert.equal(bench.calls.length, 0);
  });
});

type Bench = AsyncDisposable & {
  readonly client: TokenedClient;
  readonly calls: { readonly authorization: string; readonly account: string; readonly body: string }[];
  /** How many were handed out. */
  tokens: number;
  /** The token that calls are served with; default: the last one handed out. */
  valid: string | undefined;
  answer: ((response: ServerResponse) => void) | undefined;
  issue: ((response: ServerResponse) => void | Promise<void>) | undefined;
};

/** Issues t1, t2 … and serves calls with the valid one. */
async function openBench(settings: Partial<TokenedClientSettings> = {}): Promise<Bench> {
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = openTokenedClient({
    provider: 'test',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectionsMax: 8,
    deadlineMs: 5_000,
    renew: async (upstream) => {
      const issued = await upstream.call({ operation: 'token', method: 'POST', path: '/token', headers: {} });
      if (issued.kind === 'reply' && issued.status === 400) return { kind: 'refused', reason: 'refused' };
      return issued.kind === 'reply' && isBody(issued.body) && typeof issued.body.token === 'string'
        ? { value: issued.body.token, expiresAtMs: Date.now() + 3_600_000 }
        : { kind: 'unavailable', reason: 'no token' };
    },
    isTokenRefused: (result) =>
      result.kind === 'reply' && isBody(result.body) && result.body.refused === 'token',
    ...settings,
  });
  const bench: Bench = {
    client,
    calls: [],
    tokens: 0,
    valid: undefined,
    answer: undefined,
    issue: undefined,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    if (request.url === '/token') {
      if (bench.issue !== undefined) return await bench.issue(response);
      bench.tokens += 1;
      return json(response, 200, { token: `t${bench.tokens}` });
    }
    const { authorization = '', account } = request.headers;
    bench.calls.push({ authorization, account: String(account), body });
    if (bench.answer !== undefined) return bench.answer(response);
    const isValid = authorization === `Bearer ${bench.valid ?? `t${bench.tokens}`}`;
    return isValid ? json(response, 200, { ok: true }) : json(response, 401, { refused: 'token' });
  }
  return bench;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
