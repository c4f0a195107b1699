/**
 * How often a provider is asked whether a card can be had: together, once in a while, and again at
 * once when it cannot say.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GiftCardPlan } from '../../../src/catalog/gift-card-plan.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import type { AvailabilityAnswer, Provider } from '../../../src/providers/provider.ts';
import { sandbox as definition } from '../../../src/providers/sandbox/index.ts';
import { createAvailabilityCheck } from '../../../src/vending/orders/check-availability.ts';
import { refusedFor } from '../../support/refusals.ts';

const plan: GiftCardPlan = {
  ...{ planId: 1, title: 'Shop US 25', brand: 'Shop', region: 'US', uiCategory: 'Shopping', currency: 'USD' },
  ...{ faceValue: 25_00n, minPrice: undefined, maxPrice: undefined, featured: false },
  ...{ fulfillment: 'immediate', testOnly: false, providerCodes: { shop: {} }, active: true },
};

const principal: Principal = {
  ...{ credentialId: 'c', environment: 'live', rateLimitPerS: undefined },
  merchant: {
    ...{ id: 1, code: 'SHOP', name: 'Shop', products: new Set(['GIFTCARD']), discounts: new Map() },
    wallets: new Map([['NGN', 7n] as const]),
  },
};

const sandbox = await definition.configure({ notFoundGraceMs: 1_000 }).open();

const inStock: AvailabilityAnswer = { kind: 'known', fulfillment: 'immediate', detail: 'there' };
const noAnswer: AvailabilityAnswer = { kind: 'unavailable', code: 'c', message: 'm' };

function setUp(answers: AvailabilityAnswer[]) {
  const counted = { asked: 0, nowMs: 1 };
  const shop: Provider = {
    ...sandbox,
    name: 'shop',
    checkAvailability: async () => {
      counted.asked += 1;
      return answers.shift() ?? inStock;
    },
  };
  const check = createAvailabilityCheck({
    routes: { find: () => ['shop'], reload: async () => undefined },
    providers: new Map([['shop', shop]]),
    clock: { now: () => new Date(), elapsedMs: () => counted.nowMs },
  });
  const ask = (quantity = 1) => check({ principal, plan, quantity, faceValue: undefined });
  return { counted, ask };
}

test('those who ask together ask the provider once; another quantity is another question', async () => {
  const { counted, ask } = setUp([]);
  const said = await Promise.all([ask(), ask(), ask()]);
  assert.deepEqual(said, Array(3).fill({ fulfillment: 'immediate', detail: 'there' }));
  assert.equal(counted.asked, 1);
  await ask(2);
  assert.equal(counted.asked, 2);
});

test('an answer is good for five seconds', async () => {
  const { counted, ask } = setUp([]);
  await ask();
  counted.nowMs += 5_000;
  await ask();
  assert.equal(counted.asked, 1);
  counted.nowMs += 1;
  await ask();
  assert.equal(counted.asked, 2);
});

test('a provider that cannot say is asked again at once', async () => {
  const { counted, ask } = setUp([noAnswer]);
  const refused = refusedFor('availability_unknown');
  await Promise.all([assert.rejects(ask(), refused), assert.rejects(ask(), refused)]);
  assert.equal(counted.asked, 1);
  assert.equal((await ask()).fulfillment, 'immediate');
  assert.equal(counted.asked, 2);
});
