/** Where commands that are clients of the API send the secret of a credential, and where not. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { runOja } from './harness.ts';

const secrets: unknown[] = [];
const gateway = createServer((request, response) => {
  secrets.push(request.headers['x-merchant-secret']);
  request.resume();
  response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"who are you?"}');
});
let port: number;

before(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  ({ port } = gateway.address() as AddressInfo);
});
after(() => gateway.close());

const ask = (url: string, ...more: string[]) =>
  runOja({ OJA_SECRET: 'a-secret' }, [
    ...['listen', '--url', url, '--key', 'oja_test_1', '--forward-to', 'http://127.0.0.1:9', ...more],
  ]);

describe('oja listen', { concurrency: 1 }, () => {
  /** It resolves to this machine, but is not its name. */
  const elsewhere = () => `http://0.0.0.0:${port}/`;

  it('sends nothing to another machine over http://', async () => {
    secrets.length = 0;
    for (const url of [elsewhere(), 'http://gateway.example/', `http://127.0.0.1@0.0.0.0:${port}/`]) {
      const ran = await ask(url);
      assert.deepEqual([ran.code, ran.refused], [1, 'connection_insecure'], url);
    }
    assert.deepEqual(secrets, []);
  });

  it('sends to this machine, and to another one if that is allowed', async () => {
    for (const [url, ...more] of [
      [`http://127.0.0.1:${port}/`],
      [`http://localhost:${port}/`],
      [elsewhere(), '--allow-http'],
    ] as const) {
      secrets.length = 0;
      const ran = await ask(url, ...more);
      assert.match(ran.err, /who are you\?/, url);
      assert.deepEqual(secrets, ['a-secret'], url);
    }
  });

  it('reads the secret under one name', async () => {
    const ran = await runOja({ OJA_SECRET: 'two words' }, [
      ...['listen', '--key', 'x', '--forward-to', 'http://127.0.0.1:9'],
    ]);
    assert.deepEqual([ran.code, ran.refused], [1, 'secret_missing'], ran.err);
  });
});
