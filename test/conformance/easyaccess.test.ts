/**
 * The EasyAccess connector against the simulated EasyAccess: the common suite, then errors that
 * only EasyAccess can make.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderOrder } from '../../src/providers/provider.ts';
import { openEasyAccessBench } from './easyaccess-bench.ts';
import { airtime, data, orderOf, type ProductCase } from './products.ts';
import { plain, providerSuite } from './provider-suite.ts';

describe('EasyAccess', { concurrency: 2 }, () => {
  providerSuite('EasyAccess', data, () => openEasyAccessBench(data));
  // Its API for airtime has no answer that means pending or refused.
  providerSuite(
    'EasyAccess',
    airtime,
    () => openEasyAccessBench(airtime),
    new Set(['success', 'lost_before_delivery', 'lost_after_delivery']),
  );
});

const FAULTS = [
  ...['error_5xx', 'broken_json', 'html_page', 'odd_reply', 'no_reply', 'timeout', 'bare_refusal'],
  'rate_limited',
];

async function newOrder(
  bench: Awaited<ReturnType<typeof openEasyAccessBench>>,
  product: ProductCase,
  rule: Record<string, unknown>,
): Promise<ProviderOrder> {
  return orderOf(bench.provider, product, await bench.arrangeFault(rule));
}

describe('EasyAccess: plans', () => {
  it('lists the plans of a product type at the account’s price, and no plans of an unknown type', async () => {
    await using bench = await openEasyAccessBench();
    const plans = await bench.provider.listPlans?.('mtn-data');
    assert.ok(plans !== undefined && plans.length > 5);
    assert.ok(plans.every(({ code, cost }) => code !== '' && (cost ?? 0n) > 0n));
    assert.ok(plans.some(({ code }) => code === data.codes.easyaccess?.variation_code));
    assert.equal(await bench.provider.listPlans?.('mtn&product_type=mtn-data'), undefined);
  });
});

describe('EasyAccess over a bad line', { concurrency: 2 }, () => {
  for (const product of [data, airtime]) {
    it(`keeps ${product.name} unknown after any other answer, delivered or not`, async () => {
      await using bench = await openEasyAccessBench(product);
      for (const fault of FAULTS) {
        for (const delivered of [false, true]) {
          const order = await newOrder(bench, product, { fault, delivered });
          const answer = plain(await bench.provider.purchase(order), bench.secrets);
          assert.equal(answer.kind, 'unknown', `${fault}: ${answer.message}`);
          assert.equal(plain(await bench.provider.query(order), bench.secrets).kind, 'unknown', fault);
        }
      }
    });
  }

  it('does not believe a query that fails or names another order', async () => {
    await using bench = await openEasyAccessBench();
    for (const fault of [
      'cut_before',
      'error_5xx',
      'html_page',
      'odd_reply',
      'bare_refusal',
      'stranger_record',
    ]) {
      const order = await newOrder(bench, data, { fault, operation: 'requery' });
      const { kind, providerId = '' } = await bench.provider.purchase(order);
      assert.equal(kind, 'success');
      assert.equal((await bench.provider.query({ ...order, providerId })).kind, 'unknown', fault);
    }
    const order = orderOf(bench.provider, data, await bench.arrange('success'));
    const answer = await bench.provider.query({ ...order, providerId: 'EA-unknown' });
    assert.equal(answer.kind, 'unknown', 'an order that it does not find is not refused');
  });

  it('keeps refused airtime unknown, because no refusal of airtime is documented', async () => {
    await using bench = await openEasyAccessBench(airtime);
    for (const fault of ['refused', 'float_out', 'no_access', 'unauthorized']) {
      const order = await newOrder(bench, airtime, { fault });
      assert.equal(plain(await bench.provider.purchase(order), bench.secrets).kind, 'unknown', fault);
    }
  });

  it('leaves only orders that it cannot be queried about to our balance', async () => {
    await using bench = await openEasyAccessBench();
    assert.equal(bench.provider.balanceProves, 'either');
    const order = await newOrder(bench, data, { fault: 'pending_then_success' });
    const { providerId = '' } = await bench.provider.purchase(order);
    const lost = await bench.provider.query(order);
    assert.ok(lost.kind === 'unknown' && lost.isUnqueryable);
    const found = await bench.provider.query({ ...order, providerId });
    assert.equal(found.kind, 'accepted');
    const other = await bench.provider.query({ ...order, providerId: 'EA-unknown' });
    assert.ok(other.kind === 'unknown' && !other.isUnqueryable);
  });

  it('treats an empty wallet and a refused token as faults of the provider, hidden from customers', async () => {
    await using bench = await openEasyAccessBench();
    for (const fault of ['float_out', 'no_access']) {
      const order = await newOrder(bench, data, { fault });
      const answer = await bench.provider.purchase(order);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider', fault);
      assert.equal(answer.telcoMessage, undefined);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
  });

  it('does not pay more for a plan than the merchant pays', async () => {
    await using bench = await openEasyAccessBench();
    const dear = orderOf(bench.provider, data, await bench.arrange('success'));
    const answer = await bench.provider.purchase({ ...dear, charge: 96_00n });
    assert.equal(answer.kind, 'failed', answer.message);
    assert.equal(await bench.deliveries(dear.reference), 0);
    const cheap = orderOf(bench.provider, data, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase({ ...cheap, charge: 97_00n })).kind, 'success');
  });

  it('sends neither kobo of airtime nor a plan without its code', async () => {
    await using bench = await openEasyAccessBench();
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
