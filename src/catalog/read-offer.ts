/** Reads the lists of a provider that the catalog is compared with. Calls the provider. */
import { OperationError } from '../core/errors.ts';
import { type OrderProduct, orderProducts } from '../core/products/product.ts';
import type { OnProgress } from '../core/progress.ts';
import { type PlanListCodes, usualListCodes } from '../providers/plan-list-codes.ts';
import type { Provider, ProviderListing, ProviderPlan } from '../providers/provider.ts';
import type { CatalogItem } from './catalog-item.ts';
import type { ProviderOffer } from './compare-provider.ts';

/**
 * Reads the provider's lists. Throws OperationError: `provider_has_no_list`;
 * `provider_says_nothing` for an unreadable list, because a part of a list would withdraw the other
 * plans. With `add` it also reads the lists of data plans that the catalog has no plan of.
 */
export async function readOffer(
  provider: Provider,
  present: readonly CatalogItem[],
  onProgress: OnProgress,
  { add }: { readonly add: boolean },
): Promise<ProviderOffer> {
  const { listCodes = usualListCodes, dataLists } = provider;
  const plans = new Map<string, readonly ProviderPlan[]>();
  const listings = new Map<OrderProduct, readonly ProviderListing[]>();
  if (provider.listPlans !== undefined) {
    const used = servicesOf(provider.name, listCodes, present);
    for (const service of new Set([...used, ...(add ? (dataLists?.keys() ?? []) : [])])) {
      const listed = await provider.listPlans(service);
      if (listed === undefined || listed.every(({ code }) => code === undefined)) {
        if (!used.has(service)) continue;
        throw new OperationError({ code: 'provider_says_nothing', provider: provider.name, of: service });
      }
      plans.set(service, listed);
      onProgress({ step: provider.name, done: plans.size, unit: 'lists read' });
    }
  }
  for (const product of orderProducts) {
    if (provider.listCatalog === undefined || !provider.products.has(product)) continue;
    const listed = await provider.listCatalog(product);
    if (listed === undefined || listed.every(({ planCodes }) => Object.keys(planCodes).length === 0)) {
      throw new OperationError({ code: 'provider_says_nothing', provider: provider.name, of: product });
    }
    listings.set(product, listed);
  }
  if (plans.size + listings.size === 0) {
    throw new OperationError({ code: 'provider_has_no_list', provider: provider.name });
  }
  return { provider: provider.name, listCodes, dataLists, plans, listings };
}

function servicesOf(
  provider: string,
  listCodes: PlanListCodes,
  present: readonly CatalogItem[],
): ReadonlySet<string> {
  const ids = present.flatMap((item) => {
    if (item.kind === 'biller' || !item.item.active) return [];
    const { list, plan } = listCodes(item.item.providerCodes[provider] ?? {});
    const isVariation = plan !== undefined && item.kind !== 'esim' && item.record.price !== undefined;
    return isVariation && list !== undefined ? [list] : [];
  });
  return new Set(ids);
}
