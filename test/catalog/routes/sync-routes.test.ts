/** The providers of a purchase, by whether a caller waits for its outcome. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireRoute } from '../../../src/catalog/routes/require-route.ts';
import type { Routes } from '../../../src/catalog/routes/routes.ts';
import { isRefusal } from '../../../src/core/errors.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import type { Provider } from '../../../src/providers/provider.ts';

function providerOf(name: string, asyncOnly?: readonly string[]): [string, Provider] {
  const facts = {
    name,
    products: new Set(['airtime', 'data']),
    sellsWithoutCodes: new Set(),
    wholeNairaOnly: new Set(),
    ...(asyncOnly && { asyncOnly: new Set(asyncOnly) }),
  };
  return [name, facts as unknown as Provider];
}

function route(
  names: readonly string[],
  product: 'airtime' | 'data',
  isSync: boolean | undefined,
): readonly string[] {
  const routes = {
    find: () => ({ providers: names, shares: undefined, strategy: 'order' }),
    figures: () => ({ measures: new Map(), costs: [] }),
    isPaused: () => false,
  } as unknown as Routes;
  const providers = new Map([providerOf('liar', ['airtime']), providerOf('honest')]);
  const principal = { environment: 'live', merchant: { id: 1 } } as unknown as Principal;
  const query = { principal, product, network: 'MTN', planCodes: undefined };
  return requireRoute({ routes, providers }, { ...query, ...(isSync !== undefined && { isSync }) });
}

describe('a provider whose success is not final at once', () => {
  it('sends no sync purchase of a product to a provider whose success is not final, but every other purchase', () => {
    assert.deepEqual(route(['liar', 'honest'], 'airtime', true), ['honest']);
    assert.deepEqual(route(['liar', 'honest'], 'airtime', false), ['liar', 'honest']);
    assert.deepEqual(route(['liar', 'honest'], 'airtime', undefined), ['liar', 'honest']);
    assert.deepEqual(route(['liar', 'honest'], 'data', true), ['liar', 'honest']);
  });

  it('leaves no provider when there is no other', () => {
    assert.throws(
      () => route(['liar'], 'airtime', true),
      (error) => isRefusal(error, 'no_provider'),
    );
  });
});
