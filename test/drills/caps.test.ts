/**
 * Spend caps of a credential: a purchase that would exceed one is stored as failed and not sent,
 * for every product, and two gateways together never exceed a day's cap.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rotateCredential } from '../../src/merchants/operations/rotate-credential.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { forgetOldSpending } from '../../src/merchants/spending-store.ts';
import {
  airtime,
  airtimeAsync,
  airtimeSync,
  anyProduct,
  assertAudited,
  newReference,
  openSharedGateway,
  statusOf,
  untilFinal,
  walletOf,
} from '../e2e/gateway-under-test.ts';
import { issueKey, openShop, pepperOf } from '../e2e/shop.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { startGateway } from '../support/gateway.ts';

const gateway = await openSharedGateway();
await awayFromMidnight();
const { database } = gateway;
const shop = await openShop(gateway);

/** A number of test credentials that is refused by the provider. */
const refusedNumber = '08000000001';

function capped(purchaseCap?: bigint, dailyCap?: bigint, environment: 'test' | 'live' = 'test') {
  const spending = { purchaseCap, dailyCap, mcpPurchases: false };
  return issueKey(gateway, shop.code, { environment, spending });
}

async function spentBy(key: string): Promise<bigint> {
  const [row] = await database.query<{ spent: bigint }>(
    'select coalesce(sum(spent), 0)::bigint as spent from credential_spending where key_id = $1',
    [key],
  );
  return row?.spent ?? assert.fail();
}

describe('a purchase above a cap', () => {
  for (const path of [airtimeSync, airtimeAsync]) {
    it(`a purchase above a cap fails at once on ${path}, names the cap, and uses its reference`, async () => {
      const as = await capped(10_000n, 25_000n);
      const before = await walletOf(gateway, as);
      const buy = (amount: string, more: object = {}) =>
        gateway.call('POST', path, { as, body: airtime({ merchant: shop.code, amount, ...more }) });
      const request_ref = newReference();
      const large = await buy('100.01', { request_ref });
      assert.equal(large.status, 200, large.text);
      assert.equal(large.body.response_code, '01');
      assert.equal(large.body.data.reason, 'over_purchase_cap');
      assert.ok(large.body.response_message.includes('100.00'));
      const { body: status } = await statusOf(gateway, request_ref, as);
      assert.equal(status.payload.reason, 'over_purchase_cap');
      assert.equal(status.message, large.body.response_message);
      const again = await buy('50.00', { request_ref });
      assert.equal(again.status, 422, again.text);
      assert.equal(await spentBy(as.key), 0n);

      for (const amount of ['100.00', '100.00']) {
        assert.notEqual((await buy(amount)).body.response_code, '01');
      }
      const last = await buy('50.01');
      assert.equal(last.body.data.reason, 'over_daily_cap');
      assert.match(last.body.response_message, /\b50\.00\b.*\b250\.00\b/);
      assert.notEqual((await buy('50.00')).body.response_code, '01');
      assert.equal((await buy('50.00')).body.response_code, '01');
      assert.equal(await spentBy(as.key), 25_000n);
      const { available } = await walletOf(gateway, as);
      assert.equal(Number(before.available) - Number(available), 250);
    });
  }

  it('a cap counts the charge to the wallet, for any product', async () => {
    const as = await capped(undefined, 200_000n);
    for (const product of ['ELECTRICITY', 'GIFTCARD', 'ESIM'] as const) {
      const change = { merchantCode: shop.code, environment: 'test', product, enabled: true } as const;
      await database.transaction((tx) => setProduct(tx, change, 'test'));
    }
    const meter = {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      plan_code: '2001',
      msisdn: '10000000001',
    };
    const bill = await gateway.call('POST', anyProduct, {
      as,
      body: airtime({ merchant: shop.code, amount: '1000.00', ...meter }),
    });
    assert.equal(bill.body.response_code, '00', bill.text);
    assert.equal(await spentBy(as.key), 100_000n);
    const orders = [
      { path: '/v1/giftcards/orders', plan_id: 300002 },
      { path: '/v1/esim/orders', plan_id: 'NG-1GB-7D' },
    ];
    for (const { path, plan_id } of orders) {
      const order = await gateway.call('POST', path, { as, body: { request_id: newReference(), plan_id } });
      assert.equal(order.status, 200, order.text);
      assert.equal(order.body.response_code, '01', order.text);
      assert.equal(order.body.data.reason, 'over_daily_cap');
      assert.match(order.body.response_message, /\b1000\.00\b.*\b2000\.00\b/);
      const found = await gateway.call('GET', `${path}/${order.body.data.request_id}`, { as });
      assert.equal(found.body.response_message, order.body.response_message);
    }
    assert.equal(await spentBy(as.key), 100_000n);
  });

  it('a cap does not count failed purchases', async () => {
    const as = await capped(undefined, 20_000n);
    const body = (msisdn: string) => airtime({ merchant: shop.code, amount: '200.00', msisdn });
    const refused = body(refusedNumber);
    const answer = await gateway.call('POST', airtimeSync, { as, body: refused });
    assert.equal(answer.body.response_code, '01', answer.text);
    assert.equal(answer.body.data.reason, 'provider_refused');
    assert.equal(await spentBy(as.key), 0n);
    const bought = await gateway.call('POST', airtimeSync, { as, body: body('08031234567') });
    assert.equal(bought.body.response_code, '00', bought.text);
    assert.equal(await spentBy(as.key), 20_000n);
  });
});

