/**
 * Refusals of an order before the database or a provider is queried: its price, channel, profile
 * and route.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRate } from '../../../src/catalog/fx-rate.ts';
import type { Environment } from '../../../src/core/environment.ts';
import { GatewayError } from '../../../src/core/errors.ts';
import type { RequestFault } from '../../../src/core/request-fault.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import type { Destination } from '../../../src/notifications/messages/destination.ts';
import { sandbox as definition } from '../../../src/providers/sandbox/index.ts';
import type { OrderRequest } from '../../../src/purchases/orders/order.ts';
import { type OrderJudge, priceOrder } from '../../../src/purchases/orders/price-order.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';
import { aGiftCard } from '../../support/goods.ts';
import { noGuards } from '../../support/no-guards.ts';

const sandbox = await definition.configure({ notFoundGraceMs: 1_000 }).open();
const rate = parseRate('1500');
assert.ok(rate !== undefined);

const judge: OrderJudge = {
  catalog: {
    fxRate: (currency) =>
      currency === 'USD' ? { currency, rateMicro: rate, marginBasisPoints: 200 } : undefined,
  },
  routes: fixedRoutes(() => ['sandbox']),
  providers: new Map([[sandbox.name, sandbox]]),
  guards: noGuards,
  liveChannels: ['email'],
};

const plan = aGiftCard({ providerCodes: { sandbox: {} } });

function principalOf(environment: Environment, products = ['GIFTCARD']): Principal {
  const merchant = {
    id: 1,
    code: 'SHOP',
    name: 'Shop',
    suspended: false,
    products: new Set(products),
    prices: [],
    wallets: new Map([['NGN', 7n] as const]),
  };
  return { credentialId: 'c', environment, merchant, rateLimitPerS: undefined };
}

function orderOf(change: Partial<Extract<OrderRequest, { product: 'GIFTCARD' }>> = {}): OrderRequest {
  return {
    principal: principalOf('live'),
    reference: 'gift-1',
    product: 'GIFTCARD',
    plan,
    quantity: 2,
    faceValue: undefined,
    destination: undefined,
    ...change,
  };
}

function refusal(order: OrderRequest): readonly RequestFault[] {
  try {
    priceOrder(judge, order);
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error.faults;
  }
  throw new Error('it was not refused');
}

const by = (channel: Destination['channel']): Destination => ({ channel, address: 'somewhere' });

describe('an order', () => {
  it('charges the quote for each card with rate and margin, and keeps the cost without', () => {
    const judged = priceOrder(judge, orderOf());
    assert.equal(judged.charge, 2n * 25n * 1_530_00n);
    assert.equal(judged.request.faceValue, judged.charge);
    assert.equal(judged.details?.cost, String(2n * 25n * 1_500_00n));
    assert.deepEqual(judged.details?.item, { quantity: 2, unitPrice: '2500', currency: 'USD' });
    assert.deepEqual(judged.route, ['sandbox']);
  });

  it('refuses a currency without a rate', () => {
    assert.deepEqual(refusal(orderOf({ plan: { ...plan, currency: 'GBP' } })), [
      { code: 'no_exchange_rate', currency: 'GBP' },
    ]);
  });

  it('refuses a product that is not enabled', () => {
    assert.deepEqual(refusal(orderOf({ principal: principalOf('live', []) })), [
      { code: 'product_not_enabled', product: 'GIFTCARD' },
    ]);
  });

  it('accepts a configured channel, or any for test credentials', () => {
    const live = priceOrder(judge, orderOf({ destination: by('email') }));
    const test = priceOrder(judge, orderOf({ destination: by('whatsapp'), principal: principalOf('test') }));
    assert.deepEqual([live.route, test.route], [['sandbox'], ['sandbox']]);
  });

  it('refuses a channel that is not configured, and lists those that are', () => {
    assert.deepEqual(refusal(orderOf({ destination: by('sms') })), [
      { code: 'channel_not_offered', channel: 'sms', offered: ['email'] },
    ]);
  });
});
