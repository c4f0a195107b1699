/**
 * The BuyPower connector against the simulated BuyPower: the common suite, then errors that only
 * BuyPower can make.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProviderOrder } from '../../src/providers/provider.ts';
import { faultsOfProvider, unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import { openBuypowerBench } from './buypower-bench.ts';
import { cable, orderOf, postpaid, prepaid } from './products.ts';
import { goodsOf, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

/** No refusal of an order is documented as the order's own fault. */
const OFFERS = new Set([
  'success',
  'pending_then_success',
  'pending_then_failed',
  'lost_before_delivery',
  'lost_after_delivery',
  'goods_late',
  'known',
  'unknown',
  'unavailable',
] as const);

describe('BuyPower', { concurrency: 3 }, () => {
  for (const product of [prepaid, postpaid, cable]) {
    providerSuite('BuyPower', product, () => openBuypowerBench({}, {}, product), OFFERS);
  }
});

describe('BuyPower queried by the other path', () => {
  it('finds the same order', async () => {
    await using bench = await openBuypowerBench({ queryPath: 'transaction' });
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    const first = await bench.provider.purchase(order);
    assert.deepEqual(goodsOf(await bench.provider.query(order)), goodsOf(first));
    const other = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    assert.equal((await bench.provider.query(other)).kind, 'not_found');
  });
});

describe('BuyPower over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openBuypowerBench();
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    orderOf(bench.provider, prepaid, await bench.arrangeFault(rule));

  unclearPurchases(() => ({ bench, newOrder }), [...unclearReplies, 'system_error', 'bare_refusal']);
  unclearQueries(
    () => ({ bench, newOrder }),
    [
      ...['cut_before', 'error_5xx', 'system_error', 'broken_json', 'html_page', 'odd_reply', 'no_reply'],
      ...['rate_limited', 'unauthorized'],
    ],
  );
  // Of our account: the wallet is empty, or the token is refused.
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'unauthorized']);

  it('keeps the order unknown after one refusal that requests a retry, if the next answer succeeds', async () => {
    const order = await newOrder({ fault: 'bare_refusal', operation: 'requery', times: 1 });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    assert.equal((await bench.provider.query(order)).kind, 'success');
  });

  it('keeps a young order pending after a refusal that requests a retry', async () => {
    await using patient = await openBuypowerBench({ refusalGraceMs: 120_000 });
    // The first recipient ends in 1, because the simulated BuyPower requests a retry for odd
    // meters.
    const odd = await patient.arrangeFault({ fault: 'pending_then_failed', settle_ms: 600_000 });
    const order = orderOf(patient.provider, prepaid, odd);
    assert.equal((await patient.provider.purchase(order)).kind, 'accepted');
    await patient.release(odd);
    assert.equal(
      (await patient.provider.query({ ...order, sentMs: 119_999, ageMs: 900_000 })).kind,
      'unknown',
    );
    assert.equal((await patient.provider.query(order)).kind, 'unknown');
    assert.equal((await patient.provider.query({ ...order, sentMs: 120_000 })).kind, 'failed');
  });

  it('does not take a repeated order id for a refusal', async () => {
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const again = await bench.provider.purchase(order);
    assert.equal(again.kind, 'unknown');
    assert.equal(again.code, '409/201');
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  it('rejects the record of another order, and a success with another amount', async () => {
    const order = await newOrder({ fault: 'stranger_record', operation: 'requery' });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    assert.equal((await bench.provider.query(order)).code, 'other_order');
    const other = await newOrder({ fault: 'other_amount' });
    const answer = await bench.provider.purchase(other);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
  });

  it('does not send when it calls too often, and is unknown while an account is being migrated', async () => {
    assert.equal((await bench.provider.purchase(await newOrder({ fault: 'rate_limited' }))).kind, 'not_sent');
    const migrated = await newOrder({ fault: 'biller_down' });
    assert.equal((await bench.provider.purchase(migrated)).kind, 'unknown');
    assert.equal((await bench.provider.query(migrated)).kind, 'not_found');
  });

  it('returns the key change tokens of a meter with its token, also from a query', async () => {
    const order = orderOf(bench.provider, prepaid, '10000000003');
    const goods = goodsOf(await bench.provider.purchase(order));
    for (const name of ['token', 'kct1', 'kct2']) assert.match(String(goods[name]), /^\d{20}$/);
    assert.equal(new Set([goods.token, goods.kct1, goods.kct2]).size, 3);
    assert.deepEqual(goodsOf(await bench.provider.query(order)), goods);
  });

  it('lists the bouquets of a network', async () => {
    const plans = await bench.provider.listPlans?.('DSTV');
    assert.deepEqual(plans?.[0], { code: 'dstv-padi', name: 'DStv Padi', price: 4_400_00n, fixed: true });
  });
});
