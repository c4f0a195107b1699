/**
 * The connector to Flutterwave's bills against the simulator: the common suite, then errors that
 * only Flutterwave can make.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProviderOrder } from '../../src/providers/provider.ts';
import { unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import { openFlutterwaveBillsBench } from './flutterwave-bills-bench.ts';
import { airtime, cable, data, orderOf, postpaid, prepaid } from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

/** No answer is documented for an order that failed later, or that does not exist. */
const OFFERS = new Set([
  'success',
  'pending_then_success',
  'lost_after_delivery',
  'known',
  'unknown',
  'unavailable',
] as const);

describe('Flutterwave bills', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable]) {
    providerSuite('Flutterwave bills', product, () => openFlutterwaveBillsBench({}, {}, product), OFFERS);
  }
});

describe('Flutterwave bills over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openFlutterwaveBillsBench({}, {}, prepaid);
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    orderOf(bench.provider, prepaid, await bench.arrangeFault(rule));

  // It cannot tell an order that it does not know from one that it has not finished.
  unclearPurchases(
    () => ({ bench, newOrder }),
    [...unclearReplies, 'system_error', 'bare_refusal'],
    'unknown',
  );
  unclearQueries(
    () => ({ bench, newOrder }),
    [...['cut_before', 'error_5xx', 'broken_json', 'html_page', 'no_reply', 'unauthorized']],
  );

  it('never reports an order as not found, or as failed after it was accepted', async () => {
    const lost = await newOrder({ fault: 'cut_before' });
    assert.equal((await bench.provider.purchase(lost)).kind, 'unknown');
    assert.equal((await bench.provider.query(lost)).kind, 'unknown');
    for (let count = 0; count < 2; count += 1) {
      const recipient = await bench.arrangeFault({ fault: 'pending_then_failed', settle_ms: 600_000 });
      const failing = orderOf(bench.provider, prepaid, recipient);
      assert.equal((await bench.provider.purchase(failing)).kind, 'accepted');
      await bench.release(recipient);
      assert.ok(['unknown', 'accepted'].includes((await bench.provider.query(failing)).kind));
      assert.equal(await bench.deliveries(failing.reference), 0);
    }
  });

  it('keeps electricity pending while it has no token, also with the code of a delivery', async () => {
    const recipient = await bench.arrangeFault({ fault: 'pending_fulfilments', fulfilment_ms: 600_000 });
    const order = orderOf(bench.provider, prepaid, recipient);
    assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
    await bench.release(recipient);
    const answer = await bench.provider.query(order);
    assert.match(String(goodsOf(answer).token), /^\d{20}$/);
  });

  it('fails an order only for documented refusal texts', async () => {
    const refused = await bench.provider.purchase(await newOrder({ fault: 'refused' }));
    assert.ok(refused.kind === 'failed' && refused.fault === 'order' && refused.telcoMessage);
    for (const fault of ['float_out', 'unauthorized']) {
      const order = await newOrder({ fault });
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider', fault);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
    for (const fault of ['no_access', 'biller_down']) {
      assert.equal((await bench.provider.purchase(await newOrder({ fault }))).kind, 'unknown', fault);
    }
  });

  it('does not treat a repeated reference as a refusal, or a full queue as an order', async () => {
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    assert.equal(await bench.deliveries(order.reference), 1);
    assert.equal((await bench.provider.purchase(await newOrder({ fault: 'rate_limited' }))).kind, 'not_sent');
  });

  it('accepts no other customer’s record and no success of another amount', async () => {
    const order = await newOrder({ fault: 'stranger_record', operation: 'requery' });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    assert.equal((await bench.provider.query(order)).code, 'other_order');
    const other = await newOrder({ fault: 'other_amount' });
    const answer = await bench.provider.purchase(other);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
  });

  it('gives the key change tokens of a meter with its token', async () => {
    const order = orderOf(bench.provider, prepaid, '10000000003');
    const goods = goodsOf(await bench.provider.purchase(order));
    for (const name of ['token', 'kct1', 'kct2']) assert.match(String(goods[name]), /^\d{20}$/);
    assert.deepEqual(goodsOf(await bench.provider.query(order)), goods);
  });
});

describe('Flutterwave bills whose record has no status', () => {
  it('finds a success in the history, on any page, by Flutterwave’s reference', async () => {
    await using bench = await openFlutterwaveBillsBench();
    const order = orderOf(bench.provider, airtime, '2348030000001');
    const first = await bench.provider.purchase(order);
    assert.equal(first.kind, 'success');
    for (let count = 0; count < 25; count += 1) {
      const other = orderOf(bench.provider, airtime, await bench.arrange('success'));
      assert.equal((await bench.provider.purchase(other)).kind, 'success');
    }
    assert.equal((await bench.provider.query(order)).kind, 'success');
    const named = { ...order, providerId: first.providerId ?? '' };
    assert.equal((await bench.provider.query(named)).kind, 'success');
    await bench.addRule({ fault: 'error_5xx', operation: 'list' });
    assert.equal((await bench.provider.query(order)).kind, 'accepted');
  });
});

describe('Flutterwave bills of a network without codes', () => {
  it('refuses an order without a call, so that another provider serves it', async () => {
    await using bench = await openFlutterwaveBillsBench();
    const order = { ...orderOf(bench.provider, airtime, '2348030000001'), network: 'GLO' };
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.isUncalled);
    const plans = await bench.provider.listPlans?.('BIL119');
    assert.deepEqual(plans?.[0], { code: 'dstv-padi', name: 'DStv Padi', price: 4_400_00n, fixed: true });
  });
});
