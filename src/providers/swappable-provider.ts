/**
 * A provider in use whose connector can be replaced while calls are under way: with other
 * credentials, say.
 *
 * Guarantees: a call begins and ends with one connector; calls that begin after `replace` use the
 * new one; the old one is disposed of once its last call has ended. Callers pay nothing for it:
 * the functions of the present connector are properties of the provider itself.
 */
import type { Connector, Provider, ProviderFacts } from './provider.ts';

/** Calls: what begins and ends. The rest of a connector answers at once. */
const calls = [
  'purchase',
  'query',
  'verifyCustomer',
  'checkAvailability',
  'listCatalog',
  'balance',
  'listPlans',
  'mtnBalances',
] as const satisfies readonly (keyof Connector)[];

export type SwappableProvider = AsyncDisposable & {
  /** The same object for ever. */
  readonly provider: Provider;
  replace(next: Connector): void;
};

/** Owns the connectors that it gets. */
export function openSwappableProvider(facts: ProviderFacts, first: Connector): SwappableProvider {
  let present = countCalls(first);
  const ending = new Set<Promise<void>>();
  const end = async (): Promise<void> => {
    await Promise.all([present.retire(), ...ending]);
  };
  const provider = {} as Provider;
  const show = (): void => {
    for (const key of Reflect.ownKeys(provider)) Reflect.deleteProperty(provider, key);
    const { name, products, environment, sellsWithoutCodes, wholeNairaOnly } = facts;
    Object.assign(provider, present.connector, {
      name,
      products,
      environment,
      sellsWithoutCodes,
      wholeNairaOnly,
      [Symbol.asyncDispose]: end,
    });
  };
  show();
  return {
    provider,
    replace: (next) => {
      const retired = present.retire();
      ending.add(retired);
      void retired.finally(() => ending.delete(retired));
      const { limiters } = present.connector;
      if (limiters !== undefined) {
        // The living processes divide what the account takes as before.
        next.limiters?.orders.shareLike(limiters.orders);
        next.limiters?.reads.shareLike(limiters.reads);
      }
      present = countCalls(next);
      show();
    },
    [Symbol.asyncDispose]: end,
  };
}

type Counted = { readonly connector: Connector; retire(): Promise<void> };

/** The connector, with its calls counted. */
function countCalls(connector: Connector): Counted {
  const ended = Promise.withResolvers<void>();
  let underWay = 0;
  let isRetired = false;
  const endWhenIdle = (): void => {
    if (isRetired && underWay === 0) ended.resolve();
  };
  const counted = { ...connector };
  for (const name of calls) {
    const call = connector[name] as ((...given: unknown[]) => Promise<unknown>) | undefined;
    if (call === undefined) continue;
    Reflect.set(counted, name, async (...given: unknown[]) => {
      underWay += 1;
      try {
        return await call(...given);
      } finally {
        underWay -= 1;
        endWhenIdle();
      }
    });
  }
  return {
    connector: counted,
    retire: async () => {
      isRetired = true;
      endWhenIdle();
      await ended.promise;
      await connector[Symbol.asyncDispose]();
    },
  };
}
