/** The message about a purchase whose answer was lost. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createCounter } from '../../src/app/counter.ts';
import { GatewayError } from '../../src/core/errors.ts';
import type { RequestFault } from '../../src/core/request-fault.ts';
import type { Principal } from '../../src/merchants/merchant.ts';

const principal = { merchant: { id: 1, code: 'SHOP' }, environment: 'live' } as unknown as Principal;
const airtime = {
  credential: 'oja_live_any',
  product: 'airtime',
  network: 'MTN',
  amount: '100',
  number: '08031234567',
} as const;

type Purchases = Parameters<typeof createCounter>[0]['purchases'];

function counterThat(fault: RequestFault, more: Partial<Record<keyof Purchases, unknown>> = {}) {
  return createCounter({
    authenticator: { principalOf: async () => principal },
    purchases: {
      priceOf: () => 100_00n,
      purchase: () => Promise.reject(new GatewayError(fault)),
      findFirstUse: async () => undefined,
      ...more,
    },
  } as unknown as Parameters<typeof createCounter>[0]);
}

test('a purchase that may be stored is unknown, and one that was not stored is refused', async () => {
  const lost = counterThat({ code: 'outcome_unknown', reference: 'till-1', purchaseId: 'p-1' });
  assert.deepEqual(await lost.buy(airtime, 'till-1'), { kind: 'unknown' });
  const full = await counterThat({ code: 'purchase_not_stored' }).buy(airtime, 'till-1');
  assert.equal(full.kind, 'refused');
});

describe('a refusal of a reference that an earlier press has used', () => {
  const first = { id: 'p-1', status: 'pending', reason: undefined };
  const used = {
    findFirstUse: async () => first,
    compareWithFirst: async () => ({ differing: [], unknown: [] }),
    findPurchase: async () => first,
  };
  const refusals: readonly RequestFault[] = [
    { code: 'merchant_suspended' },
    { code: 'purchases_locked' },
    { code: 'requests_full' },
    { code: 'no_provider', product: 'airtime', network: 'MTN' },
  ];

  it('is answered with the first purchase, whatever the refusal is', async () => {
    for (const refusal of refusals) {
      assert.deepEqual(await counterThat(refusal, used).buy(airtime, 'till-1'), {
        kind: 'sale',
        ...first,
        isNew: false,
      });
    }
    const unpriced = counterThat(
      { code: 'requests_full' },
      {
        ...used,
        priceOf: () => {
          throw new GatewayError({ code: 'product_not_enabled', product: 'airtime' });
        },
      },
    );
    assert.equal((await unpriced.buy(airtime, 'till-1')).kind, 'sale');
  });

  it('is a refusal if the first purchase was another one', async () => {
    const differs = { ...used, compareWithFirst: async () => ({ differing: ['amount'], unknown: [] }) };
    const answer = await counterThat({ code: 'merchant_suspended' }, differs).buy(airtime, 'till-1');
    assert.deepEqual([answer.kind, 'reason' in answer && answer.reason], ['refused', 'reference_used']);
  });

  it('is unknown while the reference cannot be looked up', async () => {
    const away = () => Promise.reject(new GatewayError({ code: 'database_away' }));
    for (const busy of [
      { findFirstUse: away },
      { ...used, compareWithFirst: away },
      { ...used, findPurchase: away },
      { ...used, findPurchase: async () => undefined },
    ]) {
      const answer = await counterThat({ code: 'merchant_suspended' }, busy).buy(airtime, 'till-1');
      assert.deepEqual(answer, { kind: 'unknown' });
    }
  });

  it('says that nothing was charged if the reference is unused', async () => {
    for (const refusal of refusals) {
      const answer = await counterThat(refusal).buy(airtime, 'till-1');
      assert.deepEqual([answer.kind, 'reason' in answer && answer.reason], ['refused', refusal.code]);
    }
  });
});