describe('the sum of a day', () => {
  it('racing purchases through two gateways never exceed the daily cap', async () => {
    await using other = await startGateway({
      databaseUrl: gateway.databaseUrl,
      simulatorUrl: gateway.simulatorUrl,
      dataDir: gateway.dataDir,
    });
    const as = await capped(10_000n, 100_000n, 'live');
    const uncapped = shop.live;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? gateway : other).call('POST', airtimeAsync, {
          as: index % 4 === 3 ? uncapped : as,
          body: airtime({ merchant: shop.code, amount: '100.00' }),
        }),
      ),
    );
    const taken = answers.filter(({ body }) => body.response_code === '02');
    assert.equal(taken.length, 20, 'ten within the cap, and all ten without one');
    // One after the other, because lookups of one merchant that wait for long are refused.
    for (const { body } of taken) await untilFinal(gateway, body.data.request_id, as);
    assert.equal(await spentBy(as.key), 100_000n);
    await assertAudited(database);
  });

  it('the daily sum continues under the credential that replaces one', async () => {
    const as = await capped(undefined, 30_000n);
    const buy = (pair: typeof as) =>
      gateway.call('POST', airtimeSync, {
        as: pair,
        body: airtime({ merchant: shop.code, amount: '200.00' }),
      });
    assert.equal((await buy(as)).body.response_code, '00');
    const now = new Date();
    const order = { keyId: as.key, oldEndsAt: new Date(now.getTime() + 3_600_000), now };
    const pepper = await pepperOf(gateway);
    const { credential, secret } = await database.transaction((tx) =>
      rotateCredential(tx, pepper, order, 'test'),
    );
    const next = { key: credential.key_id, secret };
    const over = (await buy(next)).body;
    assert.equal(over.data.reason, 'over_daily_cap');
    assert.match(over.response_message, /\b100\.00\b.*\b300\.00\b/);
    assert.equal(await spentBy(as.key), 20_000n);
    assert.equal(await spentBy(next.key), 0n);
  });

  it('the daily sum restarts each day, and old days are deleted', async () => {
    const as = await capped(undefined, 10_000n);
    const buy = async () =>
      (await gateway.call('POST', airtimeSync, { as, body: airtime({ merchant: shop.code }) })).body
        .response_code;
    assert.deepEqual([await buy(), await buy()], ['00', '01']);
    const move = (days: number) =>
      database.query(
        `with moved as (update capped_purchases set day = day - ${days} where key_id = $1)
         update credential_spending set day = day - ${days} where key_id = $1`,
        [as.key],
      );
    await move(1);
    assert.deepEqual([await buy(), await buy()], ['00', '01']);
    assert.equal(await spentBy(as.key), 20_000n);
    await forgetOldSpending(database);
    assert.equal(await spentBy(as.key), 20_000n);
    await move(3);
    await forgetOldSpending(database);
    assert.equal(await spentBy(as.key), 10_000n);
    await assertAudited(database);
  });
});
