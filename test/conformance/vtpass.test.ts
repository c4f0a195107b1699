/**
 * The VTpass connector against the simulated VTpass: the common suite, then errors that only HTTP
 * can make.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDay, nextDay, parseDay } from '../../src/core/clock.ts';
import type { Customer } from '../../src/core/products/customer.ts';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { vtpass } from '../../src/providers/vtpass/index.ts';
import type { VtpassSettings } from '../../src/providers/vtpass/settings.ts';
import { aPurchase, isBought } from '../support/a-purchase.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { until } from '../support/until.ts';
import { faultsOfProvider, unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import {
  airtime,
  airtimeOrder,
  cable,
  data,
  jamb,
  orderOf,
  postpaid,
  prepaid,
  waec,
  waecRegistration,
} from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';
import { KEYS, openVtpassBench } from './vtpass-bench.ts';

// An id belongs to a day.
await awayFromMidnight();

// They mostly wait for orders to settle.
describe('VTpass', { concurrency: 3 }, () => {
  for (const product of [airtime, data, prepaid, postpaid, cable, jamb, waec, waecRegistration]) {
    providerSuite('VTpass', product, () => openVtpassBench({}, {}, product));
  }
});

describe('VTpass over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openVtpassBench();
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    airtimeOrder(bench.provider, await bench.arrangeFault(rule));

  unclearPurchases(() => ({ bench, newOrder }), unclearReplies);
  unclearQueries(
    () => ({ bench, newOrder }),
    [
      ...['cut_before', 'error_5xx', 'broken_json', 'html_page', 'odd_reply', 'no_reply'],
      ...['stranger_record', 'unauthorized'],
    ],
  );
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'no_access']);

  it('reads a query that meets rate_limited as unknown', async () => {
    // A rate-limited client makes no calls for a while.
    await using own = await openVtpassBench();
    const recipient = await own.arrangeFault({ fault: 'rate_limited', operation: 'requery' });
    const order = airtimeOrder(own.provider, recipient);
    assert.equal((await own.provider.purchase(order)).kind, 'success');
    assert.equal((await own.provider.query(order)).kind, 'unknown');
  });

  it('a delivery that becomes visible late is first not found, then a success', async () => {
    const recipient = await bench.arrangeFault({ fault: 'late_visible', late_visible_ms: 600_000 });
    const order = airtimeOrder(bench.provider, recipient);
    assert.equal((await bench.provider.purchase(order)).kind, 'unknown');
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
    await bench.release(recipient);
    assert.equal((await bench.provider.query(order)).kind, 'success');
  });

  it('a slow answer within the deadline is an answer, one beyond it is not', async () => {
    const slow = airtimeOrder(bench.provider, await bench.arrangeFault({ fault: 'slow', delay_ms: 100 }));
    assert.equal((await bench.provider.purchase(slow)).kind, 'success');
    await using hasty = await openVtpassBench({ deadlineMs: 1_000 });
    const recipient = await hasty.arrangeFault({ fault: 'slow', hold: true });
    const late = hasty.provider.purchase(airtimeOrder(hasty.provider, recipient));
    await hasty.untilHeld(recipient);
    assert.equal((await late).kind, 'unknown');
  });
});

describe('VTpass and a caller that stops waiting', () => {
  it('answers unknown at once, while the order itself continues', async () => {
    await using bench = await openVtpassBench({ deadlineMs: 60_000 });
    const recipient = await bench.arrangeFault({ fault: 'slow', hold: true });
    const order = airtimeOrder(bench.provider, recipient);
    const caller = new AbortController();
    const answering = bench.provider.purchase(order, { signal: caller.signal });
    await bench.untilHeld(recipient);
    caller.abort();
    assert.equal((await answering).kind, 'unknown');
    await bench.release(recipient);
    await until('it is known', async () => (await bench.provider.query(order)).kind === 'success');
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  it('sends nothing for a caller that had already stopped waiting', async () => {
    await using bench = await openVtpassBench();
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const answer = await bench.provider.purchase(order, { signal: AbortSignal.abort() });
    assert.equal(answer.kind, 'not_sent');
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
  });
});

describe('VTpass: data, plans and float', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openVtpassBench({}, { OJA_SIMULATOR_BALANCE: '200.00' });
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const dataOrder = async (planCodes: ProviderOrder['planCodes']): Promise<ProviderOrder> => ({
    ...airtimeOrder(bench.provider, await bench.arrange('success')),
    product: 'data',
    ...(planCodes && { planCodes }),
  });

  it('buys a data plan and deducts its cost from the float', async () => {
    assert.deepEqual(await bench.provider.balance(), { amount: 200_00n, currency: 'NGN' });
    const order = await dataOrder({ service_id: 'mtn-data', variation_code: 'mtn-110mb-100' });
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'success', answer.message);
    assert.equal(answer.cost, 97_00n);
    assert.deepEqual(await bench.provider.balance(), { amount: 103_00n, currency: 'NGN' });
  });

  it('refuses a plan that VTpass does not have, and one without a code before anything is sent', async () => {
    const unknown = await bench.provider.purchase(
      await dataOrder({ service_id: 'mtn-data', variation_code: 'x' }),
    );
    assert.ok(unknown.kind === 'failed' && unknown.fault === 'order' && unknown.code === '010');
    const without = await bench.provider.purchase(await dataOrder(undefined));
    assert.ok(without.kind === 'failed' && without.fault === 'provider' && without.code === 'no_plan_code');
  });

  it('lists the plans of a service, and no plans for an unknown one', async () => {
    const plans = await bench.provider.listPlans?.('glo-data');
    assert.ok(plans !== undefined && plans.length > 5);
    assert.ok(plans.every((plan) => plan.code !== '' && (plan.price ?? 0n) > 0n && plan.fixed));
    assert.equal(await bench.provider.listPlans?.('no-such'), undefined);
  });

  it('fails with a provider fault when the float is too low, and serves affordable orders again', async () => {
    const dear = { ...airtimeOrder(bench.provider, await bench.arrange('success')), amount: 5_000_00n };
    const answer = await bench.provider.purchase(dear);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.code === '018');
    assert.equal(
      (
        await bench.provider.purchase(
          await dataOrder({ service_id: 'mtn-data', variation_code: 'mtn-110mb-100' }),
        )
      ).kind,
      'success',
    );
  });

  it('does not send an id of another day, which VTpass would refuse', async () => {
    const yesterday = bench.provider.mintReference(
      new Date(Date.now() - 24 * 60 * 60 * 1000),
      aPurchase,
      isBought,
    );
    const order = { ...airtimeOrder(bench.provider, await bench.arrange('success')), reference: yesterday };
    const answer = await bench.provider.purchase(order);
    assert.equal(answer.kind, 'not_sent');
    assert.equal(answer.code, 'stale_reference');
  });

  it('keeps an id of today until tomorrow, and does not send it', async () => {
    const LEFT_MS = 1_000;
    const midnight = nextDay(parseDay(formatDay(new Date())) ?? new Date()).getTime();
    await using late = await openVtpassBench({
      connectionsMax: 1,
      deadlineMs: 60_000,
      now: () => new Date(midnight - LEFT_MS),
    });
    const slow = await late.arrangeFault({ fault: 'slow', hold: true });
    const first = airtimeOrder(late.provider, slow);
    const second = airtimeOrder(late.provider, await late.arrange('success'));
    const both = Promise.all([late.provider.purchase(first), late.provider.purchase(second)]);
    await late.untilHeld(slow);
    // A call that waits for its turn may be sent until then.
    await sleep(LEFT_MS + 100);
    await late.release(slow);
    const [sent, waited] = await both;
    assert.deepEqual([sent.kind, waited.kind], ['success', 'not_sent']);
    assert.equal(await late.deliveries(second.reference), 0);
  });

  it('may repeat an order that was refused for its id, because VTpass’s day had ended', async () => {
    await using fresh = await openVtpassBench();
    const order = airtimeOrder(fresh.provider, await fresh.arrange('success'));
    const reference = `${order.reference.slice(0, 8)}9999abcd`;
    const answer = await fresh.provider.purchase({ ...order, reference });
    assert.deepEqual([answer.kind, answer.code], ['not_sent', '085']);
    assert.equal((await fresh.provider.purchase(order)).kind, 'success');
  });
});

describe('VTpass: electricity', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openVtpassBench({}, {}, prepaid);
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const meterOrder = (recipient: string, service_id = 'ikeja-electric', kind = 'prepaid'): ProviderOrder => ({
    ...orderOf(bench.provider, prepaid, recipient),
    planCodes: { service_id, variation_code: kind },
  });

  it('reads the token, units and key change tokens of every disco', async () => {
    for (const service of ELECTRICITY_SERVICES) {
      const order = meterOrder('10000000003', service);
      const sold = await bench.provider.purchase(order);
      const { token, units, kct1, kct2 } = goodsOf(sold);
      for (const digits of [token, kct1, kct2]) assert.match(String(digits), /^\d{20}$/, service);
      assert.equal(units, '9.5', service);
      assert.equal(new Set([token, kct1, kct2]).size, 3, service);
      assert.deepEqual(goodsOf(await bench.provider.query(order)), goodsOf(sold), service);
    }
  });

  it('reports a payment that was spent on debt, without a token', async () => {
    const order = meterOrder('10000000004');
    for (const answer of [await bench.provider.purchase(order), await bench.provider.query(order)]) {
      assert.equal(answer.kind, 'success');
      assert.deepEqual(goodsOf(answer), { payment_spent_on: 'debt' });
    }
  });

  it('verifies a meter for its own kind of plan only', async () => {
    const verify = (recipient: string, variation_code: string, service_id = 'ikeja-electric') =>
      bench.provider.verifyCustomer?.({
        ...prepaid.wanted,
        recipient,
        planCodes: { service_id, variation_code },
      });
    const good = await verify('10000000001', 'prepaid');
    assert.ok(good?.kind === 'verified');
    assert.equal(good.customer.meterNumber, '10000000001');
    assert.equal(good.customer.minAmount, 1_000_00n);
    assert.equal(good.customer.maxAmount, 1_000_000_00n);
    assert.equal(good.customer.meterType, 'PREPAID');
    const other = await verify('10000000001', 'prepaid', 'jos-electric');
    assert.ok(other?.kind === 'verified');
    assert.equal(other.customer.minAmount, undefined, 'a meter that reports 0 has no limit');
    assert.equal(other.customer.district, 'CENTRAL');
    assert.equal((await verify('10000000001', 'postpaid'))?.kind, 'rejected');
    assert.equal((await verify('10000000005', 'prepaid'))?.kind, 'rejected', 'cannot be vended to');
    assert.equal((await verify('12', 'prepaid'))?.kind, 'rejected');
    assert.equal((await verify('10000000001', 'prepaid', 'no-electric'))?.kind, 'unavailable');
    assert.equal(
      (await verify('10000000001', 'daily'))?.kind,
      'unavailable',
      'no such variation: nobody asked',
    );
    const owing = await verify('10000000004', 'prepaid');
    assert.ok(owing?.kind === 'verified' && owing.customer.arrears === 25_000_00n);
  });

  it('sends no order without a phone, unless a contact phone is set; others may serve it', async () => {
    const { phone: _, ...order } = meterOrder('10000000001');
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.code === 'no_phone');
    assert.equal(answer.isUncalled, true);
    assert.deepEqual([...(bench.provider.needsPhone ?? [])], ['ELECTRICITY', 'CABLE']);
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
    await using other = await openVtpassBench({ contactPhone: '2348030000001' }, {}, prepaid);
    assert.equal((await other.provider.purchase(order)).kind, 'success');
    assert.equal(other.provider.needsPhone, undefined);
  });

  it('has no plan code of ABEDC: not sent, a fault of the provider', async () => {
    const { planCodes: _, ...order } = { ...meterOrder('10000000001'), network: 'ABEDC' };
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.code === 'no_plan_code');
    assert.equal((await bench.provider.verifyCustomer?.(order))?.kind, 'unavailable');
  });
});

describe('VTpass: cable', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openVtpassBench({}, {}, cable);
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const verified = async (recipient: string, service_id: string): Promise<Customer> => {
    const query = { product: 'CABLE', network: 'any', recipient, planCodes: { service_id } };
    const answer = await bench.provider.verifyCustomer?.(query);
    assert.ok(answer?.kind === 'verified', 'verified');
    return answer.customer;
  };
  const buy = (order: Partial<ProviderOrder>): Promise<ProviderAnswer> =>
    bench.provider.purchase({ ...orderOf(bench.provider, cable, '7002000001'), ...order });

  it('verifies a smartcard for its own network only, with its bouquet and the amount due', async () => {
    const dstv = await verified('10000000010', 'dstv');
    assert.ok(dstv.currentBouquet && dstv.currentBouquetCode && dstv.renewalAmount && dstv.dueDate);
    assert.deepEqual(Object.keys(await verified('10000000030', 'startimes')), ['name']);
    const query = {
      product: 'CABLE',
      network: 'GOTV',
      recipient: '10000000010',
      planCodes: { service_id: 'gotv' },
    };
    assert.equal((await bench.provider.verifyCustomer?.(query))?.kind, 'rejected');
  });

  it('renews the present bouquet at the amount due, and changes to any other', async () => {
    const recipient = '7002000007';
    const customer = await verified(recipient, 'dstv');
    const planCodes = { service_id: 'dstv', variation_code: customer.currentBouquetCode ?? '' };
    const amount = customer.renewalAmount ?? 0n;
    // The price of this card is locked below the catalog's: a change of bouquet would have been
    // charged the catalog's price.
    const renewed = await buy({ recipient, customer, planCodes, amount });
    assert.ok(renewed.kind === 'success', renewed.message);
    assert.equal(renewed.cost, (amount * 97n + 99n) / 100n);
    const changed = await buy({ recipient, customer });
    assert.ok(changed.kind === 'success', changed.message);
    assert.equal(changed.cost, 4_268_00n);
  });

  it('changes the bouquet if another provider verified and the current one is unknown', async () => {
    const answer = await buy({ recipient: '7002000007', customer: { name: 'SOMEBODY' } });
    assert.equal(answer.kind, 'success', answer.message);
  });

  it('sends a renewal only of a renewal plan, at the amount due', async () => {
    const recipient = '7002000011';
    const customer = await verified(recipient, 'gotv');
    const planCodes = { service_id: 'gotv', subscription_type: 'renew' };
    const amount = customer.renewalAmount ?? 0n;
    assert.equal((await buy({ network: 'GOTV', recipient, customer, planCodes, amount })).kind, 'success');
    const other = await buy({ network: 'GOTV', recipient, customer, planCodes, amount: amount + 1_00n });
    assert.ok(other.kind === 'failed' && other.fault === 'order' && other.code === 'amount_due');
    // It names the amount due.
    assert.match(other.telcoMessage ?? '', /\d+\.\d\d/);
  });

  it('buys a bouquet of StarTimes, and no bouquet that VTpass does not have', async () => {
    const bouquet = { service_id: 'startimes', variation_code: 'nova' };
    const sold = await buy({ network: 'STARTIMES', amount: 1_700_00n, planCodes: bouquet });
    assert.equal(sold.kind, 'success', sold.message);
    const unknown = await buy({ planCodes: { service_id: 'dstv', variation_code: 'none' } });
    assert.ok(unknown.kind === 'failed' && unknown.fault === 'order' && unknown.code === '010');
    const without = await buy({ planCodes: { service_id: 'startimes' } });
    assert.ok(without.kind === 'failed' && without.fault === 'provider' && without.code === 'no_plan_code');
  });
});

describe('VTpass: keys', () => {
  it('refused credentials are a fault of the provider for a purchase, and unknown for a query', async () => {
    await using bench = await openVtpassBench({ secretKey: 'SK_wrong' });
    const order = airtimeOrder(bench.provider, await bench.arrange('success'));
    const purchase = plain(await bench.provider.purchase(order), ['SK_wrong', ...bench.secrets]);
    assert.ok(purchase.kind === 'failed' && purchase.fault === 'provider');
    const query = plain(await bench.provider.query(order), ['SK_wrong', ...bench.secrets]);
    assert.equal(query.kind, 'unknown');
  });

  it('removes a key that the upstream quotes back from the answer', async () => {
    const server = createServer((socket) => {
      socket.once('data', (request) => {
        const body = JSON.stringify({
          code: '011',
          response_description: `BAD REQUEST ${request.toString()}`,
        });
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    await using provider = await vtpass
      .configure({ ...unreachable(), baseUrl: `http://127.0.0.1:${portOf(server)}/` })
      .open();
    const answer = await provider.purchase(airtimeOrder(provider, '2348031234567'));
    assert.equal(answer.kind, 'failed');
    assert.match(answer.message, /\[key\]/);
    plain(answer, Object.values(KEYS));
    server.close();
  });
});

describe('VTpass: unreachable', () => {
  it('a refused connection is not_sent for a purchase and unknown for a query', async () => {
    await using provider = await vtpass.configure(unreachable()).open();
    const order = airtimeOrder(provider, '2348031234567');
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query(order)).kind, 'unknown');
    assert.equal(await provider.balance(), undefined);
    assert.equal(await provider.listPlans?.('mtn-data'), undefined);
  });

  it('the breaker opens under faults, sends nothing while open, and closes when the upstream recovers', async () => {
    await using bench = await openVtpassBench({ breaker: { window: 4, probeAfterMs: 2_000 } });
    const bad = await bench.arrangeFault({ fault: 'cut_before' });
    const good = airtimeOrder(bench.provider, await bench.arrange('success'));
    for (let calls = 0; calls < 4; calls += 1)
      await bench.provider.purchase(airtimeOrder(bench.provider, bad));
    assert.equal(bench.provider.breakerState?.(), 'open');
    const held = await bench.provider.purchase(good);
    assert.equal(held.kind, 'not_sent');
    assert.equal(await bench.deliveries(good.reference), 0);
    await sleep(2_100);
    assert.equal((await bench.provider.purchase(good)).kind, 'success');
    assert.equal(bench.provider.breakerState?.(), 'closed');
  });
});

const ELECTRICITY_SERVICES = [
  'ikeja-electric',
  'eko-electric',
  'abuja-electric',
  'kano-electric',
  'portharcourt-electric',
  'jos-electric',
  'kaduna-electric',
  'enugu-electric',
  'ibadan-electric',
  'benin-electric',
  'aba-electric',
  'yola-electric',
];

function unreachable(): VtpassSettings {
  // Port 1 of the loopback: nothing listens there.
  const baseUrl = 'http://127.0.0.1:1/vtpass/api';
  return { baseUrl, ...KEYS, connectionsMax: 2, deadlineMs: 1_000, notFoundGraceMs: 0 };
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}
