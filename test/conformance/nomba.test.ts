/**
 * The Nomba connector against the simulated Nomba: the common suite, then errors that only Nomba
 * can make.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { nomba } from '../../src/providers/nomba/index.ts';
import type { NombaSettings } from '../../src/providers/nomba/settings.ts';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { until } from '../support/until.ts';
import { faultsOfProvider, unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import { ACCOUNT, openNombaBench } from './nomba-bench.ts';
import { airtime, airtimeOrder, betting, cable, data, orderOf, postpaid, prepaid } from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';

// They mostly wait for orders to settle.
describe('Nomba', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable, betting]) {
    providerSuite('Nomba', product, () => openNombaBench({}, {}, product));
  }
});

describe('Nomba with a sub-account', () => {
  for (const product of [airtime, data, prepaid, cable, betting]) {
    it(`sells ${product.name} and finds it again`, async () => {
      await using bench = await openNombaBench({ subAccountId: 'sub-1' }, {}, product);
      const order = orderOf(bench.provider, product, await bench.arrange('success'));
      assert.equal((await bench.provider.purchase(order)).kind, bench.acceptsFirst ? 'accepted' : 'success');
      assert.equal((await bench.provider.query(order)).kind, 'success');
      assert.ok((await bench.provider.balance()) !== undefined);
      await using parent = await nomba.configure({ ...unreachable(), baseUrl: `${bench.url}/nomba` }).open();
      assert.equal((await parent.query(order)).kind, 'not_found', 'the parent account has no such order');
    });
  }
});

describe('Nomba over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openNombaBench({}, {}, prepaid);
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    orderOf(bench.provider, prepaid, await bench.arrangeFault(rule));

  unclearPurchases(() => ({ bench, newOrder }), unclearReplies);
  unclearQueries(
    () => ({ bench, newOrder }),
    [...['cut_before', 'error_5xx', 'broken_json', 'html_page', 'odd_reply', 'no_reply'], 'rate_limited'],
  );
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'no_access']);

  it('a query answered with a stranger’s record is unknown', async () => {
    const order = await newOrder({ fault: 'stranger_record', operation: 'requery' });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const answer = await bench.provider.query(order);
    assert.equal(answer.kind, 'unknown');
    assert.equal(answer.code, 'other_order');
  });

  it('a query about an order of another amount is unknown', async () => {
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const answer = await bench.provider.query({ ...order, amount: order.amount + 1_00n });
    assert.equal(answer.kind, 'unknown');
    assert.equal(answer.code, 'other_amount');
  });

  it('a success of another amount is a delivery that only a person can settle', async () => {
    const order = await newOrder({ fault: 'other_amount' });
    const answer = plain(await bench.provider.purchase(order), bench.secrets);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
    assert.equal(answer.code, 'other_amount');
    const asked = await newOrder({ fault: 'other_amount', operation: 'requery' });
    assert.equal((await bench.provider.purchase(asked)).kind, 'success');
    const told = await bench.provider.query(asked);
    assert.ok(told.kind === 'unknown' && told.delivered, told.kind);
  });

  it('reports an unknown token for a success that only a query returned', async () => {
    const order = await newOrder({ fault: 'cut_after' });
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    const answer = await bench.provider.query(order);
    assert.equal(answer.kind, 'success');
    assert.deepEqual(goodsOf(answer), {});
  });

  it('too many calls are not executed, and so not sent', async () => {
    const order = await newOrder({ fault: 'rate_limited' });
    assert.equal((await bench.provider.purchase(order)).kind, 'not_sent');
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('a biller that is down leaves the order unknown', async () => {
    const order = await newOrder({ fault: 'biller_down' });
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    const recipient = await bench.arrangeFault({ fault: 'biller_down', operation: 'verify' });
    assert.equal((await bench.provider.verifyCustomer?.({ ...order, recipient }))?.kind, 'unavailable');
  });

  it('refuses a wrong kind of meter, a bouquet of another network, and an unknown customer', async () => {
    for (const [product, recipient] of [
      [prepaid, '10000000002'],
      [cable, '10000000020'],
      [betting, 'PUNTER99000'],
    ] as const) {
      const answer = await bench.provider.purchase(orderOf(bench.provider, product, recipient));
      assert.ok(answer.kind === 'failed' && answer.fault === 'order', answer.message);
      assert.ok(answer.telcoMessage);
    }
  });
});

describe('Nomba’s refusals', () => {
  const bought = async (
    bench: ConnectorBench,
    rule: Record<string, unknown>,
  ): Promise<{ order: ProviderOrder; answer: ProviderAnswer }> => {
    const order = orderOf(bench.provider, prepaid, await bench.arrangeFault(rule));
    return { order, answer: plain(await bench.provider.purchase(order), bench.secrets) };
  };

  it('a refused order that was executed is no failure', async () => {
    await using bench = await openNombaBench({}, {}, prepaid);
    const { order, answer } = await bought(bench, { fault: 'bare_refusal', delivered: true });
    assert.equal(answer.kind, 'success', answer.message);
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  it('looks up a refused order once, and fails it when it is not found', async () => {
    await using bench = await openNombaBench({}, {}, prepaid);
    const { order, answer } = await bought(bench, { fault: 'bare_refusal' });
    assert.ok(answer.kind === 'failed' && answer.fault === 'order', answer.kind);
    assert.equal(answer.telcoMessage, 'Request failed.');
    assert.equal(await bench.deliveries(order.reference), 0);
  });

  it('a refusal that cannot be looked up is unknown', async () => {
    for (const fault of ['bare_refusal', 'float_out', 'no_access']) {
      await using bench = await openNombaBench({}, {}, prepaid);
      await bench.addRule({ fault: 'error_5xx', operation: 'requery', times: 1 });
      const { order, answer } = await bought(bench, { fault });
      assert.equal(answer.kind, 'unknown', fault);
      const refusal = { code: answer.code, message: answer.message, ageMs: 60_000 };
      const asked = await bench.provider.query({ ...order, refusal });
      assert.ok(asked.kind === 'failed', asked.message);
      assert.equal(asked.fault, fault === 'bare_refusal' ? 'order' : 'provider');
      assert.equal(asked.telcoMessage, fault === 'bare_refusal' ? 'Request failed.' : undefined);
    }
  });

  it('believes a refusal only after its grace', async () => {
    await using bench = await openNombaBench({ refusalGraceMs: 30_000 }, {}, prepaid);
    const { order, answer } = await bought(bench, { fault: 'bare_refusal' });
    assert.equal(answer.kind, 'unknown');
    const asked = async (ageMs: number): Promise<string> => {
      const refusal = { code: answer.code, message: answer.message, ageMs };
      return (await bench.provider.query({ ...order, refusal })).kind;
    };
    assert.equal(await asked(29_000), 'not_found');
    assert.equal(await asked(30_000), 'failed');
    const float = await bought(bench, { fault: 'float_out' });
    assert.ok(float.answer.kind === 'failed' && float.answer.fault === 'provider', 'another may serve it');
  });
});

describe('Nomba’s plans', () => {
  it('reads meter kinds in any letter case, and returns their token', async () => {
    await using bench = await openNombaBench({}, {}, prepaid);
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    const shouted = { ...order, planCodes: { disco: 'ikedc', meter_type: 'PREPAID' } };
    assert.match(String(goodsOf(await bench.provider.purchase(shouted)).token), /^\d{20}$/);
  });
});

describe('Nomba: unsupported queries', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openNombaBench({}, {}, prepaid);
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const refusedUnsent = async (order: ProviderOrder, code: string): Promise<void> => {
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.code === code, answer.code);
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
  };

  it('refuses kobo in the amount of a bill, and sends them for airtime', async () => {
    for (const product of [prepaid, cable, betting]) {
      const order = { ...orderOf(bench.provider, product, await bench.arrange('success')), amount: 500_50n };
      await refusedUnsent(order, 'fractional_amount');
    }
    const call = { ...orderOf(bench.provider, airtime, '2348030000001'), amount: 100_50n };
    assert.equal((await bench.provider.purchase(call)).kind, 'accepted');
    const answer = await bench.provider.query(call);
    assert.ok(answer.kind === 'success' && answer.cost === 100_50n);
  });

  it('sends no plan without a code, and no bet without a phone', async () => {
    for (const product of [data, prepaid, cable, betting]) {
      const { planCodes: _, ...order } = orderOf(bench.provider, product, await bench.arrange('success'));
      await refusedUnsent(order, 'no_plan_code');
      if (product !== data) assert.equal((await bench.provider.verifyCustomer?.(order))?.kind, 'unavailable');
    }
    const { phone: _, ...bet } = orderOf(bench.provider, betting, 'PUNTER1');
    await refusedUnsent(bet, 'no_phone');
  });

  it('lists data plans, and none of an unknown network', async () => {
    const plans = await bench.provider.listPlans?.('mtn');
    assert.ok(plans !== undefined && plans.length > 5);
    assert.ok(plans.every((plan) => plan.code !== '' && plan.name !== '' && (plan.price ?? 0n) > 0n));
    assert.equal(await bench.provider.listPlans?.('nobody'), undefined);
  });

  it('deducts what it sold from the float', async () => {
    const before = await bench.provider.balance();
    const order = orderOf(bench.provider, prepaid, await bench.arrange('success'));
    await bench.provider.purchase(order);
    const after = await bench.provider.balance();
    assert.deepEqual(before, { amount: (after?.amount ?? 0n) + order.amount, currency: 'NGN' });
  });
});

describe('Nomba: its access token', () => {
  it('fetches one token for all waiting calls', async () => {
    await using bench = await openNombaBench({ connectionsMax: 32 });
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 200 });
    const recipients = await Promise.all(Array.from({ length: 20 }, () => bench.arrange('success')));
    const answers = await Promise.all(
      recipients.map((recipient) => bench.provider.purchase(airtimeOrder(bench.provider, recipient))),
    );
    assert.ok(answers.every((answer) => answer.kind === 'accepted'));
    assert.deepEqual(await bench.hits(), [1]);
  });

  it('renews a refused token once, and repeats every call under its reference', async () => {
    await using bench = await openNombaBench({ connectionsMax: 32 });
    const newOrder = async (): Promise<ProviderOrder> =>
      airtimeOrder(bench.provider, await bench.arrange('success'));
    await bench.provider.purchase(await newOrder());
    // The first call to arrive has all tokens revoked.
    await bench.addRule({ fault: 'unauthorized', times: 1 });
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 100 });
    const orders = await Promise.all(Array.from({ length: 10 }, newOrder));
    const answers = await Promise.all(orders.map((order) => bench.provider.purchase(order)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.kind))], ['accepted']);
    for (const order of orders) assert.equal(await bench.deliveries(order.reference), 1);
    assert.deepEqual(await bench.hits(), [1, 1]);
  });

  it('a token refused again is a fault of the provider: our access is off', async () => {
    await using bench = await openNombaBench();
    const order = airtimeOrder(bench.provider, await bench.arrangeFault({ fault: 'unauthorized' }));
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
    assert.equal(await bench.deliveries(order.reference), 0);
    assert.equal((await bench.hits())[0], 2, 'tried twice and no more');
    const asked = await bench.arrangeFault({ fault: 'unauthorized', operation: 'requery' });
    const other = airtimeOrder(bench.provider, asked);
    assert.equal((await bench.provider.purchase(other)).kind, 'accepted');
    assert.equal((await bench.provider.query(other)).kind, 'unknown', 'it refused the question only');
  });

  it('renews an expired token without a visible effect on a purchase', async () => {
    let now = Date.now();
    await using bench = await openNombaBench({ now: () => new Date(now) });
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 0 });
    const purchase = async (): Promise<void> => {
      const order = airtimeOrder(bench.provider, await bench.arrange('success'));
      assert.equal((await bench.provider.purchase(order)).kind, 'accepted');
    };
    await purchase();
    now += 24 * 60_000;
    await purchase();
    assert.deepEqual(await bench.hits(), [1], 'good for 25 minutes');
    now += 2 * 60_000;
    await purchase();
    await until('it is renewed beside the call', async () => (await bench.hits())[0] !== 1);
    now += 40 * 60_000;
    await purchase();
    assert.deepEqual(await bench.hits(), [3]);
  });

  it('without a token the order is not sent; a refused log-in is a fault of the provider', async () => {
    for (const fault of ['error_5xx', 'cut_before', 'html_page', 'odd_reply', 'refused'] as const) {
      await using bench = await openNombaBench();
      await bench.addRule({ fault, operation: 'token' });
      const order = airtimeOrder(bench.provider, await bench.arrange('success'));
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      if (fault === 'refused' || fault === 'odd_reply') {
        assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
      } else {
        assert.equal(answer.kind, 'not_sent', answer.message);
      }
      assert.equal((await bench.provider.query(order)).kind, 'unknown');
      assert.equal((await bench.provider.verifyCustomer?.(betOn('1')))?.kind, 'unavailable');
      assert.equal(await bench.provider.balance(), undefined);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
  });

  it('waits for a token no longer than the deadline', async () => {
    await using bench = await openNombaBench({ deadlineMs: 1_000 });
    await bench.addRule({ fault: 'slow', operation: 'token', hold: true });
    const answer = await bench.provider.purchase(
      airtimeOrder(bench.provider, await bench.arrange('success')),
    );
    assert.equal(answer.kind, 'not_sent');
  });

  it('does not send an order whose token arrived too late', async () => {
    await using bench = await openNombaBench();
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 300 });
    const late = airtimeOrder(bench.provider, await bench.arrange('success'));
    const held = await bench.provider.purchase(late, { sendWithinMs: 100 });
    assert.equal(held.kind, 'not_sent');
    assert.equal((await bench.provider.query(late)).kind, 'not_found');
  });

  it('removes a token that the upstream quotes back from the answer', async () => {
    const token = 'a-token-that-must-not-be-shown';
    const server = createServer((request, response) => {
      const isIssue = request.url === '/v1/auth/token/issue';
      const granted = {
        access_token: token,
        refresh_token: 'another-one',
        expiresAt: '2099-01-01T00:00:00Z',
      };
      const quoted = `bad header ${request.headers.authorization}`;
      const refused = { code: request.method === 'GET' ? '404' : '400', description: quoted };
      response.end(JSON.stringify(isIssue ? { code: '00', data: granted } : refused));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    await using provider = await nomba
      .configure({ ...unreachable(), baseUrl: `http://127.0.0.1:${address.port}` })
      .open();
    const answer = plain(await provider.purchase(airtimeOrder(provider, '2348031234567')), [token]);
    assert.equal(answer.kind, 'failed');
    assert.match(answer.message, /\[key\]/);
    server.close();
    server.closeAllConnections();
  });
});

describe('Nomba: unreachable', () => {
  it('a refused connection is not_sent for a purchase and unknown for a query', async () => {
    await using provider = await nomba.configure(unreachable()).open();
    const order = airtimeOrder(provider, '2348031234567');
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query(order)).kind, 'unknown');
    assert.equal((await provider.verifyCustomer?.(betOn('ABC')))?.kind, 'unavailable');
    assert.equal(await provider.balance(), undefined);
    assert.equal(await provider.listPlans?.('mtn'), undefined);
  });

  it('sends nothing for a caller that had already stopped waiting', async () => {
    await using bench = await openNombaBench();
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    assert.equal((await bench.provider.purchase(order, { signal: AbortSignal.abort() })).kind, 'not_sent');
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
  });
});

function betOn(recipient: string): Parameters<NonNullable<ConnectorBench['provider']['verifyCustomer']>>[0] {
  return { product: 'BETTING', network: 'BET9JA', recipient, planCodes: { betting_provider: 'bet9ja' } };
}

function unreachable(): NombaSettings {
  return {
    // Port 1 of the loopback: nothing listens there.
    baseUrl: 'http://127.0.0.1:1/nomba',
    ...ACCOUNT,
    businessName: 'Oja',
    perSecond: 15,
    connectionsMax: 2,
    deadlineMs: 1_000,
    notFoundGraceMs: 0,
  };
}
