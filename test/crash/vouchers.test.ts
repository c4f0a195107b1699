/**
 * A gateway that is killed while a voucher is redeemed: the voucher pays the order, or is still
 * redeemable. The gate has one crash for each result, and the proof one more.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { StopPoint } from '../../src/core/failpoints.ts';
import { createSealer, parseSealingKey } from '../../src/core/sealing.ts';
import { loadPepper } from '../../src/operate/keys/secrets.ts';
import { issueVouchers } from '../../src/wallet/vouchers/operations/issue-vouchers.ts';
import { findVoucher } from '../../src/wallet/vouchers/voucher-store.ts';
import { assertAudited } from '../e2e/gateway-under-test.ts';
import { itInProof } from '../support/budget.ts';
import { until } from '../support/until.ts';
import { type Fixture, openFixture } from './fixture.ts';

type Case = {
  readonly point: StopPoint;
  readonly plan: string;
  readonly code: '00' | '01';
  readonly register: typeof it;
};

const cases: readonly Case[] = [
  { point: 'after-accept', plan: 'TEST-FAIL', code: '01', register: it },
  { point: 'before-resolve-commits', plan: 'TEST-FAIL', code: '01', register: itInProof },
  { point: 'before-resolve-commits', plan: 'NG-1GB-7D', code: '00', register: it },
];

describe('a crash while a voucher is redeemed', { concurrency: 3 }, () => {
  for (const { point, plan, code, register } of cases) {
    register(`${point}, ${plan}: ${code}`, async () => {
      await using fixture = await openFixture();
      const key = randomBytes(32).toString('hex');
      const doomed = await fixture.start({ OJA_STOP_AT: point, OJA_ENCRYPTION_KEY: key });
      const sealingKey = parseSealingKey(key);
      assert.ok(sealingKey);
      const pepper = await loadPepper(fixture.database, createSealer(sealingKey));
      const { vouchers } = await fixture.database.transaction((tx) =>
        issueVouchers(
          tx,
          pepper,
          { merchantCode: 'DEMO', environment: 'test', value: 500_000n, count: 1 },
          'test',
        ),
      );
      const [voucher] = vouchers;
      assert.ok(voucher);
      const body = { request_id: 'esim-1', code: voucher.code, product: 'ESIM', plan };
      await call(fixture, 'POST', `${doomed.url}/v1/giftcards/redeem`, body).catch(() => undefined);
      assert.equal((await doomed.exited).signal, 'SIGKILL');
      assert.equal((await findVoucher(fixture.database, voucher.id))?.state, 'taken');
      await assertAudited(fixture.database);

      const { url } = await fixture.start({ OJA_ENCRYPTION_KEY: key });
      const order = await until('the order is final', async () => {
        const { body: found } = await call(fixture, 'GET', `${url}/v1/esim/orders/esim-1`);
        return found.response_code === '02' ? undefined : found;
      });
      assert.equal(order.response_code, code);
      const state = (await findVoucher(fixture.database, voucher.id))?.state;
      assert.equal(state, code === '00' ? 'redeemed' : 'open');
      const again = { ...body, request_id: 'esim-2', plan: 'NG-1GB-7D' };
      const answer = await call(fixture, 'POST', `${url}/v1/giftcards/redeem`, again);
      assert.equal(answer.status, code === '00' ? 400 : 200);
      await assertAudited(fixture.database);
    });
  }
});

type Answer = { readonly status: number; readonly body: { readonly response_code?: string } };

async function call(fixture: Fixture, method: string, url: string, body?: object): Promise<Answer> {
  const { key, secret } = await fixture.test();
  const answer = await fetch(url, {
    method,
    headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}
