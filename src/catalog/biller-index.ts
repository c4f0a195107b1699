/**
 * An index of the active billers: any name of a biller is found by one look-up in a map. Guarantees
 * that no name stands for two billers, over all products. A filter on purchases gives only the
 * name, and a wrong guess between two electricity companies would pay the wrong one.
 */
import { type BillProduct, billProducts } from '../core/products/product.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

export type BillerIndex = {
  /** By product, in catalog order. */
  readonly listed: ReadonlyMap<BillProduct, readonly Biller[]>;
  /** By network and alias, in lower case. */
  readonly byName: ReadonlyMap<string, Biller>;
};

/** Indexes the active billers. Throws AmbiguousCatalogError for a name that two of them share. */
export function indexBillers(billers: readonly Biller[]): BillerIndex {
  return requireUnambiguous('billers', build(billers), ({ network }) => network);
}

/** Every name that two active billers share. */
export function findNameClashes(billers: readonly Biller[]): readonly Clash<Biller>[] {
  return build(billers).clashes;
}

/** The biller that `text` names, in any letter case; with a product, of that product only. */
export function findBiller(
  billers: BillerIndex,
  product: BillProduct | undefined,
  text: string,
): Biller | undefined {
  const biller = billers.byName.get(text.toLowerCase());
  return product === undefined || biller?.product === product ? biller : undefined;
}

function build(billers: readonly Biller[]): { index: BillerIndex; clashes: Clash<Biller>[] } {
  const listed = new Map(billProducts.map((product) => [product, [] as Biller[]]));
  const byName = new Map<string, Biller>();
  const clashes: Clash<Biller>[] = [];
  for (const biller of billers) {
    if (!biller.active) continue;
    listed.get(biller.product)?.push(biller);
    for (const code of [biller.network, ...biller.aliases.map((alias) => alias.name)]) {
      claimCode(byName, { scope: 'name', code, thing: biller }, clashes);
    }
  }
  return { index: { listed, byName }, clashes };
}

export type Biller = {
  readonly product: BillProduct;
  /**
   * In the spelling of the interface, such as `Ikeja Electric`. Orders, plans, routes and purchases
   * have the same.
   */
  readonly network: string;
  /** The company, for people. */
  readonly name: string;
  readonly aliases: readonly BillerAlias[];
  /** False: withdrawn, neither listed nor found, and its plans with it. */
  readonly active: boolean;
};

/** Another name a biller is asked for by, in any letter case. */
type BillerAlias = {
  readonly name: string;
  /** The day since when it is so called, `2025-10-02`. */
  readonly since?: string;
  /** Where the name comes from. */
  readonly note?: string;
  /** The source of this. */
  readonly source?: string;
};
