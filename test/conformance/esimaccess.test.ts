/**
 * The eSIM Access connector against the simulated one: the common suite, then errors that only eSIM
 * Access can make.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { esimAccess } from '../../src/providers/esimaccess/index.ts';
import type { OrderedItem, ProviderOrder } from '../../src/providers/provider.ts';
import { aPurchase, isBought } from '../support/a-purchase.ts';
import { faultsOfProvider, unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import { eSimOrder, openEsimAccessBench, unreachable } from './esimaccess-bench.ts';
import { eSim } from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

// A refused order leaves no trace that could be queried, and a profile that is not allocated yet is
// no success.
providerSuite(
  'eSIM Access',
  eSim,
  openEsimAccessBench,
  new Set([
    'success',
    'pending_then_success',
    'pending_then_failed',
    'lost_before_delivery',
    'lost_after_delivery',
  ] as const),
);

describe('eSIM Access', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openEsimAccessBench();
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    eSimOrder(bench.provider, await bench.arrangeFault(rule));

  it('returns everything that installs an eSIM, also from a query', async () => {
    const order = eSimOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
    const answer = plain(await bench.provider.query(order), bench.secrets);
    const goods = goodsOf(answer);
    assert.match(String(goods.iccid), /^89\d{17}$/);
    assert.match(String(goods.reference_code), /^B\d+$/);
    assert.equal(goods.lpa, `LPA:1$${goods.smdp_address}$${goods.activation_code}`);
    assert.ok(goods.redemption_instructions);
    assert.ok(!answer.message.includes(String(goods.activation_code)), 'told in a message');
    assert.deepEqual(goodsOf(await bench.provider.query(order)), goods);
  });

  it('queries by its order number when known, and by no other key', async () => {
    const [order, other] = [eSimOrder(bench.provider), eSimOrder(bench.provider)];
    const [first, second] = [await bench.provider.purchase(order), await bench.provider.purchase(other)];
    assert.ok('providerId' in first && 'providerId' in second);
    const { providerId = '' } = first;
    const answer = await bench.provider.query({ ...order, providerId });
    assert.deepEqual(goodsOf(answer), goodsOf(await bench.provider.query(order)));
    const mixed = await bench.provider.query({ ...order, providerId: second.providerId ?? '' });
    assert.equal(mixed.kind, 'unknown');
    // The order was accepted under a number, so a missing answer does not return the money.
    assert.equal((await bench.provider.query({ ...order, providerId: 'B0' })).kind, 'unknown');
  });

  it('accepts an id once: the same order again is the same request', async () => {
    const order = eSimOrder(bench.provider);
    const [first, second] = [await bench.provider.purchase(order), await bench.provider.purchase(order)];
    assert.deepEqual([first.kind, second.kind], ['accepted', 'accepted']);
    assert.equal('providerId' in first && first.providerId, 'providerId' in second && second.providerId);
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  unclearPurchases(() => ({ bench, newOrder }), unclearReplies);
  unclearQueries(
    () => ({ bench, newOrder }),
    ['cut_before', 'error_5xx', 'broken_json', 'html_page', 'odd_reply', 'rate_limited'],
    'accepted',
  );
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'no_access', 'unauthorized', 'biller_down']);

  it('a refused order fails by its own fault, and leaves no trace', async () => {
    // Rules for queries apply to the newest order in the list, so no order of another test may be
    // in it.
    await using alone = await openEsimAccessBench();
    const order = eSimOrder(alone.provider, await alone.arrangeFault({ fault: 'refused' }));
    const answer = await alone.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'order', answer.message);
    assert.equal((await alone.provider.query(order)).kind, 'not_found');
  });

  it('too many calls are not executed, and so not sent', async () => {
    assert.equal((await bench.provider.purchase(await newOrder({ fault: 'rate_limited' }))).kind, 'not_sent');
  });

  it('never pays more than the catalog price', async () => {
    const order = eSimOrder(bench.provider);
    const answer = await bench.provider.purchase({
      ...order,
      planCodes: { ...order.planCodes, price: '14000' },
    });
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.message);
    assert.equal(answer.code, '200005');
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('sends no order for an unknown package, or for more than one', async () => {
    const order = eSimOrder(bench.provider);
    const several = { ...(order.item as OrderedItem), quantity: 2 };
    for (const wrong of [
      { ...order, planCodes: {} },
      { ...order, planCodes: { slug: 'XX_90000' } },
      { ...order, item: several },
    ]) {
      const answer = await bench.provider.purchase(wrong);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.message);
    }
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('an answer about another order is unknown', async () => {
    const order = await newOrder({ fault: 'stranger_record', operation: 'requery' });
    assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
    assert.equal((await bench.provider.query(order)).kind, 'unknown');
  });

  for (const hours of [-20, 3, 20]) {
    it(`finds an order by a clock that was ${hours} hours off`, async () => {
      const off = new Date(Date.now() + hours * 3_600_000);
      for (const delivered of [true, false]) {
        const reference = bench.provider.mintReference(off, aPurchase, isBought);
        const order = { ...(await newOrder({ fault: 'no_reply', delivered })), reference };
        assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
        assert.equal((await bench.provider.query(order)).kind, delivered ? 'success' : 'not_found');
      }
    });
  }

  it('does not query a reference of another system', async () => {
    const answer = await bench.provider.query({ ...eSimOrder(bench.provider), reference: 'first-1' });
    assert.deepEqual([answer.kind, answer.code], ['unknown', 'foreign_reference']);
  });

  it('lists its packages with the codes that the catalog keeps', async () => {
    const listed = await bench.provider.listCatalog?.('ESIM');
    const one = listed?.find((plan) => plan.planCodes.slug === 'US_1_7');
    assert.deepEqual(
      { price: one?.price, currency: one?.currency, country: one?.country, days: one?.durationDays },
      { price: 153n, currency: 'USD', country: 'US', days: 7 },
    );
    assert.equal(one?.planCodes.price, '15300');
    assert.deepEqual(await bench.provider.listCatalog?.('GIFTCARD'), []);
  });
});

describe('eSIM Access while it allocates', () => {
  it('accepts the order, and delivers it later', async () => {
    await using bench = await openEsimAccessBench({}, { OJA_SIMULATOR_ALLOCATE_MS: '600000' });
    const order = eSimOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
    assert.equal((await bench.provider.query(order)).kind, 'accepted');
    await bench.release('XX_90000');
    assert.equal((await bench.provider.query(order)).kind, 'success');
    assert.equal(await bench.deliveries(order.reference), 1);
  });
});

describe('eSIM Access shared among processes', () => {
  it('shares its read rate among processes', async () => {
    // Two per second for one process; for each of four, one in two seconds. The second is not sent.
    assert.deepEqual(
      [
        await readsSent({ perSecond: 8, reads: 2 }),
        await readsSent({ perSecond: 8, reads: 2, processes: 4 }),
      ],
      [2, 1],
    );
  });
});

describe('eSIM Access out of reach', () => {
  it('sends no order, and reads a query as unknown', async () => {
    const provider = await esimAccess.configure(unreachable()).open();
    const order = eSimOrder(provider);
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query(order)).kind, 'unknown');
    assert.equal(await provider.listCatalog?.('ESIM'), undefined);
    assert.equal(await provider.balance(), undefined);
    await provider[Symbol.asyncDispose]();
  });

  it('limits its reads to a share of its calls; a read that would wait too long is not sent', async () => {
    assert.equal(await readsSent({ perSecond: 1, reads: 3 }), 1);
    const provider = await esimAccess.configure({ ...unreachable(), perSecond: 1 }).open();
    const { orders, reads } = provider.limiters ?? assert.fail('it has limiters');
    assert.deepEqual([orders.use().callsMax, reads.use().callsMax], [4, 2]);
    assert.deepEqual([orders.perSecond, reads.perSecond], [0.5, 0.5]);
    await provider[Symbol.asyncDispose]();
  });
});

/** Returns how many reads reach the upstream if none waits longer than 700 ms. */
async function readsSent(given: {
  readonly perSecond: number;
  readonly reads: number;
  readonly processes?: number;
}): Promise<number> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { perSecond, reads, processes = 1 } = given;
  const provider = await esimAccess.configure({ ...unreachable(), baseUrl, perSecond, waitMs: 700 }).open();
  provider.limiters?.reads.share(processes, 0);
  await Promise.all(Array.from({ length: reads }, () => provider.balance()));
  await provider[Symbol.asyncDispose]();
  server.close();
  return requests;
}
