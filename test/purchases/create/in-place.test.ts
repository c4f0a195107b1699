/** Places of purchases: who is refused, and when a place is given back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Caller } from '../../../src/core/caller.ts';
import { stayingCaller } from '../../../src/core/caller.ts';
import { FairGate } from '../../../src/core/fair-gate.ts';
import { InFlight } from '../../../src/core/in-flight.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import { attemptAndResolve, inPlace, type Runner } from '../../../src/purchases/create/run-purchase.ts';
import type { PurchaseInHand } from '../../../src/purchases/state/purchase-in-hand.ts';
import { refusedFor } from '../../support/refusals.ts';

function open() {
  return { places: new FairGate({ pools: { live: { places: 8 }, test: { places: 4 } } } as const) };
}

function keyOf(id: number, environment: 'live' | 'test'): Principal {
  const merchant = { id, code: `M${id}`, name: '', suspended: false };
  const lists = { products: new Set<string>(), prices: [], wallets: new Map() };
  return {
    credentialId: `key ${id}`,
    environment,
    merchant: { ...merchant, ...lists },
    rateLimitPerS: undefined,
  };
}

/** Fills the places of one merchant with continuing work. */
function fill(runner: ReturnType<typeof open>, principal: Principal, caller: Caller = stayingCaller) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Array.from({ length: 20 }, () => inPlace(runner, principal, caller, () => promise));
  return { begun, end: resolve };
}

describe('the places of purchases', () => {
  it('refuses a merchant that has its share, and no other', async () => {
    const runner = open();
    const { begun, end } = fill(runner, keyOf(1, 'live'));
    await inPlace(runner, keyOf(2, 'live'), stayingCaller, async () => undefined);
    end();
    const refused = (await Promise.allSettled(begun)).filter(({ status }) => status === 'rejected');
    assert.ok(refused.length >= 12, `${refused.length} are refused`);
    for (const one of refused) assert.ok('reason' in one && refusedFor('requests_full')(one.reason));
    assert.equal(runner.places.running, 0);
  });

  it('refuses test requests, and no live one of the same merchant', async () => {
    const runner = open();
    const floods = [1, 2, 3, 4, 5].map((id) => fill(runner, keyOf(id, 'test')));
    await assert.rejects(
      inPlace(runner, keyOf(9, 'test'), stayingCaller, async () => undefined),
      refusedFor('requests_full'),
    );
    await inPlace(runner, keyOf(1, 'live'), stayingCaller, async () => undefined);
    for (const { begun, end } of floods) {
      end();
      await Promise.allSettled(begun);
    }
  });

  it('releases a slot once when the caller has disconnected', async () => {
    const runner = open();
    const gone: (() => void)[] = [];
    const caller: Caller = {
      onGone: (callback) => {
        gone.push(callback);
        return () => undefined;
      },
    };
    const { begun, end } = fill(runner, keyOf(1, 'live'), caller);
    assert.ok(runner.places.running > 0);
    for (const go of gone) go();
    assert.equal(runner.places.running, 0);
    end();
    await Promise.allSettled(begun);
    assert.equal(runner.places.running, 0);
  });

  it('frees the place of a request when its purchase was sent, also when that fails', async () => {
    const runner = open();
    const leave = runner.places.tryEnter({ pool: 'live', group: 1, member: 'key 1' });
    const underWay = new InFlight();
    const silent = { error: () => undefined };
    const sender = { underWay, failpoints: { active: false }, log: silent } as unknown as Runner;
    const sending = attemptAndResolve(sender, { merchantId: 1 } as PurchaseInHand, leave);
    assert.deepEqual([runner.places.running, underWay.count], [1, 1]);
    assert.equal(await sending, undefined);
    assert.deepEqual([runner.places.running, underWay.count], [0, 0]);
  });
});
