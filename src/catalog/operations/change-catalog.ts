/** Previews or applies incoming records of the catalog, all of them or none, in one transaction. */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { insertCatalogChanges, listChangedSince, lockCatalog } from '../catalog-change-store.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { storeThings } from '../catalog-store.ts';
import type { ListedCost } from '../compare-provider.ts';
import { type CatalogChange, type CatalogDiff, diffCatalog, isSteeplyCheaper } from '../diff-catalog.ts';
import { readWholeCatalog } from '../list-catalog-items.ts';
import {
  findLosses,
  listFaceValueSales,
  type PricedPlan,
  type PricedSale,
  type PriceEffect,
} from '../margins/find-losses.ts';
import {
  deleteKnownCosts,
  followPrice,
  readLivePrices,
  upsertListedCosts,
} from '../margins/live-prices-store.ts';
import { throwLosses } from '../margins/refuse-losses.ts';
import { planKey, pricedItem } from '../priced-item.ts';

export type CatalogProposal = {
  /** Returns the incoming items. Called with the current catalog, under its lock. */
  readonly incoming: (present: readonly CatalogItem[]) => readonly CatalogItem[];
  /** The file or the provider that the records come from, for the history. */
  readonly source: string;
  readonly apply: boolean;
  /** The provider whose own prices they are. Its known costs follow them. */
  readonly follows?: string;
  /** The charges of `follows`, as far as its list states them. Called after `incoming`. */
  readonly costs?: () => readonly ListedCost[];
  /** Allows prices to move by more than a fifth, and below cost. */
  readonly force: boolean;
  readonly withdrawMissing: boolean;
  /** The version of the catalog that the caller read. Absent: the change does not depend on it. */
  readonly version?: bigint | undefined;
};

export type ChangedCatalog = {
  readonly diff: CatalogDiff;
  readonly applied: boolean;
  /** Whether the change would have been refused without `force`. */
  readonly forced: boolean;
  /** By `planKey`, of the plans on sale whose price changes. */
  readonly effects: ReadonlyMap<string, PriceEffect>;
};

/**
 * Changes the catalog. `applied` is false for a preview, without changes, with faults, and for a
 * large change of a price without `force`. Throws OperationError `sells_below_cost` for a change
 * without `force` when a provider is known to cost more than merchants would pay, and
 * `catalog_changed` when an item changed after the version of the proposal.
 */
export async function changeCatalog(
  tx: Tx,
  proposal: CatalogProposal,
  actor: ActorOrName,
): Promise<ChangedCatalog> {
  const { source, apply, force, withdrawMissing } = proposal;
  if (apply) await lockCatalog(tx);
  const present = await readWholeCatalog(tx);
  const diff = diffCatalog(present, proposal.incoming(present), { withdrawMissing });
  const { changes, faults } = diff;
  if (proposal.version !== undefined) await refuseChanged(tx, proposal.version, changes);
  const costs = proposal.costs?.() ?? [];
  const prices = changes.flatMap(repriced);
  const { effects, losses } = await readEffects(tx, prices, { ...proposal, costs });
  const steep = !force && changes.some((change) => change.steep);
  if (!apply || changes.length === 0 || faults.length > 0 || steep) {
    // A cost is a fact, and needs no change of a price.
    if (apply && changes.length === 0) await storeCosts(tx, proposal, costs);
    return { diff, applied: false, forced: false, effects };
  }
  if (!force) throwLosses(losses);
  await write(tx, diff);
  await correctKnownCosts(tx, prices, proposal);
  await storeCosts(tx, proposal, costs);
  await insertCatalogChanges(tx, changes, { actor: actorOf(actor).name, source });
  const count = (what: string): number => changes.filter(({ change }) => change === what).length;
  await recordOperation(tx, {
    actor,
    action: 'catalog.change',
    subject: `catalog:${source}`,
    after: { added: count('added'), changed: count('changed'), withdrawn: count('withdrawn'), force },
  });
  await announceChange(tx, 'plans');
  const forced = losses.length > 0 || changes.some(isSteeplyCheaper);
  return { diff, applied: true, forced, effects };
}

