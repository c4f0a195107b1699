/**
 * Monnify's access token: renewed when it is refused, requested once by concurrent calls, and no
 * account is opened without one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createMonnify } from '../../../../src/funding/banks/monnify/connector.ts';

/** Serves calls with the last token it handed out, and refuses the others. */
async function openBench(
  logIn: 'good' | 'refused' | 'down' = 'good',
): Promise<AsyncDisposable & { bank: ReturnType<typeof createMonnify>; paths: string[]; revoke(): void }> {
  const paths: string[] = [];
  let issued = 0;
  let valid = '';
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const say = (status: number, code: string, body: object): void => {
      const good = status === 200;
      response
        .writeHead(status)
        .end(JSON.stringify({ requestSuccessful: good, responseCode: code, responseBody: body }));
    };
    if (path === '/api/v1/auth/login') {
      if (logIn !== 'good') return say(logIn === 'refused' ? 401 : 500, '99', {});
      issued += 1;
      valid = `token-${issued}`;
      return say(200, '0', { accessToken: valid, expiresIn: 3_600 });
    }
    if (request.headers.authorization !== `Bearer ${valid}`) return say(401, '99', {});
    return say(404, '99', {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bank = createMonnify({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'k',
    secretKey: 's',
    contractCode: '1',
    preferredBanks: [],
    deadlineMs: 60_000,
  });
  return {
    bank,
    paths,
    revoke: () => {
      valid = 'none';
    },
    [Symbol.asyncDispose]: async () => {
      await bank[Symbol.asyncDispose]();
      server.close();
      server.closeAllConnections();
    },
  };
}

const logIns = (paths: readonly string[]): number => paths.filter((path) => path.endsWith('/login')).length;

describe("Monnify's access token", () => {
  it('requests one token for concurrent calls, and keeps it', async () => {
    await using bench = await openBench();
    const answers = await Promise.all(['a', 'b', 'c'].map((reference) => bench.bank.findPayment(reference)));
    assert.deepEqual([...new Set(answers.map(({ kind }) => kind))], ['not_paid']);
    await bench.bank.findPayment('d');
    assert.deepEqual([logIns(bench.paths), bench.paths.length], [1, 5]);
  });

  it('renews a refused token and repeats the call', async () => {
    await using bench = await openBench();
    await bench.bank.findPayment('a');
    bench.revoke();
    assert.equal((await bench.bank.findPayment('b')).kind, 'not_paid');
    assert.deepEqual([logIns(bench.paths), bench.paths.length], [2, 5]);
  });

  it('answers unknown and calls nothing when no token is available', async () => {
    for (const logIn of ['refused', 'down'] as const) {
      await using bench = await openBench(logIn);
      assert.deepEqual(await bench.bank.findPayment('a'), {
        kind: 'unavailable',
        reason: logIn === 'refused' ? 'our credentials were refused' : 'no token: HTTP 500',
      });
      assert.deepEqual([logIns(bench.paths), bench.paths.length], [1, 1]);
    }
  });
});
