/**
 * Gateways killed while they move a test clock or simulate a deposit: either all of it is stored or
 * none. The gate kills before a move commits, and the proof after it and while a deposit is
 * simulated.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itInProof } from '../support/budget.ts';
import type { KeyPair } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type FixtureGateway, openFixture } from './fixture.ts';

async function call(
  { url }: FixtureGateway,
  { key, secret }: KeyPair,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
): Promise<any> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-merchant-key': key, 'x-merchant-secret': secret },
    ...(body && { body: JSON.stringify(body) }),
  });
  return await answer.json();
}

const purchase = {
  merchant: 'DEMO',
  msisdn: '08000000230',
  network: 'mtn',
  amount: '100.00',
  request_ref: 'one',
};
const asyncPath = '/v1/transactions/airtime/async';
const statusPath = '/v1/transactions/status?request_ref=one';

describe('a crash while a test clock is moved', { concurrency: 2 }, () => {
  for (const { point, isMoved, register } of [
    { point: 'before-clock-commits', isMoved: false, register: it },
    { point: 'after-clock-moved', isMoved: true, register: itInProof },
  ] as const) {
    register(`${point}: ${isMoved ? 'all' : 'nothing'} is moved`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ OJA_STOP_AT: point });
      const keys = await fixture.test();
      await call(doomed, keys, asyncPath, purchase);
      await until('it was sent', async () => {
        const rows = await fixture.database.query(
          "select from pending_purchases where owner is null and step = 'query'",
        );
        return rows.length === 1;
      });
      const due = async () => (await fixture.database.query('select due_at from pending_purchases'))[0];
      const before = await due();
      const moving = call(doomed, keys, '/v1/test/clock', { advance_s: 1_800 }).catch(() => undefined);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal(await moving, undefined);
      const moves = await fixture.database.query('select from test_clock_moves');
      assert.equal(moves.length, isMoved ? 1 : 0);
      if (!isMoved) assert.deepEqual(await due(), before);
      const next = await fixture.start();
      if (!isMoved) {
        assert.equal((await call(next, keys, statusPath)).code, '02');
        const moved = await call(next, keys, '/v1/test/clock', { advance_s: 1_800 });
        assert.equal(moved.data.offset_s, 1_800);
      }
      await until('it is delivered', async () => (await call(next, keys, statusPath)).code === '00');
    });
  }
});

describe('a crash while a deposit is played', { concurrency: 2 }, () => {
  for (const point of ['after-notice-stored', 'before-deposit-commits'] as const) {
    itInProof(`${point}: it is credited once by the next process, and once under its reference`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ OJA_STOP_AT: point });
      const keys = await fixture.test();
      const balance = async (gateway: FixtureGateway): Promise<number> =>
        Number((await call(gateway, keys, '/v1/wallet/balance')).result.balance);
      const before = await balance(doomed);
      const deposit = { amount: '1000.00', reference: 'transfer-1' };
      await call(doomed, keys, '/v1/test/deposits', deposit).catch(() => undefined);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      // The lease of the dead process expires.
      await fixture.database.query('update bank_notices set due_at = now() where due_at is not null');
      const next = await fixture.start();
      const again = await call(next, keys, '/v1/test/deposits', deposit);
      assert.equal(again.data.state, 'credited', JSON.stringify(again));
      assert.equal(await balance(next), before + 900);
    });
  }
});
