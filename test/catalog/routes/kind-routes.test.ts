/** The route of a purchase by its kind, and the providers that sell a kind of airtime. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireRoute } from '../../../src/catalog/routes/require-route.ts';
import { setRoute } from '../../../src/catalog/routes/route-store.ts';
import { loadRoutes, type Routes } from '../../../src/catalog/routes/routes.ts';
import { isRefusal } from '../../../src/core/errors.ts';
import type { PlanKind } from '../../../src/core/products/plan-kind.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { createTestDatabase } from '../../support/database.ts';

describe('a route', () => {
  it('a route of a network and kind precedes those of network, kind and product', async () => {
    await using clone = await createTestDatabase();
    const set = (network: string, kind: string, providers: readonly string[]): Promise<void> =>
      clone.database.transaction((tx) =>
        setRoute(tx, { environment: 'live', product: 'data', network, kind, providers }),
      );
    const routes = await loadRoutes(clone.database);
    const found = async (network: string, kind?: string): Promise<readonly string[]> => {
      await routes.reload();
      return routes.find('live', 'data', network, kind).providers;
    };
    assert.deepEqual(await found('MTN', 'sme'), []);
    await set('*', '*', ['product']);
    await set('*', 'sme', ['kind']);
    assert.deepEqual(await found('MTN', 'sme'), ['kind']);
    assert.deepEqual(await found('MTN', 'gifting'), ['product']);
    await set('MTN', '*', ['network']);
    assert.deepEqual(await found('MTN', 'sme'), ['network']);
    assert.deepEqual(await found('GLO', 'sme'), ['kind']);
    await set('MTN', 'sme', ['both', 'product']);
    assert.deepEqual(await found('MTN', 'sme'), ['both', 'product']);
    assert.deepEqual(await found('MTN', 'sme2'), ['network']);
    assert.deepEqual(await found('MTN'), ['network']);
    // Removing it leaves the others.
    await set('MTN', 'sme', []);
    assert.deepEqual(await found('MTN', 'sme'), ['network']);
  });
});

describe('a kind of airtime', () => {
  const providerOf = (name: string, sellsKinds?: readonly PlanKind[]): [string, Provider] => {
    const facts = {
      name,
      products: new Set(['airtime']),
      sellsWithoutCodes: new Set(),
      wholeNairaOnly: new Set(),
      ...(sellsKinds && { sellsKinds: new Set(sellsKinds) }),
    };
    return [name, facts as unknown as Provider];
  };
  const route = (names: readonly string[], planKind: PlanKind): readonly string[] => {
    const routes = {
      find: () => ({ providers: names, shares: undefined }),
      isPaused: () => false,
    } as unknown as Routes;
    const providers = new Map([providerOf('plain'), providerOf('sharing', ['share_and_sell'])]);
    const principal = { environment: 'live', merchant: { id: 1 } } as unknown as Principal;
    const query = { principal, product: 'airtime', network: 'MTN', planCodes: undefined } as const;
    return requireRoute({ routes, providers }, { ...query, planKind });
  };

  it('routes a kind of airtime only to a provider that sells it', () => {
    assert.deepEqual(route(['plain', 'sharing'], 'vtu'), ['plain', 'sharing']);
    assert.deepEqual(route(['plain', 'sharing'], 'share_and_sell'), ['sharing']);
  });

  it('refuses a kind of airtime that no provider sells', () => {
    assert.throws(
      () => route(['plain'], 'share_and_sell'),
      (error) => isRefusal(error, 'no_provider'),
    );
  });
});
