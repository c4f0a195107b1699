/**
 * Stops sales at a loss of products with the guard `stop`: removes providers from a route that are
 * known to cost more than the merchant pays. The guards and the latest costs are in memory, the
 * costs only while a guard or a price list needs them. A product without such a guard costs one map
 * lookup.
 */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import { singleFlight } from '../../core/single-flight.ts';
import type { Sql } from '../../db/database.ts';
import { hasMarginRules } from '../../merchants/prices/price-list-store.ts';
import { type ExpectedCost, expectedCost, type KnownCost, placeKey } from './expected-cost.ts';
import { everyNetwork, type GuardMode, listGuards } from './guard-store.ts';
import { listKnownCosts } from './live-prices-store.ts';

export type GuardedSale = {
  readonly environment: Environment;
  readonly product: string;
  readonly network: string;
  /** Undefined when the plan is not known. */
  readonly planCode: string | undefined;
  /** In kobo. */
  readonly faceValue: bigint;
  readonly charge: bigint;
  /** The price of a card or an eSIM in its currency. */
  readonly item: { readonly currency: Currency; readonly amount: bigint } | undefined;
  /** Whether the provider has its own price for the plan. */
  readonly isFixed: boolean;
};

export type Guards = {
  /** Tells whether sales at a loss are stopped. */
  stops(environment: Environment, product: string, network: string): boolean;
  /** Tells whether the provider is known to cost more than the merchant pays. */
  loses(sale: GuardedSale, provider: string): boolean;
  /** Estimates the provider's charge. Undefined without any known cost. */
  expects(sale: GuardedSale, provider: string): ExpectedCost | undefined;
  /** Reads the guards again. Rejects without any change if they cannot be read. */
  reload(): Promise<void>;
};

type Held = {
  /** By environment, product and network. */
  readonly modes: ReadonlyMap<string, GuardMode>;
  /** The costs, by the same key. Empty while nothing needs them. */
  readonly costs: ReadonlyMap<string, readonly KnownCost[]>;
};

export async function loadGuards(sql: Sql): Promise<Guards> {
  let held = await read(sql);
  return {
    stops: (environment, product, network) => stops(held, environment, product, network),
    loses: (sale, provider) => (expects(held, sale, provider)?.cost ?? 0n) > sale.charge,
    expects: (sale, provider) => expects(held, sale, provider),
    reload: singleFlight(async () => {
      held = await read(sql);
    }),
  };
}

async function read(sql: Sql): Promise<Held> {
  const modes = new Map((await listGuards(sql)).map((guard) => [placeKey(guard), guard.mode]));
  const costs = new Map<string, KnownCost[]>();
  if (![...modes.values()].includes('stop') && !(await hasMarginRules(sql))) return { modes, costs };
  for (const known of await listKnownCosts(sql, undefined)) {
    const key = placeKey(known);
    const group = costs.get(key);
    if (group === undefined) costs.set(key, [known]);
    else group.push(known);
  }
  return { modes, costs };
}

function stops({ modes }: Held, environment: Environment, product: string, network: string): boolean {
  if (modes.size === 0) return false;
  const mode =
    modes.get(placeKey({ environment, product, network })) ??
    modes.get(placeKey({ environment, product, network: everyNetwork }));
  return mode === 'stop';
}

function expects({ costs }: Held, sale: GuardedSale, provider: string): ExpectedCost | undefined {
  const known = costs.get(placeKey(sale));
  return known && expectedCostOf(known, sale, provider);
}

/** Estimates the provider's charge. `costs` are those of the product and network. */
export function expectedCostOf(
  costs: readonly KnownCost[],
  { planCode, faceValue, item, isFixed }: GuardedSale,
  provider: string,
): ExpectedCost | undefined {
  const ordered = { planCode, isFixed, ...(item ?? { currency: 'NGN', amount: faceValue }) };
  return expectedCost(costs, provider, ordered);
}
