/** A sync purchase at a slow provider: the answer at the deadline, and clients that disconnect. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import {
  airtime,
  airtimeSync,
  assertRefused,
  data,
  dataSync,
  eventually,
  newNumber,
  openGatewayUnderTest,
  statusOf,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { deliveriesTo, misbehave, release, untilHeld } from '../e2e/provider.ts';
import { openShop, type Shop } from '../e2e/shop.ts';
import type { Answer } from '../support/gateway.ts';

// Own gateway: a shorter deadline.
const gateway = await openGatewayUnderTest({ settings: { OJA_SYNC_DEADLINE_S: '30' } });

function assertUnsettled(answer: Answer, reference: unknown): void {
  assertRefused(answer, 500, { reason: 'outcome_unknown' });
  const { internal_reference, ...rest } = answer.body.data;
  assert.match(internal_reference, /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, { request_id: reference, status: 'pending', response_code: '02' });
}

describe('at the sync deadline', { concurrency: true }, () => {
  for (const [path, body] of [
    [airtimeSync, airtime],
    [dataSync, data],
  ] as const) {
    it(`${path} is 500, the purchase stays pending, and ends in the background`, async () => {
      const shop = await openShop(gateway, { balance: 100_000n });
      const msisdn = newNumber();
      await misbehave(gateway, { fault: 'slow', recipient: msisdn, hold: true });
      const order = body({ merchant: shop.code, msisdn });
      const answer = await gateway.call('POST', path, { as: shop.live, body: order });
      assertUnsettled(answer, order.request_ref);
      await untilHeld(gateway, msisdn);
      const pending = await statusOf(gateway, order.request_ref, shop.live);
      assert.deepEqual(
        [pending.body.code, pending.body.payload.internal_reference],
        ['02', answer.body.data.internal_reference],
      );
      assert.equal((await walletOf(gateway, shop.live)).held, '100.00');
      assertRefused(await gateway.call('POST', path, { as: shop.live, body: order }), 422, 'request_ref');
      await release(gateway, msisdn);
      assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '00');
      assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
      assert.deepEqual(await walletOf(gateway, shop.live), {
        balance: '900.00',
        held: '0.00',
        available: '900.00',
      });
    });
  }

  it('a purchase that is still unknown is 500 too, never 02, and is queried until its outcome is known', async () => {
    const shop = await openShop(gateway);
    const msisdn = newNumber();
    await misbehave(
      gateway,
      { fault: 'cut_after', recipient: msisdn },
      { fault: 'slow', recipient: msisdn, operation: 'requery', hold: true },
    );
    const order = airtime({ merchant: shop.code, msisdn });
    assertUnsettled(
      await gateway.call('POST', airtimeSync, { as: shop.live, body: order }),
      order.request_ref,
    );
    await release(gateway, msisdn);
    assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '00');
    assert.equal((await deliveriesTo(gateway, msisdn)).length, 1);
  });

  it('returns the money of a purchase that fails later', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const order = airtime({ merchant: shop.code, msisdn });
    assertUnsettled(
      await gateway.call('POST', airtimeSync, { as: shop.live, body: order }),
      order.request_ref,
    );
    await release(gateway, msisdn);
    assert.equal((await untilFinal(gateway, order.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '0.00',
      available: '1000.00',
    });
  });

  it('a purchase that ends in time is answered with its outcome', async () => {
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'slow', recipient: msisdn, hold: true });
    const answering = gateway.call('POST', airtimeSync, { as: 'live', body: airtime({ msisdn }) });
    await untilHeld(gateway, msisdn);
    await release(gateway, msisdn);
    const answer = await answering;
    assert.equal(answer.body.response_code, '00');
  });
});

describe('a client that hangs up', { concurrency: true }, () => {
  async function assertOneDebit(
    shop: Shop,
    order: Record<string, unknown>,
    as: 'test' | 'live',
  ): Promise<void> {
    const final = await untilFinal(gateway, order.request_ref, shop[as]);
    assert.equal(final.body.code, '00');
    assertRefused(await gateway.call('POST', airtimeSync, { as: shop[as], body: order }), 422);
    assert.equal((await deliveriesTo(gateway, order.msisdn)).length, as === 'live' ? 1 : 0);
    assert.equal((await walletOf(gateway, shop[as])).balance, '900.00');
  }

  for (const [as, msisdn] of [
    ['live', newNumber()],
    ['test', '08000000002'],
  ] as const) {
    it(`a disconnect while the provider works changes nothing: one ${as} purchase, one debit`, async () => {
      const shop = await openShop(gateway, { balance: 100_000n });
      await misbehave(gateway, { fault: 'slow', recipient: msisdn, hold: true });
      const order = airtime({ merchant: shop.code, msisdn });
      const socket = await send(shop[as], order);
      await eventually('it is stored', async () =>
        (await statusOf(gateway, order.request_ref, shop[as])).status === 200 ? true : undefined,
      );
      assert.equal((await statusOf(gateway, order.request_ref, shop[as])).body.code, '02');
      socket.resetAndDestroy();
      await release(gateway, msisdn);
      await assertOneDebit(shop, order, as);
    });
  }

  for (const how of ['end', 'destroy'] as const) {
    it(`a disconnect before the answer buys once or not at all, and permits sending again: ${how}`, async () => {
      const shop = await openShop(gateway, { balance: 100_000n });
      const order = airtime({ merchant: shop.code, msisdn: newNumber() });
      (await send(shop.live, order))[how]();
      // The first one is stored. The other gets a duplicate error.
      const again = await gateway.call('POST', airtimeSync, { as: shop.live, body: order });
      assert.ok(again.status === 200 || again.status === 422, again.text);
      await assertOneDebit(shop, order, 'live');
    });
  }
});

/** Sends a purchase; the answer is left to the caller. */
async function send(pair: { readonly key: string; readonly secret: string }, order: object): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const body = JSON.stringify(order);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  await new Promise<void>((resolve) => {
    socket.write(
      `POST ${airtimeSync} HTTP/1.1\r\nhost: x\r\nx-merchant-key: ${pair.key}\r\n` +
        `x-merchant-secret: ${pair.secret}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      () => resolve(),
    );
  });
  return socket;
}
