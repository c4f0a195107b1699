/** Flutterwave's connector over HTTP. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { createFlutterwave } from '../../../../src/funding/banks/flutterwave/connector.ts';

it('queries any reference, so that refused credentials are noticed', async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer(({ url }, answer) => {
    paths.push(url);
    answer.writeHead(401, { 'content-type': 'application/json' });
    answer.end('{"status":"error","message":"Invalid authorization key","data":null}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
  const settings = { baseUrl, secretKey: 'key', secretHash: 'hash', deadlineMs: 5_000 };
  const bank = createFlutterwave(settings);
  assert.equal((await bank.findPayment('oja-doctor')).kind, 'unavailable');
  assert.equal((await bank.findPayment('1/../2')).kind, 'unavailable');
  assert.deepEqual(paths, ['/v3/transactions/oja-doctor/verify', '/v3/transactions/1%2F..%2F2/verify']);
  await bank[Symbol.asyncDispose]();
  server.close();
});
