/** Previews or applies incoming records of the catalog, all of them or none, in one transaction. */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { billPlanCode } from '../bill-plan.ts';
import { insertCatalogChanges, lockCatalog } from '../catalog-change-store.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { storeThings } from '../catalog-store.ts';
import type { ListedCost } from '../compare-provider.ts';
import { type CatalogChange, type CatalogDiff, diffCatalog, isSteeplyCheaper } from '../diff-catalog.ts';
import { readWholeCatalog } from '../list-catalog-items.ts';
import type { PricedPlan } from '../margins/find-losses.ts';
import { deleteKnownCosts, followPrice, upsertListedCosts } from '../margins/live-prices-store.ts';
import { refuseLosses, unlessForced } from '../margins/refuse-losses.ts';

export type CatalogProposal = {
  /** Returns the incoming items. Called with the present catalog, under its lock. */
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
};

export type ChangedCatalog = {
  readonly diff: CatalogDiff;
  readonly applied: boolean;
  /** Whether the change would have been refused without `force`. */
  readonly forced: boolean;
};

/**
 * Changes the catalog. `applied` is false for a preview, without changes, with faults, and for a
 * large change of a price without `force`. Throws OperationError `sells_below_cost` for a change
 * without `force` when a provider is known to cost more than merchants would pay.
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
  const costs = proposal.costs?.() ?? [];
  const steep = !force && changes.some((change) => change.steep);
  if (!apply || changes.length === 0 || faults.length > 0 || steep) {
    // A cost is a fact, and needs no change of a price.
    if (apply && changes.length === 0) await storeCosts(tx, proposal, costs);
    return { diff, applied: false, forced: false };
  }
  const prices = changes.flatMap(repriced);
  const isRefused = await unlessForced(force, () => refusePrices(tx, prices, { ...proposal, costs }));
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
  return { diff, applied: true, forced: isRefused || changes.some(isSteeplyCheaper) };
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

async function refusePrices(
  tx: Tx,
  prices: readonly PricedPlan[],
  { follows, costs }: { readonly follows?: string | undefined; readonly costs: readonly ListedCost[] },
): Promise<void> {
  const listed = new Map(costs.map((cost) => [cost.planCode, cost]));
  if (prices.length === 0) return;
  await refuseLosses(tx, (present) => ({
    ...present,
    plans: [...present.plans.filter((plan) => !prices.some((price) => isSamePlan(price, plan))), ...prices],
    costs: present.costs.map((known) => {
      const stated = known.provider === follows ? listed.get(known.planCode) : undefined;
      if (stated !== undefined) return { ...known, amount: stated.price, cost: stated.cost };
      const price = prices.find((one) => isSamePlan(one, known));
      if (price?.amount === undefined || known.provider !== follows) return known;
      return { ...known, amount: price.amount, cost: (known.cost * price.amount) / known.amount };
    }),
  }));
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

/** Returns the price of a plan. Undefined for billers and things not on sale in live. */
function pricedItem(item: CatalogItem): PricedPlan | undefined {
  if (item.kind === 'biller' || !item.item.active) return undefined;
  const product = String(item.record.product);
  const providers = Object.keys(item.item.providerCodes);
  switch (item.kind) {
    case 'bill': {
      const { network, price: amount } = item.item;
      const planCode = billPlanCode(item.item);
      const isFixed = amount !== undefined;
      return { product, network, planCode, currency: 'NGN', amount, isFixed, providers };
    }
    case 'data': {
      const { network, planCode, planKind, price: amount } = item.item;
      return { product, network, planKind, planCode, currency: 'NGN', amount, isFixed: true, providers };
    }
    case 'giftcard': {
      const { planId, currency, faceValue: amount, testOnly } = item.item;
      const place = { product, network: product, planCode: String(planId) };
      return testOnly ? undefined : { ...place, currency, amount, isFixed: false, providers };
    }
    case 'esim': {
      const { planId: planCode, currency, price: amount, testOnly } = item.item;
      const place = { product, network: product, planCode };
      return testOnly ? undefined : { ...place, currency, amount, isFixed: true, providers };
    }
  }
}

type Place = Pick<PricedPlan, 'product' | 'network' | 'planCode'>;

function isSamePlan(one: Place, other: Place): boolean {
  return one.product === other.product && one.network === other.network && one.planCode === other.planCode;
}
