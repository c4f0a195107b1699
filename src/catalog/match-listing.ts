/** How the listings of a provider are matched with plans of the catalog. */
import type { ProviderListing } from '../providers/provider.ts';
import type { CardValue } from './gift-card-plan.ts';

/** Whether two sets of codes name the same thing. A price among the codes names nothing. */
export function isSame(
  listed: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> | undefined,
): boolean {
  if (own === undefined) return false;
  const shared = Object.keys(listed).filter((code) => code !== 'price' && own[code] !== undefined);
  return shared.length > 0 && shared.every((code) => listed[code] === own[code]);
}

/** What a card of a listing is worth; undefined where the listing does not say it. */
export function cardValueOf({ price, minPrice, maxPrice }: ProviderListing): CardValue | undefined {
  if (price !== undefined) return { faceValue: price, minPrice: undefined, maxPrice: undefined };
  if (minPrice === undefined || maxPrice === undefined || minPrice <= 0n || maxPrice < minPrice)
    return undefined;
  return { faceValue: undefined, minPrice, maxPrice };
}
