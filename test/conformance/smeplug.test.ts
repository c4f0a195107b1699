/**
 * The SMEPlug connector against the simulated SMEPlug: the common suite, then errors that only
 * SMEPlug can make.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { smeplug } from '../../src/providers/smeplug/index.ts';
import { faultsOfProvider } from './bad-line.ts';
import { airtime, airtimeOrder, data } from './products.ts';
import { type Behaviour, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';
import { KEY, openSmeplugBench } from './smeplug-bench.ts';

/** Without lost answers: an order is queried by the reference in its answer only. */
const OFFERS: ReadonlySet<Behaviour> = new Set([
  'success',
  'refused',
  'pending_then_success',
  'pending_then_failed',
] as const);

describe('SMEPlug', { concurrency: 2 }, () => {
  for (const product of [airtime, data]) {
    providerSuite('SMEPlug', product, () => openSmeplugBench({}, {}, product), OFFERS);
  }
});

describe('SMEPlug over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openSmeplugBench();
  });
  after(() => bench[Symbol.asyncDispose]());

  const purchase = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.purchase(order), bench.secrets);
  const query = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.query(order), bench.secrets);

  for (const fault of [
    'cut_before',
    'error_5xx',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'timeout',
    'bare_refusal',
  ]) {
    for (const delivered of fault === 'cut_before' ? [false] : [false, true]) {
      it(`${fault}${delivered ? ' after delivery' : ''} leaves the purchase unknown permanently`, async () => {
        const order = airtimeOrder(bench.provider, await bench.arrangeFault({ fault, delivered }));
        const answer = await purchase(order);
        assert.equal(answer.kind, 'unknown', answer.message);
        assert.equal((await query(order)).kind, 'unknown');
        assert.equal(await bench.deliveries(order.reference), delivered ? 1 : 0);
      });
    }
  }

  it('leaves a purchase unknown whose answer was lost after delivery', async () => {
    const order = airtimeOrder(bench.provider, await bench.arrange('lost_after_delivery'));
    assert.equal((await purchase(order)).kind, 'unknown');
    const unqueried = await query(order);
    assert.equal(unqueried.code, 'no_reference');
    // So our balance may decide it.
    assert.ok(unqueried.kind === 'unknown' && unqueried.isUnqueryable);
    assert.equal(bench.provider.balanceProves, 'either');
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  for (const fault of [
    'cut_before',
    'error_5xx',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'stranger_record',
    'unauthorized',
    'bare_refusal',
  ]) {
    it(`a query that meets ${fault} leaves the order unknown`, async () => {
      const order = airtimeOrder(bench.provider, await bench.arrangeFault({ fault, operation: 'requery' }));
      const { providerId } = await purchase(order);
      assert.ok(providerId !== undefined);
      const answer = await query({ ...order, providerId });
      assert.equal(answer.kind, 'unknown', answer.message);
    });
  }

  it('leaves an order unknown that SMEPlug does not find by its own reference', async () => {
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    assert.equal((await query({ ...order, providerId: 'no-such' })).kind, 'unknown');
  });

  faultsOfProvider(
    () => ({
      bench,
      newOrder: async (rule) => airtimeOrder(bench.provider, await bench.arrangeFault(rule)),
    }),
    ['float_out', 'no_access', 'unauthorized'],
  );

  it('shows a success that was reversed', async () => {
    const recipient = await bench.arrangeFault({ fault: 'reversed_later', settle_ms: 600_000 });
    const order = airtimeOrder(bench.provider, recipient);
    const bought = await purchase(order);
    assert.ok(bought.kind === 'success' && bought.providerId !== undefined);
    await bench.release(recipient);
    const answer = await query({ ...order, providerId: bought.providerId });
    assert.deepEqual([bench.provider.takesBack, answer.kind], [true, 'failed']);
  });

  it('lists the plans of a network id, and no plans for an unknown one', async () => {
    for (const id of ['1', '2', '3', '4']) {
      const plans = await bench.provider.listPlans?.(id);
      assert.ok(plans !== undefined && plans.length > 5, id);
      assert.ok(plans.every(({ code, price }) => code !== '' && (price ?? 0n) > 0n));
    }
    assert.equal(await bench.provider.listPlans?.('constructor'), undefined);
  });

  it('sends nothing without a code or with kobo', async () => {
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    for (const [changed, code] of [
      [{ ...order, product: 'data' }, 'no_plan_code'],
      [{ ...order, amount: 100_50n }, 'fractional_amount'],
    ] as const) {
      const answer = await bench.provider.purchase(changed);
      assert.ok(answer.kind === 'failed' && answer.isUncalled, answer.kind);
      assert.equal(answer.code, code);
    }
    assert.equal(await bench.deliveries(order.reference), 0);
  });
});

describe('SMEPlug: ids of networks', () => {
  const GOOD = { 1: 'MTN', 2: 'AIRTEL', 3: '9MOBILE', 4: 'GLO' };

  /** An upstream with this list, which counts its sales. */
  async function openUpstream(
    networks: unknown,
  ): Promise<{ server: Server; url: string; sold: () => number }> {
    let sold = 0;
    const server = createServer((request, response) => {
      if (request.method === 'POST') sold += 1;
      const bought = { status: true, data: { reference: 'own-1', current_status: 'success', msg: 'done' } };
      response.end(JSON.stringify(request.url === '/networks' ? { status: true, networks } : bought));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { server, url: `http://127.0.0.1:${port}`, sold: () => sold };
  }

  async function buyFrom(networks: unknown): Promise<readonly [ProviderAnswer, number]> {
    const { server, url, sold } = await openUpstream(networks);
    await using provider = await smeplug
      .configure({ baseUrl: url, secretKey: KEY, connectionsMax: 2, deadlineMs: 1_000, notFoundGraceMs: 0 })
      .open();
    const answer = await provider.purchase(airtimeOrder(provider, '2348031234567'));
    server.close();
    server.closeAllConnections();
    return [answer, sold()];
  }

  it('sells when the list agrees or is unreadable', async () => {
    for (const networks of [GOOD, undefined, 'none', {}, [{ id: 1, name: 'MTN' }]]) {
      const [answer, sold] = await buyFrom(networks);
      assert.deepEqual([answer.kind, sold], ['success', 1]);
    }
  });

  it('sends nothing when the list differs', async () => {
    for (const networks of [
      { ...GOOD, 2: 'GLO', 4: 'AIRTEL' },
      [{ id: '2', name: 'Glo' }],
      { 1: { name: 'Etisalat' } },
    ]) {
      const [answer, sold] = await buyFrom(networks);
      assert.ok(answer.kind === 'failed' && answer.isUncalled && answer.fault === 'provider', answer.kind);
      assert.deepEqual([answer.code, sold], ['networks_differ', 0]);
    }
  });

  it('answers not_sent for a purchase when the connection is refused', async () => {
    // Port 1 of the loopback: nothing listens there.
    await using provider = await smeplug
      .configure({
        baseUrl: 'http://127.0.0.1:1',
        secretKey: KEY,
        connectionsMax: 2,
        deadlineMs: 1_000,
        notFoundGraceMs: 0,
      })
      .open();
    const order = airtimeOrder(provider, '2348031234567');
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query({ ...order, providerId: 'own-1' })).kind, 'unknown');
    assert.equal(await provider.balance(), undefined);
  });
});
