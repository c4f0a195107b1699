/** Purchases are distributed by weight, and the same purchase always goes to the same provider. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareOut } from '../../../src/catalog/routes/require-route.ts';
import { isPausedBy, pausesOf } from '../../../src/catalog/routes/routes.ts';

const route = ['one', 'two', 'three'];

function firstsOf(
  providers: readonly string[],
  shares: Readonly<Record<string, number>>,
): Record<string, number> {
  const firsts: Record<string, number> = {};
  for (let number = 0; number < 10_000; number += 1) {
    const [first = ''] = shareOut(providers, new Map(Object.entries(shares)), `7/ref-${number}`);
    firsts[first] = (firsts[first] ?? 0) + 1;
  }
  return firsts;
}

describe('a route that is shared out', () => {
  it('gives each provider its share, also for references that differ in their last digits only', () => {
    const { one = 0, two = 0, three = 0 } = firstsOf(route, { one: 70, two: 30 });
    assert.ok(Math.abs(one - 7_000) < 200 && Math.abs(two - 3_000) < 200, `${one}, ${two}`);
    assert.equal(three, 0);
  });

  it('puts the other providers after the chosen one, in their order', () => {
    const shares = new Map([['three', 1]]);
    assert.deepEqual(shareOut(route, shares, '7/x'), ['three', 'one', 'two']);
    assert.deepEqual(shareOut(route, shares, '7/x'), shareOut(route, shares, '7/x'));
  });

  it('divides the share of an absent provider among the others', () => {
    assert.deepEqual(firstsOf(['two', 'three'], { one: 70, two: 30 }), { two: 10_000 });
    assert.deepEqual(firstsOf(['three', 'four'], { one: 70, two: 30 }), { three: 10_000 });
  });
});

describe('a pause', () => {
  it('pauses every product, one product, one network or one provider', () => {
    const pauses = pausesOf([
      { provider: 'all', product: '*', network: '*' },
      { provider: 'product', product: 'airtime', network: '*' },
      { provider: 'network', product: 'airtime', network: 'MTN' },
    ]);
    const paused = (provider: string) =>
      [
        ['airtime', 'MTN'],
        ['airtime', 'GLO'],
        ['data', 'MTN'],
      ].map(([product = '', network = '']) => isPausedBy(pauses, provider, product, network));
    assert.deepEqual(paused('all'), [true, true, true]);
    assert.deepEqual(paused('product'), [true, true, false]);
    assert.deepEqual(paused('network'), [true, false, false]);
    assert.deepEqual(paused('other'), [false, false, false]);
  });
});
