/** Finds codes and names that mean two items, while an index is built. */

/** One code that means two items. */
export type Clash<Thing> = {
  /**
   * The place where the code is valid, such as a network; `id`, `code`, `service` or `name` when it
   * is valid everywhere.
   */
  readonly scope: string;
  readonly code: string;
  readonly things: readonly [Thing, Thing];
};

/**
 * Stores `thing` under `code` in lower case. If another thing has the code, records a clash
 * instead.
 */
export function claimCode<Thing>(
  holders: Map<string, Thing>,
  { scope, code, thing }: { readonly scope: string; readonly code: string; readonly thing: Thing },
  clashes: Clash<Thing>[],
): void {
  const key = code.toLowerCase();
  const holder = holders.get(key) ?? thing;
  if (holder !== thing) clashes.push({ scope, code, things: [holder, thing] });
  holders.set(key, holder);
}

/** Describes a clash, such as `DSTV 501 is both 2101 and 2102`. */
export function describeClash<Thing>(
  { scope, code, things: [one, other] }: Clash<Thing>,
  nameOf: (thing: Thing) => string,
): string {
  return `${scope} ${code} is both ${nameOf(one)} and ${nameOf(other)}`;
}

/** A catalog in which codes or names are ambiguous. It cannot be used. */
export class AmbiguousCatalogError extends Error {
  readonly part: 'data plans' | 'bill plans' | 'billers';
  readonly clashes: readonly Clash<string>[];

  constructor(part: AmbiguousCatalogError['part'], clashes: readonly Clash<string>[]) {
    const texts = clashes.map((clash) => describeClash(clash, (name) => name));
    super(`Codes of the ${part} are ambiguous: ${texts.join('; ')}`);
    this.name = 'AmbiguousCatalogError';
    this.part = part;
    this.clashes = clashes;
  }
}

/** Returns an index without clashes. Throws AmbiguousCatalogError that lists every clash. */
export function requireUnambiguous<Index, Thing>(
  part: AmbiguousCatalogError['part'],
  { index, clashes }: { readonly index: Index; readonly clashes: readonly Clash<Thing>[] },
  nameOf: (thing: Thing) => string,
): Index {
  if (clashes.length === 0) return index;
  const named = clashes.map(
    ({ things: [one, other], ...place }): Clash<string> => ({
      ...place,
      things: [nameOf(one), nameOf(other)],
    }),
  );
  throw new AmbiguousCatalogError(part, named);
}
