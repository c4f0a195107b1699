/**
 * The ClubKonnect connector against the simulated ClubKonnect: the common suite, then errors that
 * only ClubKonnect can make.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { clubkonnect } from '../../src/providers/clubkonnect/index.ts';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { faultsOfProvider, unclearQueries } from './bad-line.ts';
import { ACCOUNT, openClubkonnectBench } from './clubkonnect-bench.ts';
import {
  airtime,
  airtimeOrder,
  betting,
  cable,
  data,
  jamb,
  orderOf,
  postpaid,
  prepaid,
  waec,
  waecRegistration,
} from './products.ts';
import { type Behaviour, type CustomerFate, goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

/** Without `lost_before_delivery`: an order that ClubKonnect does not know stays unknown. */
const OFFERS: ReadonlySet<Behaviour | CustomerFate> = new Set([
  'success',
  'refused',
  'pending_then_success',
  'pending_then_failed',
  'lost_after_delivery',
  'goods_late',
  'known',
  'unknown',
  'unavailable',
] as const);

/** No answer that rejects a customer of these is documented. */
const NO_REJECTION: ReadonlySet<Behaviour | CustomerFate> = OFFERS.difference(new Set(['unknown']));

// They mostly wait for orders to settle.
describe('ClubKonnect', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable, waec, waecRegistration]) {
    providerSuite('ClubKonnect', product, () => openClubkonnectBench({}, {}, product), OFFERS);
  }
  for (const product of [betting, jamb]) {
    providerSuite('ClubKonnect', product, () => openClubkonnectBench({}, {}, product), NO_REJECTION);
  }
});

describe('ClubKonnect over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openClubkonnectBench();
  });
  after(() => bench[Symbol.asyncDispose]());

  const purchase = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.purchase(order), bench.secrets);
  const query = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.query(order), bench.secrets);
  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    airtimeOrder(bench.provider, await bench.arrangeFault(rule));

  for (const fault of [
    'cut_before',
    'error_5xx',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'timeout',
    'bare_refusal',
    'rate_limited',
  ]) {
    it(`${fault} leaves the purchase unknown, and an order that is not found stays unknown`, async () => {
      // After a 429 no call is sent for a while.
      await using own = fault === 'rate_limited' ? await openClubkonnectBench() : undefined;
      const { arrangeFault, provider, deliveries } = own ?? bench;
      const order = airtimeOrder(provider, await arrangeFault({ fault }));
      const answer = await provider.purchase(order);
      assert.equal(answer.kind, 'unknown', answer.message);
      for (let queries = 0; queries < 5; queries += 1) {
        assert.equal((await provider.query(order)).kind, 'unknown');
      }
      assert.equal(await deliveries(order.reference), 0);
    });
  }

  for (const fault of [
    'error_5xx',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'timeout',
    'bare_refusal',
  ]) {
    it(`${fault} after delivery leaves the purchase unknown, and the query finds it`, async () => {
      const order = airtimeOrder(bench.provider, await bench.arrangeFault({ fault, delivered: true }));
      assert.equal((await purchase(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, 'success');
      assert.equal(await bench.deliveries(order.reference), 1);
    });
  }

  unclearQueries(
    () => ({ bench, newOrder }),
    [
      ...['cut_before', 'error_5xx', 'broken_json', 'html_page', 'odd_reply', 'no_reply'],
      ...['stranger_record', 'unauthorized', 'bare_refusal'],
    ],
    'accepted',
  );
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'no_access', 'unauthorized']);

  it('keeps 201 pending, which clients count as a success, until the order is final', async () => {
    const pending = new Set<string>();
    for (let orders = 0; orders < 2; orders += 1) {
      const recipient = await bench.arrangeFault({ fault: 'pending_then_failed', settle_ms: 600_000 });
      const order = airtimeOrder(bench.provider, recipient);
      const answer = await purchase(order);
      assert.equal(answer.kind, 'accepted');
      pending.add(answer.code);
      await bench.release(recipient);
      const final = await query(order);
      assert.ok(final.kind === 'failed' && final.code === '509', final.code);
    }
    assert.deepEqual([...pending].toSorted(), ['100', '201']);
  });

  it('leaves a delivery of another amount to a person', async () => {
    const order = airtimeOrder(
      bench.provider,
      await bench.arrangeFault({ fault: 'other_amount', operation: 'requery' }),
    );
    await purchase(order);
    const answer = await query(order);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
    assert.equal(answer.code, 'other_amount');
  });

  it('shows a success that was credited back', async () => {
    const recipient = await bench.arrangeFault({ fault: 'reversed_later', settle_ms: 600_000 });
    const order = airtimeOrder(bench.provider, recipient);
    await purchase(order);
    assert.equal((await query(order)).kind, 'success');
    await bench.release(recipient);
    assert.deepEqual([bench.provider.takesBack, (await query(order)).kind], [true, 'failed']);
  });

  it('finds an order by ClubKonnect’s own id', async () => {
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const { providerId } = await purchase(order);
    assert.ok(providerId !== undefined);
    assert.equal((await query({ ...order, providerId })).kind, 'success');
    assert.equal((await query({ ...order, providerId: '1' })).kind, 'unknown');
  });
});

