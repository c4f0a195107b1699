/**
 * GET /v1/transactions/status: three names of one key, envelope B, and whose purchases it finds.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Answer } from '../support/gateway.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  data,
  dataSync,
  merchantId,
  newReference,
  openSharedGateway,
  statusOf,
  untilFinal,
} from './gateway-under-test.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const statusPath = '/v1/transactions/status';
const local = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

function look(query: string): Promise<Answer> {
  return gateway.call('GET', `${statusPath}${query}`);
}

/** `YYYY-MM-DD HH:MM:SS` in Lagos, which is an hour ahead of UTC the year round. */
function lagosMs(text: string): number {
  assert.match(text, local);
  return Date.parse(`${text.replace(' ', 'T')}+01:00`);
}

/** The answer with its times checked and removed. */
function settled(answer: Answer): { payload: Record<string, unknown>; [key: string]: unknown } {
  assert.equal(answer.status, 200, answer.text);
  const { created_at, updated_at, ...payload } = answer.body.payload;
  assert.ok(Math.abs(lagosMs(created_at) - Date.now()) < 60_000, created_at);
  assert.ok(lagosMs(updated_at) >= lagosMs(created_at), updated_at);
  const { message, ...told } = answer.body;
  assert.ok(message.length > 0);
  return { ...told, payload };
}

describe('the status of a purchase', () => {
  it('returns a success, field by field', async () => {
    const body = data({ msisdn: '+2348031234567', plan_code: 'MTN-2', amount: '200' });
    const created = await gateway.call('POST', dataSync, { body });
    assert.deepEqual(settled(await statusOf(gateway, body.request_ref)), {
      state: 'success',
      code: '00',
      payload: {
        internal_reference: created.body.data.internal_reference,
        msisdn: '+2348031234567',
        product: 'data',
        request_id: body.request_ref,
        network: 'MTN',
        amount: '200.00',
        plan: 'MTN-2',
        plan_code: 'MTN-2',
        merchant_id: merchantId(),
        merchant_name: 'Demo Merchant',
        telco_message: 'Data plan activated for 2348031234567',
      },
    });
  });

  it('returns a failure', async () => {
    const body = airtime({ msisdn: '08000000001' });
    await gateway.call('POST', airtimeSync, { body });
    const answer = settled(await statusOf(gateway, body.request_ref));
    assert.deepEqual([answer.state, answer.code], ['failed', '01']);
    assert.equal(answer.payload.reason, 'provider_refused');
    assert.equal(answer.payload.request_id, body.request_ref);
  });

  it('returns a pending purchase, then the final one: updated_at moves on, created_at does not', async () => {
    const body = airtime({ msisdn: '08000000002' });
    await gateway.call('POST', airtimeAsync, { body });
    const pending = await statusOf(gateway, body.request_ref);
    const answer = settled(pending);
    assert.deepEqual([answer.state, answer.code, answer.payload.reason], ['pending', '02', undefined]);
    assert.equal(answer.payload.telco_message, undefined);
    const final = await untilFinal(gateway, body.request_ref);
    assert.equal(settled(final).state, 'success');
    assert.equal(final.body.payload.created_at, pending.body.payload.created_at);
    assert.ok(lagosMs(final.body.payload.updated_at) > lagosMs(pending.body.payload.updated_at));
  });

  it('finds a purchase by each of the three keys, whatever name it was created under', async () => {
    const { request_ref, ...rest } = airtime();
    await gateway.call('POST', airtimeSync, { body: { ...rest, client_request_id: request_ref } });
    const [first, ...others] = await Promise.all(
      ['request_ref', 'request_id', 'client_request_id'].map((key) => look(`?${key}=${request_ref}`)),
    );
    assert.ok(first);
    assert.equal(first.status, 200, first.text);
    for (const other of others) assert.deepEqual(other.body, first.body);
  });

  it('finds a reference of any characters', async () => {
    const body = airtime({ request_ref: 'a b&c=d/é?#%+ọjà' });
    await gateway.call('POST', airtimeSync, { body });
    assert.equal((await statusOf(gateway, body.request_ref)).body.payload?.request_id, body.request_ref);
  });
});

describe('a status query', () => {
  it('refuses a query without a key with 400', async () => {
    for (const query of ['', '?', '?reference=x', '?request_reference=x']) {
      const answer = await look(query);
      assertRefused(answer, 400, { reason: 'reference_not_single' });
    }
  });

  it('refuses several keys with 400, also when they agree', async () => {
    const body = airtime();
    await gateway.call('POST', airtimeSync, { body });
    const key = body.request_ref;
    assertRefused(await look(`?request_ref=${key}&request_id=${key}`), 400);
    assertRefused(await look(`?request_id=${key}&client_request_id=${newReference()}`), 400);
    assertRefused(await look(`?request_ref=${key}&request_ref=${key}`), 400, 'request_ref');
    assert.equal((await look(`?request_ref=${key}`)).status, 200);
  });

  it('refuses an empty, overlong or unprintable key with 400', async () => {
    // An empty value counts as absent, and one key is needed.
    assertRefused(await look('?request_id='), 400);
    for (const key of ['x'.repeat(101), '%00', 'a%0Ab', '%20x']) {
      assertRefused(await look(`?request_id=${key}`), 400, 'request_id');
    }
    for (const key of ['%ff', '%zz', '%ED%A0%80']) {
      assertRefused(await look(`?request_ref=${key}`), 400);
    }
  });

  it('answers an unknown reference with 404', async () => {
    assertRefused(await statusOf(gateway, newReference()), 404);
    assertRefused(await statusOf(gateway, "' or 1=1 --"), 404);
  });

  it('reads its key from the query, never from the path', async () => {
    assertRefused(await gateway.call('GET', `${statusPath}/x`), 404);
  });

  it('finds the purchases of its own merchant and environment only', async () => {
    const shop = await openShop(gateway);
    const body = airtime();
    await gateway.call('POST', airtimeSync, { body });
    assertRefused(await statusOf(gateway, body.request_ref, 'live'), 404);
    assertRefused(await statusOf(gateway, body.request_ref, shop.test), 404);
    assert.equal((await statusOf(gateway, body.request_ref, 'test')).status, 200);
  });

  it('finds a purchase by its reference, not by our own id', async () => {
    const created = await gateway.call('POST', airtimeSync, { body: airtime() });
    assertRefused(await statusOf(gateway, created.body.data.internal_reference), 404);
  });
});
