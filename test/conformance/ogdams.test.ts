/**
 * The OGDAMS connector against the simulated OGDAMS: the common suite as far as it applies to a
 * provider without queries, then errors that only OGDAMS can make.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ogdams } from '../../src/providers/ogdams/index.ts';
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { airtime, data, orderOf, type ProductCase } from './products.ts';
import { type ProviderBench, plain, providerSuite } from './provider-suite.ts';
import { openSimulatorBench, type SimulatorBench } from './simulator-bench.ts';

const KEY = 'sk_live_simulator';

type Bench = Omit<ProviderBench, keyof SimulatorBench | 'provider'> &
  SimulatorBench & { readonly provider: Provider };

async function openOgdamsBench(
  product: ProductCase = airtime,
  secretKey = KEY,
  balanceField?: string,
): Promise<Bench> {
  const simulator = await openSimulatorBench(product);
  const provider = await ogdams
    .configure({
      baseUrl: `${simulator.url}/ogdams`,
      secretKey,
      balanceField,
      connectionsMax: 4,
      deadlineMs: 3_000,
      notFoundGraceMs: 1_000,
      // These tests make failures on purpose. The breaker has its own tests.
      breaker: { window: 1_000, probeAfterMs: 100 },
    })
    .open();
  return {
    ...simulator,
    provider,
    cannotQuery: true,
    hasFloat: false,
    tellsNoCost: true,
    secrets: [secretKey],
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

describe('OGDAMS', { concurrency: 2 }, () => {
  // No query ever reports the outcome of an order.
  const offers = new Set(['success', 'refused', 'lost_before_delivery', 'lost_after_delivery'] as const);
  for (const product of [airtime, data]) {
    providerSuite('OGDAMS', product, () => openOgdamsBench(product), offers);
  }
});

async function newOrder(bench: Bench, rule: Record<string, unknown>): Promise<ProviderOrder> {
  return orderOf(bench.provider, airtime, await bench.arrangeFault(rule));
}

describe('OGDAMS over a bad line', () => {
  it('keeps an order unknown after any other answer, and after every query', async () => {
    await using bench = await openOgdamsBench();
    for (const fault of [
      ...['error_5xx', 'broken_json', 'html_page', 'odd_reply', 'no_reply', 'timeout'],
      ...['bare_refusal', 'biller_down', 'rate_limited', 'cut_before', 'cut_after', 'late_visible'],
    ]) {
      const order = await newOrder(bench, { fault });
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      assert.equal(answer.kind, 'unknown', `${fault}: ${answer.message}`);
      assert.equal(plain(await bench.provider.query(order), bench.secrets).kind, 'unknown', fault);
    }
  });

  it('accepts a queued order, which only a person can settle', async () => {
    await using bench = await openOgdamsBench();
    for (const behaviour of ['pending_then_success', 'pending_then_failed'] as const) {
      const recipient = await bench.arrange(behaviour);
      const order = orderOf(bench.provider, airtime, recipient);
      assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
      await bench.release(recipient);
      assert.equal((await bench.provider.query(order)).kind, 'unknown');
    }
  });

  it('treats an empty wallet and a refused key as faults of the provider, hidden from customers', async () => {
    await using bench = await openOgdamsBench();
    for (const fault of ['float_out', 'no_access', 'unauthorized']) {
      const order = await newOrder(bench, { fault });
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider', fault);
      assert.equal(answer.telcoMessage, undefined);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
    await using other = await openOgdamsBench(airtime, 'sk_live_wrong');
    const order = orderOf(other.provider, airtime, '2348030000001');
    assert.equal((await other.provider.purchase(order)).kind, 'failed');
  });

  it('reads the balance that the settings name, which may decide an unknown order', async () => {
    await using bench = await openOgdamsBench(airtime, KEY, 'data.mainBalance');
    const before = await bench.provider.balance();
    assert.ok(before !== undefined && before.amount > 0n);
    const order = orderOf(bench.provider, airtime, await bench.arrange('lost_after_delivery'));
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    const after = await bench.provider.balance();
    assert.ok(after !== undefined && after.amount < before.amount);
    const asked = await bench.provider.query(order);
    assert.deepEqual([bench.provider.balanceProves, asked.kind], ['delivery', 'unknown']);
    assert.ok(asked.kind === 'unknown' && asked.isUnqueryable);
    for (const field of ['mainBalance', 'data', 'data.other']) {
      await using other = await openOgdamsBench(airtime, KEY, field);
      assert.equal(await other.provider.balance(), undefined, field);
    }
    await using without = await openOgdamsBench();
    assert.equal(without.provider.balanceProves, undefined);
  });

  it('accepts no webhook, because anyone can send one and no query confirms it', () => {
    const settings = { secretKey: KEY, baseUrl: 'http://127.0.0.1:1', connectionsMax: 1 };
    const configured = ogdams.configure({ ...settings, deadlineMs: 1, notFoundGraceMs: 1 });
    assert.equal(configured.readCallback, undefined);
  });

  it('lists the plans of a network', async () => {
    await using bench = await openOgdamsBench();
    const plans = await bench.provider.listPlans?.('GLO');
    assert.ok(plans !== undefined && plans.length > 2);
    assert.ok(plans.every((plan) => plan.code !== '' && (plan.price ?? 0n) > 0n));
    assert.equal(await bench.provider.listPlans?.('OTHER'), undefined);
  });

  it('sends neither kobo of airtime nor a plan without its code', async () => {
    await using bench = await openOgdamsBench();
    for (const order of [
      { ...orderOf(bench.provider, airtime, '2348030000001'), amount: 100_50n },
      { ...orderOf(bench.provider, data, '2348030000001'), planCodes: {} },
      { ...orderOf(bench.provider, airtime, '2348030000001'), network: 'OTHER' },
    ]) {
      const answer = await bench.provider.purchase(order);
      assert.ok(answer.kind === 'failed' && answer.isUncalled && answer.fault === 'provider');
    }
  });
});
