/**
 * GET /v1/wallet/balance: posted, held and available money, during and after pending purchases; and
 * credit lines.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeWallet } from '../support/change-wallet.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  assertRefused,
  eventually,
  newNumber,
  openSharedGateway,
  statusOf,
  untilFinal,
  walletOf,
} from './gateway-under-test.ts';
import { misbehave, release, settle } from './provider.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const balancePath = '/v1/wallet/balance';

describe('the wallet balance', { concurrency: true }, () => {
  it('returns every field', async () => {
    const shop = await openShop(gateway, { balance: 123_456n });
    const answer = await gateway.call('GET', balancePath, { as: shop.live });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      state: 'ok',
      result: {
        merchant_id: shop.id,
        currency: 'NGN',
        balance: '1234.56',
        billing_mode: 'prepaid',
        credit_floor: '0.00',
        held: '0.00',
        available: '1234.56',
      },
    });
    assert.deepEqual(
      (await gateway.call('GET', `${balancePath}?currency=NGN`, { as: shop.live })).body,
      answer.body,
    );
  });

  it('shows the credential’s own environment', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    await gateway.call('POST', airtimeSync, { as: shop.test, body: airtime({ merchant: shop.code }) });
    assert.equal((await walletOf(gateway, shop.test)).balance, '900.00');
    assert.equal((await walletOf(gateway, shop.live)).balance, '1000.00');
  });

  it('shows a pending purchase as held, and posts it when it succeeds', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const body = airtime({ merchant: shop.code, msisdn, amount: '300' });
    await gateway.call('POST', airtimeAsync, { as: shop.live, body });
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '300.00',
      available: '700.00',
    });
    await settle(gateway, msisdn);
    assert.equal((await untilFinal(gateway, body.request_ref, shop.live)).body.code, '00');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '700.00',
      held: '0.00',
      available: '700.00',
    });
  });

  it('returns the whole hold of a failed purchase', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_failed', recipient: msisdn, settle_ms: 600_000 });
    const body = airtime({ merchant: shop.code, msisdn, amount: '300' });
    await gateway.call('POST', airtimeAsync, { as: shop.live, body });
    assert.equal((await walletOf(gateway, shop.live)).held, '300.00');
    await settle(gateway, msisdn);
    assert.equal((await untilFinal(gateway, body.request_ref, shop.live)).body.code, '01');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '1000.00',
      held: '0.00',
      available: '1000.00',
    });
  });

  it('cannot be spent twice: a held amount is not available', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(gateway, { fault: 'pending_then_success', recipient: msisdn, settle_ms: 600_000 });
    const first = airtime({ merchant: shop.code, msisdn, amount: '700' });
    await gateway.call('POST', airtimeAsync, { as: shop.live, body: first });
    const second = airtime({ merchant: shop.code, amount: '300.01' });
    const refused = await gateway.call('POST', airtimeSync, { as: shop.live, body: second });
    assert.equal(refused.body.response_code, '01');
    assert.equal(refused.body.data.reason, 'insufficient_funds');
    const third = airtime({ merchant: shop.code, amount: '300' });
    const sold = await gateway.call('POST', airtimeSync, { as: shop.live, body: third });
    assert.equal(sold.body.response_code, '00');
    await settle(gateway, msisdn);
    await untilFinal(gateway, first.request_ref, shop.live);
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '0.00',
      held: '0.00',
      available: '0.00',
    });
  });

  it('a currency without a wallet is 404, an unknown one 400', async () => {
    for (const currency of ['USD', 'EUR', 'GBP', 'CAD', 'AED']) {
      assertRefused(await gateway.call('GET', `${balancePath}?currency=${currency}`), 404);
    }
    for (const currency of ['', 'ngn', 'NGN']) {
      assert.equal((await gateway.call('GET', `${balancePath}?currency=${currency}`)).status, 200, currency);
    }
    for (const currency of ['XYZ', 'N', '%00', 'NGN%20']) {
      assertRefused(await gateway.call('GET', `${balancePath}?currency=${currency}`), 400, 'currency');
    }
  });
});

describe('a credit line', () => {
  it('makes a wallet postpaid, and can be spent down to its floor', async () => {
    const shop = await openShop(gateway, { balance: 10_000n });
    const [wallet] = await gateway.database.query<{ id: bigint }>(
      "select account_id as id from wallets where merchant_id = $1 and environment = 'test'",
      [shop.id],
    );
    assert.ok(wallet);
    await changeWallet(gateway.database, wallet.id, { floor: -20_000n });
    const answer = await gateway.call('GET', balancePath, { as: shop.test });
    assert.deepEqual(answer.body.result, {
      merchant_id: shop.id,
      currency: 'NGN',
      balance: '100.00',
      billing_mode: 'postpaid',
      credit_floor: '-200.00',
      held: '0.00',
      available: '300.00',
    });
    const buy = async (amount: string): Promise<string> => {
      const body = airtime({ merchant: shop.code, amount });
      return (await gateway.call('POST', airtimeSync, { as: shop.test, body })).body.response_code;
    };
    assert.equal(await buy('250'), '00');
    assert.equal(await buy('50.01'), '01');
    assert.equal(await buy('50'), '00');
    const { balance, available } = await walletOf(gateway, shop.test);
    assert.deepEqual([balance, available], ['-200.00', '0.00']);
  });
});

describe('a purchase while the provider is silent', () => {
  it('keeps the hold until the provider answers', async () => {
    const shop = await openShop(gateway, { balance: 100_000n });
    const msisdn = newNumber();
    await misbehave(
      gateway,
      { fault: 'cut_after', recipient: msisdn },
      { fault: 'slow', recipient: msisdn, operation: 'requery', hold: true },
    );
    const body = airtime({ merchant: shop.code, msisdn });
    await gateway.call('POST', airtimeAsync, { as: shop.live, body });
    await eventually('the answer is lost', async () => {
      const rows = await gateway.database.query(
        `select 1 from provider_answers where kind = 'unknown' and merchant_id = $1`,
        [shop.id],
      );
      return rows.length > 0 ? true : undefined;
    });
    assert.equal((await statusOf(gateway, body.request_ref, shop.live)).body.code, '02');
    assert.equal((await walletOf(gateway, shop.live)).held, '100.00');
    await release(gateway, msisdn);
    assert.equal((await untilFinal(gateway, body.request_ref, shop.live)).body.code, '00');
    assert.deepEqual(await walletOf(gateway, shop.live), {
      balance: '900.00',
      held: '0.00',
      available: '900.00',
    });
  });
});
