/**
 * The VTU.ng connector against the simulated VTU.ng: the common suite, then errors that only VTU.ng
 * can make.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProviderOrder } from '../../src/providers/provider.ts';
import { airtime, betting, cable, data, orderOf, postpaid, prepaid } from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import { openVtungBench, type VtungBench } from './vtung-bench.ts';

describe('VTU.ng', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable, betting]) {
    providerSuite('VTU.ng', product, () => openVtungBench(product));
  }
});

const newOrder = async (
  bench: VtungBench,
  rule: Record<string, unknown>,
  product = prepaid,
): Promise<ProviderOrder> => orderOf(bench.provider, product, await bench.arrangeFault(rule));

describe('VTU.ng over a bad line', { concurrency: 1 }, () => {
  for (const fault of [
    'error_5xx',
    'system_error',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'timeout',
    'bare_refusal',
  ]) {
    for (const delivered of [false, true]) {
      it(`reads ${fault}${delivered ? ' after delivery' : ''} as unknown, and the query decides`, async () => {
        await using bench = await openVtungBench(prepaid);
        const order = await newOrder(bench, { fault, delivered });
        const answer = plain(await bench.provider.purchase(order), bench.secrets);
        assert.equal(answer.kind, 'unknown', answer.message);
        assert.equal((await bench.provider.query(order)).kind, delivered ? 'success' : 'not_found');
        assert.equal(await bench.deliveries(order.reference), delivered ? 1 : 0);
      });
    }
  }

  it('treats a failed requery as unknown, whatever happened to the order', async () => {
    await using bench = await openVtungBench(prepaid);
    for (const fault of [
      'cut_before',
      'error_5xx',
      'html_page',
      'odd_reply',
      'bare_refusal',
      'stranger_record',
    ]) {
      const order = await newOrder(bench, { fault, operation: 'requery' });
      assert.equal((await bench.provider.purchase(order)).kind, 'success');
      assert.equal(plain(await bench.provider.query(order), bench.secrets).kind, 'unknown', fault);
    }
  });

  it('leaves a success of another amount to a person', async () => {
    await using bench = await openVtungBench(prepaid);
    const order = await newOrder(bench, { fault: 'other_amount' });
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
    assert.equal(answer.code, 'other_amount');
  });

  it('calls an empty wallet the provider’s fault, which customers do not see', async () => {
    await using bench = await openVtungBench(prepaid);
    const order = await newOrder(bench, { fault: 'float_out' });
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
    assert.equal(answer.telcoMessage, undefined);
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('does not count calls that VTU.ng refused unread as sent', async () => {
    await using bench = await openVtungBench(prepaid);
    for (const fault of ['rate_limited', 'unauthorized', 'no_access']) {
      const order = await newOrder(bench, { fault });
      assert.equal((await bench.provider.purchase(order)).kind, 'not_sent', fault);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
  });

  it('buys once after its token was refused', async () => {
    await using bench = await openVtungBench(prepaid);
    const order = await newOrder(bench, { fault: 'unauthorized', times: 1 });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    assert.equal(await bench.deliveries(order.reference), 1);
  });
});

describe('VTU.ng', () => {
  it('keeps a success whose requery has no token', async () => {
    await using bench = await openVtungBench(prepaid);
    const order = orderOf(bench.provider, prepaid, '45002000099');
    assert.match(String(goodsOf(await bench.provider.purchase(order)).token), /^\d{20}$/);
    const again = await bench.provider.query(order);
    assert.equal(again.kind, 'success');
    assert.deepEqual(goodsOf(again), {});
  });

  it('confirms a near-duplicate refusal before another provider serves the order', async () => {
    await using bench = await openVtungBench(airtime, { OJA_SIMULATOR_NEAR_DUPLICATES: 'on' });
    const recipient = await bench.arrange('success');
    const first = orderOf(bench.provider, airtime, recipient);
    const second = orderOf(bench.provider, airtime, recipient);
    assert.equal((await bench.provider.purchase(first)).kind, 'success');
    const refused = await bench.provider.purchase(second);
    assert.equal(refused.kind, 'unknown', refused.message);
    const refusal = { code: refused.code, message: refused.message };
    const early = await bench.provider.query({ ...second, refusal: { ...refusal, ageMs: 10_000 } });
    assert.equal(early.kind, 'not_found');
    const late = await bench.provider.query({ ...second, refusal: { ...refusal, ageMs: 30_000 } });
    assert.ok(late.kind === 'failed' && late.fault === 'provider', late.kind);
    assert.equal(await bench.deliveries(second.reference), 0);
  });

  it('returns the user name of a betting customer', async () => {
    await using bench = await openVtungBench(betting);
    const query = { product: 'BETTING', network: 'BET9JA', recipient: 'PUNTER00001' };
    const answer = await bench.provider.verifyCustomer?.(query);
    assert.ok(answer?.kind === 'verified');
    assert.equal(answer.customer.username, 'punter00001');
    assert.equal(answer.customer.minAmount, 100_00n);
    assert.equal(answer.customer.maxAmount, 100_000_00n);
  });

  it('sends neither kobo nor an unknown betting company', async () => {
    await using bench = await openVtungBench(betting);
    const order = orderOf(bench.provider, betting, 'PUNTER00001');
    for (const one of [
      { ...order, amount: 500_50n },
      { ...order, network: 'OTHERBET' },
    ]) {
      const answer = await bench.provider.purchase(one);
      assert.ok(answer.kind === 'failed' && answer.isUncalled && answer.fault === 'provider', answer.kind);
    }
  });

  it('lists the plans of a network and of a cable company', async () => {
    await using bench = await openVtungBench();
    for (const service of ['mtn', 'dstv']) {
      const plans = await bench.provider.listPlans?.(service);
      assert.ok(plans !== undefined && plans.length > 2, service);
      assert.ok(plans.every((plan) => plan.code !== '' && (plan.price ?? 0n) > 0n));
    }
  });
});
