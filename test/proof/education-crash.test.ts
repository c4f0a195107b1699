/**
 * A crash after a PIN was delivered and before it was stored: the PIN is queried, and returned
 * once.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openFixture } from '../crash/fixture.ts';
import { readBooks } from '../support/books.ts';

const reference = 'pin-1';

it('after-call: the next process gets the PIN that was paid for', async () => {
  await using fixture = await openFixture();
  const doomed = await fixture.start({ OJA_STOP_AT: 'after-call' });
  const { key, secret } = await fixture.live();
  const headers = { 'x-merchant-key': key, 'x-merchant-secret': secret };
  const body = {
    merchant: 'DEMO',
    product: 'EDUCATION',
    network: 'WAEC',
    plan_code: '2301',
    msisdn: '08031234567',
    amount: '5350.00',
    request_ref: reference,
  };
  const cut = fetch(`${doomed.url}/v1/transactions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await assert.rejects(cut);
  assert.equal((await doomed.exited).signal, 'SIGKILL');
  assert.equal((await readBooks(fixture.simulator.url)).length, 1);

  const next = await fixture.start();
  const { wrong } = await fixture.settle();
  assert.deepEqual(wrong, []);
  const path = `/v1/transactions/status?request_ref=${reference}`;
  const status = await fetch(`${next.url}${path}`, { headers });
  const { code, payload } = (await status.json()) as {
    code: string;
    payload: { pins: readonly { pin: string }[] };
  };
  assert.equal(code, '00');
  assert.match(payload.pins[0]?.pin ?? '', /^[0-9]{12}$/);
  assert.equal((await readBooks(fixture.simulator.url)).length, 1);
});
