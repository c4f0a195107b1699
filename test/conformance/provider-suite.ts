/**
 * What every connector must do, whatever it speaks. A bench wires one connector to an upstream that can be told how to
 * treat a recipient; the suite looks at answers and, where the upstream keeps books, at deliveries.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerKind, Provider, ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';

export type Behaviour =
  | 'success'
  | 'refused'
  | 'pending_then_success'
  | 'pending_then_failed'
  | 'lost_before_delivery'
  | 'lost_after_delivery';

export type ProviderBench = {
  readonly provider: Provider;
  /** A recipient that the upstream will treat so. */
  arrange(behaviour: Behaviour): Promise<string>;
  /** How often the upstream delivered a reference; absent where it keeps no books. */
  deliveries?(reference: string): Promise<number>;
  /** What the connector must never show. */
  readonly secrets: readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
};

const SETTLED_WITHIN_MS = 5_000;
const TIMER_SLACK_MS = 250;

export function providerSuite(name: string, openBench: () => Promise<ProviderBench>): void {
  describe(`${name} as a provider`, () => {
    let bench: ProviderBench;
    before(async () => {
      bench = await openBench();
    });
    after(async () => {
      await bench[Symbol.asyncDispose]();
    });

    const newOrder = async (behaviour: Behaviour): Promise<ProviderOrder> =>
      airtimeOrder(bench.provider, await bench.arrange(behaviour));
    const assertDelivered = async (order: ProviderOrder, times: number): Promise<void> => {
      if (bench.deliveries === undefined) return;
      assert.equal(await bench.deliveries(order.reference), times, 'deliveries in the upstream books');
    };
    const vend = async (order: ProviderOrder): Promise<ProviderAnswer> =>
      plain(await bench.provider.vend(order), bench.secrets);
    const query = async (order: ProviderOrder): Promise<ProviderAnswer> =>
      plain(await bench.provider.query(order), bench.secrets);

    it('mints references that are never the same', () => {
      const now = new Date();
      const minted = new Set(Array.from({ length: 10_000 }, () => bench.provider.mintReference(now)));
      assert.equal(minted.size, 10_000);
    });

    it('delivers, says its cost, and says so again when asked', async () => {
      const order = await newOrder('success');
      for (const answer of [await vend(order), await query(order)]) {
        assert.ok(answer.kind === 'success', `success, not ${answer.kind}: ${answer.message}`);
        assert.ok(answer.cost !== undefined && answer.cost > 0n && answer.cost <= order.amount);
        assert.ok(answer.telcoMessage, 'words for the customer');
      }
      await assertDelivered(order, 1);
    });

    it('fails an order that was refused, by its own fault, and delivers nothing', async () => {
      const order = await newOrder('refused');
      for (const answer of [await vend(order), await query(order)]) {
        assert.ok(answer.kind === 'failed', `failed, not ${answer.kind}: ${answer.message}`);
        assert.equal(answer.fault, 'order');
      }
      await assertDelivered(order, 0);
    });

    it('accepts a pending order, which later succeeds', async () => {
      const order = await newOrder('pending_then_success');
      assert.equal((await vend(order)).kind, 'accepted');
      assert.equal((await query(order)).kind, 'accepted');
      await assertDelivered(order, 0);
      assert.equal((await settled(query, order)).kind, 'success');
      await assertDelivered(order, 1);
    });

    it('accepts a pending order, which later fails', async () => {
      const order = await newOrder('pending_then_failed');
      assert.equal((await vend(order)).kind, 'accepted');
      assert.equal((await settled(query, order)).kind, 'failed');
      await assertDelivered(order, 0);
    });

    it('does not know after a call lost before delivery; the query has never heard of it', async () => {
      const order = await newOrder('lost_before_delivery');
      assert.equal((await vend(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, 'not_found');
      await assertDelivered(order, 0);
    });

    it('does not know after a call lost after delivery; the query says success', async () => {
      const order = await newOrder('lost_after_delivery');
      assert.equal((await vend(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, 'success');
      await assertDelivered(order, 1);
    });

    it('does not deliver a reference twice, nor call the second call a failure', async () => {
      const order = await newOrder('success');
      assert.equal((await vend(order)).kind, 'success');
      assert.ok(['success', 'unknown', 'accepted'].includes((await vend(order)).kind));
      assert.equal((await query(order)).kind, 'success');
      await assertDelivered(order, 1);
    });

    it('answers a lost call within its deadline', async () => {
      const order = await newOrder('lost_before_delivery');
      const startedAt = performance.now();
      await vend(order);
      assert.ok(performance.now() - startedAt <= bench.provider.deadlineMs + TIMER_SLACK_MS);
    });

    it('reads its float, or says that it cannot', async () => {
      const balance = await bench.provider.balance();
      assert.ok(balance === undefined || balance > 0n);
    });
  });
}

/** An order as the vending side makes them. */
export function airtimeOrder(provider: Provider, recipient: string): ProviderOrder {
  return {
    reference: provider.mintReference(new Date()),
    product: 'airtime',
    network: 'MTN',
    recipient,
    amount: 100_00n,
    currency: 'NGN',
  };
}

/** Checks what holds for every answer. */
export function plain(answer: ProviderAnswer, secrets: readonly string[]): ProviderAnswer {
  assert.notEqual(answer.code, '');
  assert.notEqual(answer.message, '');
  const shown = JSON.stringify(answer, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  for (const secret of secrets) assert.ok(!shown.includes(secret), `a secret in ${shown}`);
  return answer;
}

const FINAL: readonly AnswerKind[] = ['success', 'failed'];

async function settled(
  query: (order: ProviderOrder) => Promise<ProviderAnswer>,
  order: ProviderOrder,
): Promise<ProviderAnswer> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const answer = await query(order);
    if (FINAL.includes(answer.kind) || Date.now() > deadline) return answer;
    await sleep(20);
  }
}
