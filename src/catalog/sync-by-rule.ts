/**
 * Updates the catalog from the lists of providers that have a rule: applies price changes of data
 * plans and adds new plans within the rule's limits, and leaves every other change to a person. It
 * withdraws nothing, and refuses changes that would sell below cost. It may run twice: the second
 * time finds no change.
 */
import { OperationError } from '../core/errors.ts';
import { parseAmount } from '../core/money.ts';
import { unwatched } from '../core/progress.ts';
import type { Database } from '../db/database.ts';
import type { Provider } from '../providers/provider.ts';
import type { CatalogItem } from './catalog-item.ts';
import { compareWithProvider, type ListedCost, type ProviderOffer } from './compare-provider.ts';
import { type CatalogChange, diffCatalog } from './diff-catalog.ts';
import { readWholeCatalog } from './list-catalog-items.ts';
import { listKnownCosts } from './margins/live-prices-store.ts';
import { listPriceRules } from './margins/price-rule-store.ts';
import { changeCatalog, storeCosts } from './operations/change-catalog.ts';
import { readOffer } from './read-offer.ts';
import type { NameAccount } from './shown-codes.ts';
import { lockSyncRule, type SyncRule, storeSyncResult, takeDueSyncRule } from './sync-rule-store.ts';

/** How often a list is compared. */
const EVERY_HOURS = 6;

type SyncParts = {
  readonly database: Database;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly nameOf: NameAccount;
};

/** Compares the lists that are due, one after the other. */
export async function syncByRules(parts: SyncParts): Promise<void> {
  for (;;) {
    const rule = await takeDueSyncRule(parts.database);
    if (rule === undefined) return;
    const result = { provider: rule.provider, ...(await syncByRule(parts, rule)) };
    await storeSyncResult(parts.database, result, EVERY_HOURS);
  }
}

type Result = Pick<SyncRule, 'applied' | 'waiting' | 'refusal'>;

async function syncByRule(
  parts: SyncParts,
  { provider: name, adds_max: addsMax }: SyncRule,
): Promise<Result> {
  const { database, providers } = parts;
  const provider = providers.get(name);
  if (provider === undefined) return { applied: 0, waiting: 0, refusal: 'provider_has_no_list' };
  let waiting = 0;
  let costs: readonly ListedCost[] = [];
  try {
    const offer = await readOffer(provider, await readWholeCatalog(database), unwatched, {
      add: addsMax > 0,
    });
    const applied = await database.transaction(async (tx) => {
      const bounds = await lockSyncRule(tx, name);
      if (bounds === undefined) return 0;
      const rules = await listPriceRules(tx);
      const knownCosts = await listKnownCosts(tx, 'live');
      const incoming = (present: readonly CatalogItem[]): readonly CatalogItem[] => {
        const compared = compare(parts, present, offer, { rules, knownCosts, add: bounds.adds_max > 0 });
        const { changes } = diffCatalog(present, compared.incoming);
        const added = changes.filter(({ change, key }) => change === 'added' && compared.ruled.has(key));
        const small = [
          ...changes.filter((change) => isSmallPriceChange(change, bounds.within_basis_points)),
          ...(added.length <= bounds.adds_max ? added : []),
        ];
        waiting = changes.length - small.length;
        const waitingPlans = new Set(
          changes.filter((change) => !small.includes(change)).map(({ key }) => key),
        );
        costs = compared.costs.flatMap((cost) => atStandingPrice(cost, waitingPlans, present));
        return small.map(({ item }) => item);
      };
      const stored = await changeCatalog(
        tx,
        {
          incoming,
          source: parts.nameOf(name),
          follows: name,
          costs: () => costs,
          apply: true,
          force: false,
          withdrawMissing: false,
        },
        'sync rule',
      );
      return stored.applied ? stored.diff.changes.length : 0;
    });
    return { applied, waiting, refusal: null };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // The guards need the current cost of the plans, even if no price changes.
    await database.transaction((tx) => storeCosts(tx, { follows: name }, costs));
    return { applied: 0, waiting, refusal: error.details.code };
  }
}

function compare(
  { providers, nameOf }: SyncParts,
  present: readonly CatalogItem[],
  offer: ProviderOffer,
  how: Pick<Parameters<typeof compareWithProvider>[2], 'rules' | 'knownCosts' | 'add'>,
): ReturnType<typeof compareWithProvider> {
  const testing = [...providers.values()].filter(({ environment }) => environment === 'test');
  const testProviders = new Set(testing.map((one) => one.name));
  return compareWithProvider(present, offer, { ...how, testProviders, nameOf });
}

/** Tells whether only the price of a data plan on sale changes, and within the limit. */
function isSmallPriceChange(
  { change, kind, fields, before, item }: CatalogChange,
  withinBasisPoints: number,
): boolean {
  if (change !== 'changed' || kind !== 'data' || fields.some(({ field }) => field !== 'price')) return false;
  const old = parseAmount(String(before?.price));
  const next = parseAmount(String(item.record.price));
  if (old === undefined || next === undefined) return false;
  const moved = next > old ? next - old : old - next;
  return moved * 10_000n <= BigInt(withinBasisPoints) * old;
}

/**
 * A plan whose change waits keeps its price, so its new cost is recorded without a new price. A new
 * plan that waits has no cost yet.
 */
function atStandingPrice(
  cost: ListedCost,
  waiting: ReadonlySet<string>,
  present: readonly CatalogItem[],
): ListedCost[] {
  if (!waiting.has(cost.planCode)) return [cost];
  const standing = present.find(({ kind, key }) => kind === 'data' && key === cost.planCode);
  return standing?.kind === 'data' ? [{ ...cost, price: standing.item.price }] : [];
}