describe('ClubKonnect: plans, float and orders that it cannot serve', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openClubkonnectBench({}, { OJA_SIMULATOR_BALANCE: '1234.50' });
  });
  after(() => bench[Symbol.asyncDispose]());

  it('reads a balance with separators', async () => {
    assert.deepEqual(await bench.provider.balance(), { amount: 1_234_50n, currency: 'NGN' });
  });

  it('lists the plans of a network, flat or below PRODUCT, and no plans for an unknown one', async () => {
    for (const network of ['MTN', 'Glo', 'm_9mobile', 'Airtel']) {
      const plans = await bench.provider.listPlans?.(network);
      assert.ok(plans !== undefined && plans.length > 5, network);
      assert.ok(plans.every(({ code, price }) => code !== '' && (price ?? 0n) > 0n));
    }
    assert.equal(await bench.provider.listPlans?.('constructor'), undefined);
  });

  it('sends nothing without a code, without a phone or with kobo', async () => {
    const { planCodes: _, ...uncoded } = orderOf(bench.provider, data, '2348031234567');
    const { phone: __, ...phoneless } = orderOf(bench.provider, prepaid, '45002000001');
    const kobo = { ...airtimeOrder(bench.provider, '2348031234567'), amount: 100_50n };
    for (const [order, code] of [
      [uncoded, 'no_plan_code'],
      [phoneless, 'no_phone'],
      [kobo, 'fractional_amount'],
    ] as const) {
      const answer = await bench.provider.purchase(order);
      assert.ok(answer.kind === 'failed' && answer.isUncalled, answer.kind);
      assert.equal(answer.code, code);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
  });

  it('sends the contact phone for a bill without one', async () => {
    await using own = await openClubkonnectBench({ contactPhone: '08030000000' }, {}, prepaid);
    assert.equal(own.provider.needsPhone, undefined);
    const { phone: _, ...order } = orderOf(own.provider, prepaid, await own.arrange('success'));
    assert.match(String(goodsOf(await own.provider.purchase(order)).token), /^\d{20}$/);
  });

  it('mints ids of 20 letters and digits', () => {
    assert.match(airtimeOrder(bench.provider, '2348031234567').reference, /^[0-9a-z]{20}$/);
  });

  it('answers not_sent for a purchase and unknown for a query when the connection is refused', async () => {
    // Port 1 of the loopback: nothing listens there.
    const baseUrl = 'http://127.0.0.1:1';
    await using provider = await clubkonnect
      .configure({ baseUrl, ...ACCOUNT, connectionsMax: 2, deadlineMs: 1_000, notFoundGraceMs: 0 })
      .open();
    const order = airtimeOrder(provider, '2348031234567');
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query(order)).kind, 'unknown');
    assert.equal(await provider.balance(), undefined);
  });
});
