/** Which new purchases are kept from which provider. Pure. */

/** Stands for every product, or every network. */
export const everyPlace = '*';

type Pause = { readonly provider: string; readonly product: string; readonly network: string };

/** By provider: `product/network`. */
export type Pauses = ReadonlyMap<string, ReadonlySet<string>>;

export function pausesOf(rows: readonly Pause[]): Pauses {
  const pauses = new Map<string, Set<string>>();
  for (const { provider, product, network } of rows) {
    pauses.set(provider, (pauses.get(provider) ?? new Set()).add(`${product}/${network}`));
  }
  return pauses;
}

export function isPausedBy(pauses: Pauses, provider: string, product: string, network: string): boolean {
  const places = pauses.get(provider);
  if (places === undefined) return false;
  return (
    places.has(`${everyPlace}/${everyPlace}`) ||
    places.has(`${product}/${everyPlace}`) ||
    places.has(`${product}/${network}`)
  );
}