/** Returns the new price of a plan on sale. Empty when the price does not change. */
function repriced({ item, before }: CatalogChange): PricedPlan[] {
  const next = pricedItem(item);
  const isSame =
    before?.price === item.record.price &&
    before?.face_value === item.record.face_value &&
    before?.kind === item.record.kind;
  return next === undefined || (isSame && before?.active === true) ? [] : [next];
}

type Effects = {
  readonly effects: ReadonlyMap<string, PriceEffect>;
  /** Worst first. */
  readonly losses: readonly PricedSale[];
};

/** Computes the margins of the new prices, and the sales that they put below cost. */
async function readEffects(
  tx: Tx,
  prices: readonly PricedPlan[],
  { follows, costs }: { readonly follows?: string | undefined; readonly costs: readonly ListedCost[] },
): Promise<Effects> {
  if (prices.length === 0) return { effects: new Map(), losses: [] };
  const listed = new Map(costs.map((cost) => [cost.planCode, cost]));
  const priced = new Map(prices.map((price) => [planKey(price), price]));
  const present = await readLivePrices(tx);
  const known = new Set(present.costs.map(({ provider, planCode }) => JSON.stringify([provider, planCode])));
  const added = costs.flatMap(({ product, network, planCode, price, cost }): typeof present.costs => {
    if (follows === undefined || known.has(JSON.stringify([follows, planCode]))) return [];
    const place = { environment: 'live', product, network, provider: follows, planCode } as const;
    return [{ ...place, currency: 'NGN', amount: price, cost }];
  });
  const next = {
    ...present,
    plans: [...present.plans.filter((plan) => !priced.has(planKey(plan))), ...prices],
    costs: [
      ...added,
      ...present.costs.map((known) => {
        const stated = known.provider === follows ? listed.get(known.planCode) : undefined;
        if (stated !== undefined) return { ...known, amount: stated.price, cost: stated.cost };
        const price = priced.get(planKey(known));
        if (price?.amount === undefined || known.provider !== follows) return known;
        return { ...known, amount: price.amount, cost: (known.cost * price.amount) / known.amount };
      }),
    ],
  };
  const losses = findLosses(present, next);
  const losing = Map.groupBy(losses, planKey);
  const [before, after] = [present, next].map(
    (list) => new Map(listFaceValueSales(list).map((sale) => [planKey(sale), sale])),
  );
  const effects = [...priced.keys()].map((key) => {
    return [
      key,
      { before: before?.get(key), after: after?.get(key), losses: losing.get(key) ?? [] },
    ] as const;
  });
  return { effects: new Map(effects), losses };
}

/** Throws OperationError `catalog_changed`. */
async function refuseChanged(tx: Tx, version: bigint, changes: readonly CatalogChange[]): Promise<void> {
  const subjects = await listChangedSince(tx, version, changes);
  if (subjects.length > 0) throw new OperationError({ code: 'catalog_changed', subjects });
}

/** Updates the known costs of repriced plans, or deletes them. */
async function correctKnownCosts(
  tx: Tx,
  prices: readonly PricedPlan[],
  { follows, force }: Pick<CatalogProposal, 'follows' | 'force'>,
): Promise<void> {
  for (const { product, network, planCode, amount, isFixed } of prices) {
    if (amount === undefined || !isFixed) continue;
    if (follows !== undefined) await followPrice(tx, { provider: follows, product, planCode, price: amount });
    else if (force) {
      await deleteKnownCosts(tx, { environment: 'live', product, network, planCodes: [planCode] });
    }
  }
}

/** Stores the costs that the provider's list states, for purchases from now on. */
export async function storeCosts(
  tx: Tx,
  { follows }: Pick<CatalogProposal, 'follows'>,
  costs: readonly ListedCost[],
): Promise<void> {
  if (follows === undefined || costs.length === 0) return;
  await upsertListedCosts(tx, follows, costs);
  await announceChange(tx, 'guards');
}

/** Stores the kinds in which something changes. */
async function write(tx: Tx, { changes, result }: CatalogDiff): Promise<void> {
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const things = result.filter((item) => item.kind === kind).map(({ item }) => item);
    await storeThings(tx, kind, things);
  }
}
