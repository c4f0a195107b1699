/**
 * A crash at each failpoint of a purchase's path, sync and async: the state it leaves, and how the
 * next process continues. After the stored attempt both paths are the same, so only the proof also
 * kills async purchases.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StopPoint } from '../../src/core/failpoints.ts';
import { readBooks, readLivePurchases } from '../support/books.ts';
import { itInProof } from '../support/budget.ts';
import { quickSettings } from '../support/quick-settings.ts';
import { type Fixture, openFixture } from './fixture.ts';

type Case = {
  readonly point: StopPoint;
  readonly mode: 'sync' | 'async';
  /** How often the provider delivered before the crash. */
  readonly delivered: 0 | 1;
  /** Stored attempts at the crash. */
  readonly attempts: 0 | 1;
  readonly ends: 'success' | 'failed';
  readonly isProof?: true;
};

const cases: readonly Case[] = [
  // A sync purchase is stored with its attempt. From then on it may have been sent and is only
  // queried.
  { point: 'after-accept', mode: 'sync', delivered: 0, attempts: 1, ends: 'failed' },
  // An async purchase without an attempt was certainly not sent, and is.
  { point: 'after-accept', mode: 'async', delivered: 0, attempts: 0, ends: 'success' },
  { point: 'before-call', mode: 'sync', delivered: 0, attempts: 1, ends: 'failed' },
  { point: 'before-call', mode: 'async', delivered: 0, attempts: 1, ends: 'failed', isProof: true },
  { point: 'after-call', mode: 'sync', delivered: 1, attempts: 1, ends: 'success' },
  { point: 'after-call', mode: 'async', delivered: 1, attempts: 1, ends: 'success', isProof: true },
  { point: 'before-resolve-commits', mode: 'sync', delivered: 1, attempts: 1, ends: 'success' },
  {
    point: 'before-resolve-commits',
    mode: 'async',
    delivered: 1,
    attempts: 1,
    ends: 'success',
    isProof: true,
  },
];

const AMOUNT = 25_000n;
const GRACE_MS = 4_000;
const settings = quickSettings(5, { OJA_NOT_FOUND_GRACE_S: String(GRACE_MS / 1_000) });

describe('a crash at a point of the path', { concurrency: 4 }, () => {
  for (const { point, mode, delivered, attempts, ends, isProof } of cases) {
    const register = isProof ? itInProof : it;
    register(`${point}, ${mode}: ends as ${ends}`, async () => {
      await using fixture = await openFixture();
      const doomed = await fixture.start({ ...settings, OJA_STOP_AT: point });
      const answer = await buy(fixture, doomed.url, mode);
      assert.ok(answer === 'cut' || (mode === 'async' && answer === 'pending'), answer);
      assert.equal((await doomed.exited).signal, 'SIGKILL');

      const [left] = await readLivePurchases(fixture.database);
      assert.equal(left?.status, 'pending');
      assert.equal(left.attempts.length, attempts);
      assert.equal((await readBooks(fixture.simulator.url)).length, delivered);
      assert.equal((await readWallet(fixture)).held, AMOUNT);

      await fixture.start(settings);
      const { purchases, wrong } = await fixture.settle();
      assert.deepEqual(wrong, []);
      const [purchase, ...others] = purchases;
      assert.deepEqual(others, []);
      assert.equal(purchase?.status, ends);
      // Whatever the crash left was finished by queries. An attempt is followed by another one only
      // if the gateway itself did not send it, for example because it was delayed too long.
      const allButTheLast = purchase.attempts.slice(1).map((_, index) => index + 1);
      assert.deepEqual(await attemptsNotSent(fixture, purchase.id), allButTheLast);
      if (attempts === 1)
        assert.equal(purchase.attempts.length, 1, 'what may have been sent is not sent again');
      assert.equal((await readBooks(fixture.simulator.url)).length, ends === 'success' ? 1 : 0);
      const wallet = await readWallet(fixture);
      assert.deepEqual(wallet, {
        held: 0n,
        posted: wallet.credited - (ends === 'success' ? AMOUNT : 0n),
        credited: wallet.credited,
      });
      if (ends === 'failed') await assertPatient(fixture, purchase.id);
    });
  }
});

async function buy(fixture: Fixture, url: string, mode: 'sync' | 'async'): Promise<string> {
  const { key, secret } = await fixture.live();
  try {
    const answer = await fetch(`${url}/v1/transactions/airtime/${mode}`, {
      method: 'POST',
      headers: { 'x-merchant-key': key, 'x-merchant-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify({
        merchant: 'DEMO',
        msisdn: '08031234567',
        network: 'mtn',
        amount: '250',
        request_ref: `stop-${mode}`,
      }),
    });
    return ((await answer.json()) as { status: string }).status;
  } catch {
    return 'cut';
  }
}

async function readWallet(fixture: Fixture): Promise<{ held: bigint; posted: bigint; credited: bigint }> {
  const [wallet] = await fixture.database.query<{ held: bigint; posted: bigint; credited: bigint }>(`
    select
      w.held,
      w.posted,
      (
        select sum(t.amount)::bigint
        from transfers t
        where t.credit_account_id = w.account_id
      ) as credited
    from wallets w
    where w.environment = 'live'`);
  assert.ok(wallet);
  return wallet;
}

/** The numbers of the attempts that are proven not to have left the gateway. */
async function attemptsNotSent(fixture: Fixture, purchaseId: string): Promise<number[]> {
  const rows = await fixture.database.query<{ attempt: number }>(
    `
    select distinct attempt
    from provider_answers
    where purchase_id = $1
    and kind = 'not_sent'
    order by attempt`,
    [purchaseId],
  );
  return rows.map(({ attempt }) => attempt);
}

/** It failed only after its grace, after three answers that the provider does not know it. */
async function assertPatient(fixture: Fixture, purchaseId: string): Promise<void> {
  const [row] = await fixture.database.query<{ answers: string[]; waited_ms: bigint; reason: string }>(
    `
    select
      array(
        select s.kind
        from provider_answers s
        where s.purchase_id = o.purchase_id
        order by s.at
      ) as answers,
      (extract(epoch from o.at - a.started_at) * 1000)::bigint as waited_ms,
      o.reason
    from purchase_outcomes o
    join attempts a on a.purchase_id = o.purchase_id
    where o.purchase_id = $1`,
    [purchaseId],
  );
  assert.ok(row);
  assert.equal(row.reason, 'not_found');
  assert.deepEqual(row.answers, ['not_found', 'not_found', 'not_found']);
  assert.ok(row.waited_ms >= GRACE_MS, `failed after ${row.waited_ms} ms`);
}
