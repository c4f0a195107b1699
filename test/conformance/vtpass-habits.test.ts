/**
 * Observed habits of the real VTpass, each once, and the connector's reading of it over HTTP. The
 * spellings of goods, one by one, are in test/providers/vtpass/bills.test.ts.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderAnswer, ProviderOrder } from '../../src/providers/provider.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { airtimeOrder, orderOf, prepaid } from './products.ts';
import { goodsOf, plain } from './provider-suite.ts';
import type { ConnectorBench } from './simulator-bench.ts';
import { openVtpassBench } from './vtpass-bench.ts';

// An id belongs to a day.
await awayFromMidnight();

describe('VTpass as observed', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openVtpassBench({}, { OJA_SIMULATOR_NEAR_DUPLICATES: 'on' });
  });
  after(() => bench[Symbol.asyncDispose]());

  const purchase = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.purchase(order), bench.secrets);
  const query = async (order: ProviderOrder): Promise<ProviderAnswer> =>
    plain(await bench.provider.query(order), bench.secrets);
  const meterOrder = (recipient: string, service_id: string): ProviderOrder => ({
    ...orderOf(bench.provider, prepaid, recipient),
    planCodes: { service_id, variation_code: 'prepaid' },
  });

  it('refuses a likely duplicate, also when that order is queried: another provider may serve it', async () => {
    const recipient = await bench.arrange('success');
    const [first, second] = [
      airtimeOrder(bench.provider, recipient),
      airtimeOrder(bench.provider, recipient),
    ];
    assert.equal((await purchase(first)).kind, 'success');
    assert.equal((await purchase(second)).kind, 'unknown');
    const answer = await query(second);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.message);
    assert.equal((await query(first)).kind, 'success');
    assert.equal(await bench.deliveries(second.reference), 0);
  });

  it('calls a pending order 000 as well as 099', async () => {
    const codes = new Set<string>();
    for (let customers = 0; customers < 2; customers += 1) {
      const answer = await purchase(
        airtimeOrder(bench.provider, await bench.arrangeFault({ fault: 'pending_then_success' })),
      );
      assert.equal(answer.kind, 'accepted');
      codes.add(answer.code);
    }
    assert.deepEqual([...codes].toSorted(), ['000', '099']);
  });

  it('reports 083 as HTTP 500, delivered or not', async () => {
    for (const delivered of [false, true]) {
      const order = airtimeOrder(
        bench.provider,
        await bench.arrangeFault({ fault: 'system_error', delivered }),
      );
      assert.equal((await purchase(order)).kind, 'unknown');
      assert.equal((await query(order)).kind, delivered ? 'success' : 'not_found');
    }
  });

  it('leaves a delivery of another amount to a person, in every answer', async () => {
    for (const operation of ['pay', 'requery']) {
      const order = airtimeOrder(
        bench.provider,
        await bench.arrangeFault({ fault: 'other_amount', operation }),
      );
      const answers = [await purchase(order), await query(order)];
      const odd = answers[operation === 'pay' ? 0 : 1];
      assert.ok(odd?.kind === 'unknown' && odd.delivered);
      assert.equal(odd.code, 'other_amount');
    }
  });

  it('reverses a success, and reports it only to queries', async () => {
    const recipient = await bench.arrangeFault({ fault: 'reversed_later', settle_ms: 100 });
    const order = airtimeOrder(bench.provider, recipient);
    assert.equal((await purchase(order)).kind, 'success');
    assert.equal(bench.provider.takesBack, true);
    const deadline = Date.now() + 60_000;
    let answer = await query(order);
    while (answer.kind === 'success' && Date.now() < deadline) {
      await sleep(20);
      answer = await query(order);
    }
    assert.deepEqual([answer.kind, answer.code], ['failed', '040']);
  });

  it('adds a bonus token at Eko, as a field and in a text', async () => {
    for (const meter of ['45002000012', '45002000013']) {
      const order = meterOrder(meter, 'eko-electric');
      const { token, bonus_token, units } = goodsOf(await purchase(order));
      assert.match(`${token} ${bonus_token}`, /^\d{20} \d{20}$/);
      assert.notEqual(token, bonus_token);
      assert.ok(units);
    }
  });

  it('returns the goods of Port Harcourt in extras when queried', async () => {
    const order = meterOrder('45002000014', 'portharcourt-electric');
    const goods = goodsOf(await purchase(order));
    assert.ok(goods.token);
    assert.deepEqual(goodsOf(await query(order)), goods);
  });

  it('writes "null" for a token of Kano that is still owed', async () => {
    const recipient = '45002000015';
    await bench.addRule({ fault: 'pending_fulfilments', recipient, fulfilment_ms: 60_000 });
    const answer = await purchase(meterOrder(recipient, 'kano-electric'));
    assert.equal(answer.kind, 'success');
    assert.deepEqual(goodsOf(answer), {});
  });

  it('has no name for a meter of Jos, and sells to it', async () => {
    const order = meterOrder('45002000017', 'jos-electric');
    const verified = await bench.provider.verifyCustomer?.(order);
    assert.ok(verified?.kind === 'verified');
    assert.deepEqual([verified.customer.name, verified.customer.address], ['', undefined]);
    assert.match(String(goodsOf(await purchase(order)).token), /^\d{20}$/);
  });
});
