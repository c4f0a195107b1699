/**
 * A provider that is slow, failing or rate-limited, with more async purchases than it accepts: a
 * purchase fails only by the provider's answer, and other providers are not delayed. The rate limit
 * of one process is for the proof: pressure-limits.test.ts has one of two.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { setRoute } from '../../src/catalog/routes/route-store.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  eventually,
  newNumber,
  openGatewayUnderTest,
} from '../e2e/gateway-under-test.ts';
import { release } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import { itInProof } from '../support/budget.ts';
import type { Gateway } from '../support/gateway.ts';

/** The number of calls to a provider; these tests have their own gateways. */
async function rule(gateway: Gateway, ...rules: readonly object[]): Promise<void> {
  const answer = await request(`${gateway.simulatorUrl}/faults`, {
    method: 'PUT',
    body: JSON.stringify({ rules }),
  });
  assert.equal(answer.statusCode, 200, await answer.body.text());
}

/** Returns the numbers for which it bought. */
async function buyMany(gateway: Gateway, shop: Shop, count: number): Promise<readonly string[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const msisdn = newNumber();
      const body = airtime({ merchant: shop.code, msisdn });
      const answer = await gateway.call('POST', airtimeAsync, { as: shop.live, body });
      assert.equal(answer.status, 200, answer.text);
      return msisdn;
    }),
  );
}

type Counts = { readonly pending: number; readonly success: number; readonly failed: number };

async function countOf(gateway: Gateway, shop: Shop): Promise<Counts> {
  const [row] = await gateway.database.query<Counts>(
    `select
       count(*) filter (where o.status is null)::integer as pending,
       count(*) filter (where o.status = 'success')::integer as success,
       count(*) filter (where o.status = 'failed')::integer as failed
     from purchases v
     left join purchase_outcomes o on o.merchant_id = v.merchant_id and o.purchase_id = v.id
     where v.merchant_id = $1
     and v.environment = 'live'`,
    [shop.id],
  );
  assert.ok(row);
  return row;
}

/** How many purchases of one merchant ended after the last one of another. */
async function countEndedAfter(gateway: Gateway, shop: Shop, other: Shop): Promise<number> {
  const [row] = await gateway.database.query<{ later: number }>(
    `select count(*)::integer as later
     from purchase_outcomes
     where merchant_id = $1
     and at > (select max(at) from purchase_outcomes where merchant_id = $2)`,
    [shop.id, other.id],
  );
  assert.ok(row);
  return row.later;
}

/** It does not wait for earlier purchases, many of which are still pending when it is final. */
async function assertTestPurchaseIsQuick(gateway: Gateway, shop: Shop): Promise<void> {
  const body = airtime({ merchant: shop.code, msisdn: newNumber() });
  const answer = await gateway.call('POST', airtimeSync, { as: shop.test, body });
  assert.equal(answer.body.response_code ?? answer.body.code, '00', answer.text);
  const queued = airtime({ merchant: shop.code, msisdn: newNumber() });
  await gateway.call('POST', airtimeAsync, { as: shop.test, body: queued });
  await eventually('the test purchase is final', async () => {
    const rows = await gateway.database.query(
      `select from pending_purchases where merchant_id = $1 and environment = 'test'`,
      [shop.id],
    );
    return rows.length === 0 ? true : undefined;
  });
  const { pending } = await countOf(gateway, shop);
  assert.ok(pending > 50, `only ${pending} are pending`);
}

async function untilNonePending(gateway: Gateway, shop: Shop): Promise<Counts> {
  return await eventually('none is pending', async () => {
    const counts = await countOf(gateway, shop);
    return counts.pending === 0 ? counts : undefined;
  });
}

describe('a healthy provider that is slow', () => {
  it('gets all purchases at its capacity, and test purchases do not wait for them', async () => {
    const gateway = await openGatewayUnderTest({ settings: { OJA_TIME_SCALE: '1' } });
    const shop = await openShop(gateway, { balance: 100_000_000n });
    const other = await openShop(gateway, { balance: 100_000_000n });
    const slow = { fault: 'slow', provider: 'vtpass', operation: 'pay', delay_ms: 100 };
    await rule(gateway, { ...slow, hold: true });
    const upload = await buyMany(gateway, shop, 300);
    await assertTestPurchaseIsQuick(gateway, shop);
    // Merchants take turns: a few purchases of another merchant do not wait for the whole upload.
    const few = await buyMany(gateway, other, 5);
    for (const msisdn of [...few, ...upload]) await release(gateway, msisdn);
    await untilNonePending(gateway, other);
    assert.deepEqual(await untilNonePending(gateway, shop), { pending: 0, success: 300, failed: 0 });
    const later = await countEndedAfter(gateway, shop, other);
    assert.ok(later > 50, `only ${later} of the upload ended after the other merchant's`);
  });
});

describe('a provider that is sick for some seconds', () => {
  it('fails no purchase except those that were sent to it meanwhile', async () => {
    const gateway = await openGatewayUnderTest({ settings: { OJA_TIME_SCALE: '1' } });
    const shop = await openShop(gateway, { balance: 100_000_000n });
    await rule(gateway, { fault: 'error_5xx', provider: 'vtpass', operation: 'pay', delivered: false });
    await buyMany(gateway, shop, 300);
    await sleep(4_000);
    await assertTestPurchaseIsQuick(gateway, shop);
    await rule(gateway);
    const { failed, success } = await untilNonePending(gateway, shop);
    const [row] = await gateway.database.query<{ sent: number }>(
      `select count(distinct purchase_id)::integer as sent
       from provider_answers
       where merchant_id = $1
       and source = 'purchase'
       and kind = 'unknown'`,
      [shop.id],
    );
    assert.ok(row);
    assert.equal(success + failed, 300);
    // Those orders never arrived.
    assert.equal(failed, row.sent);
    assert.ok(failed < 100, `${failed} failed`);
  });
});

describe('a provider with a rate limit', () => {
  itInProof('gets purchases at its pace, and none fails', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'oja-pressure-'));
    const simulator = await startSimulator(readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: dir }));
    after(async () => {
      await simulator.close();
      await rm(dir, { recursive: true });
    });
    const gateway = await openGatewayUnderTest({
      simulatorUrl: simulator.url,
      settings: {
        OJA_TIME_SCALE: '1',
        OJA_NOMBA_BASE_URL: `${simulator.url}/nomba`,
        OJA_NOMBA_ACCOUNT_ID: '00000000-0000-4000-8000-00000000a001',
        OJA_NOMBA_CLIENT_ID: '00000000-0000-4000-8000-00000000c001',
        OJA_NOMBA_CLIENT_SECRET: 'simulator-client-secret-0123456789abcdefghij',
      },
    });
    const shop = await openShop(gateway, { balance: 100_000_000n });
    const route = { environment: 'live', product: 'airtime', network: 'MTN', providers: ['nomba'] } as const;
    await gateway.database.transaction((tx) => setRoute(tx, route));
    await sleep(500);
    const startedAt = performance.now();
    await buyMany(gateway, shop, 120);
    await assertTestPurchaseIsQuick(gateway, shop);
    await rule(gateway, { fault: 'rate_limited', provider: 'nomba', operation: 'pay', times: 1 });
    assert.deepEqual(await untilNonePending(gateway, shop), { pending: 0, success: 120, failed: 0 });
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > (120 / 15) * 1_000 - 1_000, `${tookMs} ms`);
  });
});
