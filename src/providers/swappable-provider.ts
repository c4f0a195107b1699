/**
 * A provider whose connector can be replaced while calls run, for example to change credentials.
 *
 * Guarantees: a call runs on one connector from start to end. Calls that start after `replace` use
 * the new one. The old connector is disposed of when its last call ends. The functions of the
 * current connector are properties of the provider itself, so a call has no extra cost.
 */
import type { Connector, Provider, ProviderFacts } from './provider.ts';

/** The asynchronous functions. The other functions of a connector return at once. */
const calls = [
  'purchase',
  'query',
  'verifyCustomer',
  'checkAvailability',
  'listCatalog',
  'balance',
  'listPlans',
  'listOrders',
  'mtnBalances',
] as const satisfies readonly (keyof Connector)[];

export type SwappableProvider = AsyncDisposable & {
  /** The provider: one object for the whole life. */
  readonly provider: Provider;
  replace(next: Connector): void;
};

/** Opens a swappable provider. It owns the connectors that are passed to it. */
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
        // The live processes share the account's capacity as before.
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

/** Wraps a connector so that its running calls are counted. */
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
