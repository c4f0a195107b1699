/** Asks a provider for its list of what the catalog could sell from it. Changes nothing. */

import { type OrderProduct, orderProducts } from '../products/product.ts';
import type { Provider, ProviderListing, ProviderPlan } from '../providers/provider.ts';
import type { CatalogItem } from './catalog-item.ts';
import type { ProviderOffer } from './compare-provider.ts';

/**
 * Throws an Error that names what cannot be read: with half a list the other half of the plans
 * would be withdrawn.
 */
export async function readOffer(provider: Provider, present: readonly CatalogItem[]): Promise<ProviderOffer> {
  const plans = new Map<string, readonly ProviderPlan[]>();
  const listings = new Map<OrderProduct, readonly ProviderListing[]>();
  if (provider.listPlans !== undefined) {
    for (const service of servicesOf(provider.name, present)) {
      const listed = await provider.listPlans(service);
      if (listed === undefined || listed.length === 0) {
        throw new Error(`${provider.name} does not say now what it sells as ${service}: try again`);
      }
      plans.set(service, listed);
    }
  }
  for (const product of orderProducts) {
    if (provider.listCatalog === undefined || !provider.products.has(product)) continue;
    const listed = await provider.listCatalog(product);
    if (listed === undefined || listed.length === 0) {
      throw new Error(`${provider.name} does not say now what it sells of ${product}: try again`);
    }
    listings.set(product, listed);
  }
  if (plans.size + listings.size === 0) {
    throw new Error(`${provider.name} is not set up here, or has no list of what it sells`);
  }
  return { provider: provider.name, plans, listings };
}

function servicesOf(provider: string, present: readonly CatalogItem[]): ReadonlySet<string> {
  const ids = present.flatMap((item) => {
    if (item.kind === 'biller' || !item.item.active) return [];
    const codes = item.item.providerCodes[provider];
    const isVariation =
      codes?.variation_code !== undefined && item.kind !== 'esim' && item.record.price !== undefined;
    return isVariation && codes?.service_id !== undefined ? [codes.service_id] : [];
  });
  return new Set(ids);
}
