/** The order that a provider gets for a claimed purchase. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type PurchaseInHand, toOrder } from '../../../src/purchases/state/purchase-in-hand.ts';

it('sends the provider the face value and the charge', () => {
  const purchase: PurchaseInHand = {
    merchantId: 1,
    environment: 'live',
    purchaseId: 'p1',
    walletId: 1n,
    product: 'data',
    network: 'MTN',
    recipient: '2348031234567',
    faceValue: 300_00n,
    charge: 290_50n,
    mode: 'sync',
    route: ['one', 'two'],
    refused: [],
    details: { planCodes: { one: { plan: '1' }, two: { plan: '2' } } },
    attempts: 1,
    queries: 0,
    notFound: 0,
    flagged: false,
    evidence: 'none',
    final: false,
    ageMs: 1_000,
    attempt: { provider: 'two', reference: 'r1', ageMs: 0 },
    takenAtMs: 0,
  };
  assert.deepEqual(toOrder(purchase, 500), {
    reference: 'r1',
    product: 'data',
    network: 'MTN',
    recipient: '2348031234567',
    amount: 300_00n,
    charge: 290_50n,
    currency: 'NGN',
    ageMs: 1_500,
    sentMs: 500,
    planCodes: { plan: '2' },
  });
});
