/** A sync purchase whose provider is slow: what its caller is told at the deadline, what a caller who goes away changes. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import type { Answer } from '../support/gateway.ts';
import {
  airtime,
  airtimeSync,
  assertRefused,
  data,
  dataSync,
  eventually,
  newNumber,
  openDoor,
  statusOf,
  untilFinal,
  walletOf,
} from './door.ts';
import { deliveriesTo, misbehave } from './provider.ts';
import { openShop } from './shop.ts';

const gateway = await openDoor({ settings: { OJA_SYNC_DEADLINE_S: '1' } });

function assertUnsettled(answer: Answer, reference: unknown): void {
  assertRefused(answer, 500);
  assert.match(answer.body.message, /query the status/i);
  const { internal_reference, ...rest } = answer.body.data;
  assert.match(internal_reference, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { request_id: reference, status: 'pending', response_code: '02' });
}

describe('at the sync deadline', { concurrency: true }, () => {
  for (const [path, body] of [
    [airtimeSync, airtime],
    [dataSync, data],
  ] as const) {
    it(`${path} is 500, the vend stays pending, and ends in the background`, async () => {
      const shop = await openShop(gateway, { balance: 100_000n });
      const msisdn = newNumber();
      await misbehave(gateway, { fault: 'slow', recipient: msisdn, delay_ms: 2_500 });
      const order = body({ merchant: shop.code, msisdn });
      const startedAt = performance.now();
      const answer = await gateway.call('POST', path, { as: shop.live, body: order });
      const tookMs = performance.now() - startedAt;
      assertUnsettled(answer, order.request_ref);
      assert.ok(tookMs >= 950 && tookMs < 2_400, `answered after ${tookMs} ms`);
      const pending = await statusOf(gateway, order.request_ref, shop.live);
      assert.deepEqual(
        [pending.body.code, pending.body.payload.internal_reference],
        ['02', answer.body.data.internal_reference],
      );
      assert.equal((await walletOf(gateway, shop.live)).held, '100.00');
      assertRefused(await gateway.call('POST', path, { as: shop.live, body: order }), 422, 'request_ref');
      assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '00');
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
      assert.deepEqual(await walletOf(gateway, shop.live), {
        balance: '900.00',
        held: '0.00',
        available: '900.00',
      });
    });
  }

  it('a vend that is still unknown is 500 too, never 02, and is asked about until it is known', async () => {
    const shop = await openShop(gateway);
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'cut_after', recipient: msisdn });
    const order = airtime({ merchant: shop.code, msisdn });
    assertUnsettled(
      await gateway.call('POST', airtimeSync, { as: shop.live, body: order }),
      order.request_ref,
    );
    assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '00');
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
  });

  it('one that fails later gives its money back', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 1_500 });
    const order = airtime({ merchant: shop.code, msisdn });
    assertUnsettled(
      await gateway.call('POST', airtimeSync, { as: shop.live, body: order }),
      order.request_ref,
    );
    assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '0.00',
      available: '1000.00',
    });
  });

  it('one that is quick enough is answered with its outcome', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'slow', recipient: msisdn, delay_ms: 300 });
    const answer = await gateway.call('POST', airtimeSync, { as: 'live', body: airtime({ msisdn }) });
    assert.equal(answer.body.response_code, '00');
  });
});

describe('a caller that hangs up', { concurrency: true }, () => {
  for (const [what, environment, afterMs] of [
    ['at once', 'test', 0],
    ['at once', 'live', 0],
    ['while the provider works', 'live', 400],
  ] as const) {
    it(`${what} changes nothing: one ${environment} purchase, one debit`, async () => {
      const shop = await openShop(gateway, { balance: 100_000n });
      const msisdn = newNumber();
      await misbehave(gateway, { fault: 'slow', recipient: msisdn, delay_ms: 800 });
      const order = airtime({ merchant: shop.code, msisdn });
      await hangUp(shop[environment], order, afterMs);
      const status = await eventually('the purchase is there', async () => {
        const answer = await statusOf(gateway, order.request_ref, shop[environment]);
        return answer.status === 200 ? answer : undefined;
      });
      const final = await untilFinal(gateway, order.request_ref, shop[environment]);
      assert.equal(final.body.code, '00');
      assert.equal(final.body.payload.internal_reference, status.body.payload.internal_reference);
      assertRefused(await gateway.call('POST', airtimeSync, { as: shop[environment], body: order }), 422);
      assert.equal((await deliveriesTo(gateway, msisdn)).length, environment === 'live' ? 1 : 0);
      assert.equal((await walletOf(gateway, shop[environment])).balance, '900.00');
    });
  }
});

/** Sends a purchase and destroys the connection, `afterMs` after the last byte has left. */
function hangUp(
  pair: { readonly key: string; readonly secret: string },
  order: object,
  afterMs: number,
): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const body = JSON.stringify(order);
  const request =
    `POST ${airtimeSync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${pair.key}\r\nx-merchant-secret: ${pair.secret}\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(request, () =>
        setTimeout(() => (afterMs === 0 ? socket.end() : socket.resetAndDestroy()), afterMs),
      );
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.resume();
  });
}
