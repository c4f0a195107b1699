/**
 * Finds provider plans that the catalog sells under two names. An operator may want that; in the
 * demo's files it is a mistake.
 */
import { type CatalogItem, pickKind } from '../../catalog/catalog-item.ts';
import type { CatalogFault } from '../../catalog/judge-catalog.ts';

/** Of data and bill plans, on sale or not. */
export function findSharedProviderPlans(items: readonly CatalogItem[]): CatalogFault[] {
  const holders = new Map<string, CatalogItem>();
  return [...pickKind(items, 'bill'), ...pickKind(items, 'data')].flatMap((item) =>
    Object.entries(item.item.providerCodes).flatMap(([provider, codes]): CatalogFault[] => {
      const scope = `${provider} plan`;
      const code = codeOf(item, Object.values(codes).sort());
      const key = JSON.stringify([item.kind, scope, code]);
      const holder = holders.get(key);
      if (holder?.key === item.key) return [];
      if (holder !== undefined) {
        const things = [holder, item] as const;
        return [{ code: 'clash', clash: { scope, code, things }, about: things }];
      }
      holders.set(key, item);
      return [];
    }),
  );
}

/** At some providers only the price tells two bill plans of a network apart. */
function codeOf({ kind, record }: CatalogItem<'bill' | 'data'>, codes: readonly string[]): string {
  if (kind === 'data') return codes.join(' ');
  return [record.network, ...codes, 'at', record.price ?? 'any amount'].join(' ');
}
