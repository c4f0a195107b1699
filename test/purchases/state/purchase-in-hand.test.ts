/** A claimed purchase: how it is read, the order for its provider, and the goods it owes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InvariantError } from '../../../src/core/errors.ts';
import type { Goods } from '../../../src/providers/provider.ts';
import type { PurchaseDetails } from '../../../src/purchases/state/purchase-details.ts';
import {
  lacksGoods,
  type PurchaseInHand,
  type PurchaseInHandRow,
  progressOf,
  readDelivered,
  readPurchaseInHand,
  takeAccepted,
  toOrder,
} from '../../../src/purchases/state/purchase-in-hand.ts';

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

const row: PurchaseInHandRow = {
  merchant_id: 1,
  environment: 'live',
  purchase_id: 'p1',
  wallet_id: 1n,
  charge: 290_50n,
  attempts: 3,
  queries: 4,
  not_found: 1,
  flagged: true,
  evidence: 'acknowledged' as PurchaseInHandRow['evidence'],
  age_ms: 9_000n,
  product: 'data',
  network: 'MTN',
  recipient: '2348031234567',
  face_value: 300_00n,
  route: 'one,two',
  details: null,
  mode: 'async',
  refused: 'one,three',
  attempt_provider: 'two',
  attempt_reference: 'r3',
  attempt_age_ms: 700n,
};

describe('the order for a provider', () => {
  it('has the face value, the charge, and the codes of its own plan', () => {
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

  it('has each detail that the provider needs, with amounts as numbers, and no other', () => {
    const details: PurchaseDetails = {
      kind: 'awuf' as NonNullable<PurchaseDetails['kind']>,
      phone: '2348030000001',
      item: { quantity: 2, unitPrice: '1000', currency: 'USD' },
      story: 'delayed',
      customer: { name: 'Ada', arrears: '5000' },
      planCodes: { one: { plan: '1' } },
      title: 'Card',
      cost: '99',
    };
    const plain = toOrder({ ...purchase, details: undefined }, 0);
    assert.deepEqual(toOrder({ ...purchase, details }, 0), {
      ...plain,
      planKind: 'awuf',
      phone: '2348030000001',
      item: { quantity: 2, unitPrice: 1_000n, currency: 'USD' },
      story: 'delayed',
      customer: { name: 'Ada', arrears: 5_000n },
    });
    assert.deepEqual(toOrder({ ...purchase, details: {} }, 0), plain);
  });
});

describe('a claimed purchase', () => {
  it('that was just accepted is at its first attempt; without one it is refused', () => {
    const attempt = { provider: 'one', account: 'main', reference: 'r1' };
    const taken = takeAccepted({ ...purchase, id: 'p2', attempt }, 50);
    assert.deepEqual(taken, {
      ...purchase,
      purchaseId: 'p2',
      ageMs: 0,
      attempt: { ...attempt, ageMs: 0 },
      takenAtMs: 50,
    });
    assert.throws(() => takeAccepted({ ...purchase, id: 'p2', attempt: undefined }, 50), InvariantError);
  });

  it('is read from its row, with its attempt if it has one', () => {
    const read = readPurchaseInHand(row);
    assert.deepEqual([read.route, read.refused, read.details], [['one', 'two'], ['one', 'three'], undefined]);
    assert.deepEqual([read.attempts, read.queries, read.notFound, read.ageMs], [3, 4, 1, 9_000]);
    assert.deepEqual(read.attempt, { provider: 'two', reference: 'r3', ageMs: 700 });
    const unsent = readPurchaseInHand({ ...row, refused: null, attempt_reference: null, details: {} });
    assert.deepEqual([unsent.refused, unsent.attempt, unsent.details], [[], undefined, {}]);
    assert.equal(readPurchaseInHand({ ...row, attempt_age_ms: null }).attempt?.ageMs, 0);
  });

  it('that is a success is final and delivered, by the attempt that brought it', () => {
    const delivered = { ...row, attempt: 2, attempt_provider: 'two', attempt_reference: 'r2' };
    const read = readDelivered({ ...delivered, attempt_age_ms: 5n }, { queries: 7, takenAtMs: 60 });
    const { final, evidence, attempts, queries, notFound, refused, attempt, takenAtMs } = read;
    assert.deepEqual([final, evidence, attempts, queries], [true, 'delivered', 2, 7]);
    assert.deepEqual([notFound, refused, takenAtMs], [0, [], 60]);
    assert.deepEqual(attempt, { provider: 'two', reference: 'r2', ageMs: 5 });
  });

  it('grows older while it is in hand, and may go on only to the given providers', () => {
    const held = { ...purchase, takenAtMs: 100, attempt: { ...purchase.attempt, ageMs: 30 } };
    const { ageMs, attemptAgeMs, route, provider } = progressOf(held, 350, ['three']);
    assert.deepEqual([ageMs, attemptAgeMs, route, provider], [1_250, 280, ['three'], 'two']);
  });
});

describe('a delivery', () => {
  const card = {} as NonNullable<Goods['cards']>[number];
  const two = { quantity: 2, unitPrice: '1', currency: 'USD' } as const;
  const cases: readonly [string, PurchaseDetails | undefined, Goods | undefined, boolean][] = [
    ['of a product without goods lacks nothing', {}, undefined, false],
    ['of a token has it', { goodsOwed: 'token' }, { token: '1' }, false],
    ['of a token lacks it', { goodsOwed: 'token' }, { units: '3' }, true],
    ['of a token without any goods lacks it', { goodsOwed: 'token' }, undefined, true],
    ['that cleared a debt owes no token', { goodsOwed: 'token' }, { payment_spent_on: 'debt' }, false],
    ['of two cards has both', { goodsOwed: 'cards', item: two }, { cards: [card, card] }, false],
    ['of two cards lacks one', { goodsOwed: 'cards', item: two }, { cards: [card] }, true],
    ['of PINs has the only one', { goodsOwed: 'pins' }, { pins: [card as never] }, false],
    ['of PINs has none of them', { goodsOwed: 'pins' }, { payment_spent_on: 'debt' }, true],
  ];
  for (const [title, details, goods, lacks] of cases) {
    it(title, () => assert.equal(lacksGoods({ details }, goods), lacks));
  }
});
