/**
 * The promises of SECURITY.md for every route that buys: one reference buys once, and a wallet pays
 * no more than it has. The routes are read from the document of the API.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderProducts } from '../../src/core/products/product.ts';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import { readDocument } from '../support/api-document.ts';
import {
  airtime,
  assertRefused,
  data,
  eventually,
  merchantCode,
  newReference,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { cardOrders, esimOrders } from './goods.ts';
import { openShop } from './shop.ts';

const gateway = await openSharedGateway();
const { paths } = await readDocument();

/** A route that can refuse a reference as used is a route that buys. */
const buying = Object.entries(paths as Record<string, Record<string, unknown>>)
  .filter(([, { post }]) => JSON.stringify(post ?? {}).includes('reference_used'))
  .map(([path]) => path);

/** A valid purchase by each route, for the merchant with the code. */
const bodies: Readonly<Record<string, (code: string) => Record<string, unknown>>> = {
  '/v1/transactions': (merchant) => airtime({ merchant, product: 'airtime' }),
  '/v1/transactions/airtime/sync': (merchant) => airtime({ merchant }),
  '/v1/transactions/airtime/async': (merchant) => airtime({ merchant }),
  '/v1/transactions/data/sync': (merchant) => data({ merchant }),
  '/v1/transactions/data/async': (merchant) => data({ merchant }),
  [cardOrders]: () => ({ request_id: newReference(), plan_id: 300002 }),
  [esimOrders]: () => ({ request_id: newReference(), plan_id: 'NG-1GB-7D' }),
};

/** A voucher pays, not a wallet: `vouchers.test.ts` tests that a code is redeemed once. */
const paidByVoucher = ['/v1/giftcards/redeem'];

const spent = async (as = gateway.credentials.test) => (await walletOf(gateway, as)).balance;

/** The balance once no money is held. */
async function settled(): Promise<string> {
  return await eventually('nothing is pending', async () => {
    const { balance, available } = await walletOf(gateway, gateway.credentials.test);
    return balance === available ? balance : undefined;
  });
}

describe('every route that buys', () => {
  it('every route that buys is tested here', () => {
    assert.deepEqual(buying.toSorted(), [...Object.keys(bodies), ...paidByVoucher].toSorted());
  });

  for (const [path, bodyFor] of Object.entries(bodies)) {
    it(`buys once under one reference, also at the same time: ${path}`, async () => {
      const body = bodyFor(merchantCode());
      const before = Number(await settled());
      const send = () => gateway.call('POST', path, { body });
      const together = await Promise.all([send(), send(), send()]);
      const served = together.filter(({ status }) => status === 200);
      assert.equal(served.length, 1, together.map(({ text }) => text).join('\n'));
      for (const one of together) {
        if (one.status !== 200) assertRefused(one, 422, { reason: 'reference_used' });
      }
      const once = Number(await settled());
      assert.ok(once < before, 'the first was paid');
      assertRefused(await send(), 422, { reason: 'reference_used' });
      assert.equal(Number(await settled()), once);
    });

    it(`buys nothing that the wallet cannot pay: ${path}`, async () => {
      const poor = await openShop(gateway, { balance: 100n });
      for (const product of orderProducts) {
        const change = { merchantCode: poor.code, environment: 'test', product, enabled: true } as const;
        await gateway.database.transaction((tx) => setProduct(tx, change, 'test'));
      }
      const answer = await eventually('its products are enabled', async () => {
        const tried = await gateway.call('POST', path, { as: poor.test, body: bodyFor(poor.code) });
        return tried.status === 403 ? undefined : tried;
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.response_code, '01', answer.text);
      assert.equal(answer.body.data.reason, 'insufficient_funds', answer.text);
      assert.equal(await spent(poor.test), '1.00');
    });
  }
});
