/**
 * Under pressure, slow work does not slow down others: long lists and a locked wallet do not delay
 * other purchases.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Tx } from '../../src/db/database.ts';
import {
  airtime,
  airtimeSync,
  anyProduct,
  assertRefused,
  eventually,
  openGatewayUnderTest,
} from '../e2e/gateway-under-test.ts';
import { openShop } from '../e2e/shop.ts';
import type { Answer } from '../support/gateway.ts';

const PROMPT_MS = 1_000;
/** A purchase that waited for a list or a locked wallet would take this long. */
const HELD_UP_MS = 4_000;

const gateway = await openGatewayUnderTest({ settings: { OJA_TIME_SCALE: '1' } });
const other = await openShop(gateway);

/** Holds the lock of `lock` on a separate connection while `work` runs. */
async function whileLocked(lock: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  await gateway.database.transaction(async (tx) => {
    await tx.query(lock);
    await work(tx);
  });
}

/** How long a purchase took that must succeed. */
async function buy(): Promise<number> {
  const startedAt = performance.now();
  const answer = await gateway.call('POST', airtimeSync, { body: airtime() });
  assert.equal(answer.body.response_code, '00', answer.text);
  return performance.now() - startedAt;
}

/** A busy machine delays single requests by itself. */
function assertPrompt(tookMs: readonly number[]): void {
  const [inOrder, said] = [tookMs.toSorted((a, b) => a - b), tookMs.map(Math.round).join(', ')];
  assert.ok((inOrder[Math.floor(inOrder.length / 2)] ?? 0) < PROMPT_MS, `purchases took ${said} ms`);
  assert.ok((inOrder.at(-1) ?? 0) < HELD_UP_MS, `purchases took ${said} ms`);
}

describe('lists that take too long', () => {
  it('refuses slow lists with 503, and serves purchases, heartbeats and lookups meanwhile', async () => {
    await buy();
    // Lists read this table and purchases do not.
    await whileLocked('lock table purchase_goods in access exclusive mode', async (tx) => {
      const startedAt = performance.now();
      const lists = Array.from({ length: 24 }, () => gateway.call('GET', anyProduct, { as: 'test' }));
      await eventually('a list waits for the lock', async () => {
        const waiting = await tx.query(
          `select from pg_locks
           where database = (select oid from pg_database where datname = current_database())
           and relation = 'purchase_goods'::regclass
           and not granted`,
        );
        return waiting.length > 0 ? true : undefined;
      });
      const tookMs: number[] = [];
      while (tookMs.length < 10) tookMs.push(await buy());
      assertPrompt(tookMs);
      const [bought] = await tx.query<{ at: Date }>('select clock_timestamp() as at');
      await eventually('the heart beats', async () => {
        const beats = await tx.query('select from gateways where seen_at > $1', [bought?.at]);
        return beats.length > 0 ? true : undefined;
      });
      const balance = await gateway.call('GET', '/v1/wallet/balance', { as: other.live });
      assert.equal(balance.status, 200, 'the look-ups of another merchant are served');
      const answers: Answer[] = await Promise.all(lists);
      assert.ok(performance.now() - startedAt < 60_000);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [429, 503]);
      for (const answer of answers) {
        assertRefused(answer, answer.status);
        assert.match(String(answer.headers['retry-after']), /^[1-9][0-9]*$/);
        // A client could mistake "send again" for an answer about its purchase.
        assert.doesNotMatch(answer.text, /send/);
      }
    });
    assert.equal((await gateway.call('GET', anyProduct, { as: 'test' })).status, 200);
  });
});

describe('a wallet that is locked for 12 s', () => {
  it('a locked wallet delays its own purchases, which are served then, and no others', async () => {
    const held = { as: other.live, body: airtime({ merchant: other.code }) };
    let stuck: Promise<Answer> | undefined;
    await whileLocked(`select from wallets where merchant_id = ${other.id} for update`, async () => {
      const until = performance.now() + 12_000;
      stuck = gateway.call('POST', airtimeSync, held);
      const tookMs: number[] = [];
      while (performance.now() < until) tookMs.push(await buy());
      assertPrompt(tookMs);
      assert.equal(await Promise.race([stuck, 'it waits']), 'it waits');
    });
    assert.equal((await stuck)?.body.response_code, '00');
  });
});
