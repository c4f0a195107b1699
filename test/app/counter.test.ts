/** The message about a purchase whose answer was lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

function counterThat(fault: RequestFault) {
  return createCounter({
    authenticator: { principalOf: async () => principal },
    purchases: { priceOf: () => 100_00n, purchase: () => Promise.reject(new GatewayError(fault)) },
  } as unknown as Parameters<typeof createCounter>[0]);
}

test('a purchase that may be stored is unknown, and one that was not stored is refused', async () => {
  const lost = counterThat({ code: 'outcome_unknown', reference: 'till-1', purchaseId: 'p-1' });
  assert.deepEqual(await lost.buy(airtime, 'till-1'), { kind: 'unknown' });
  const full = await counterThat({ code: 'purchase_not_stored' }).buy(airtime, 'till-1');
  assert.equal(full.kind, 'refused');
});
