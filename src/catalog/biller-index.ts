/**
 * An index of the active billers. Every name of a biller is found by one map lookup. A name never
 * means two billers, over all products: filters of purchases contain only the name, and confusing
 * two electricity companies would pay the wrong one.
 */
import { type BillProduct, billProducts } from '../core/products/product.ts';
import { type Clash, claimCode, requireUnambiguous } from './clash.ts';

export type BillerIndex = {
  /** By product, in catalog order. */
  readonly listed: ReadonlyMap<BillProduct, readonly Biller[]>;
  /** By network and alias, in lower case. */
  readonly byName: ReadonlyMap<string, Biller>;
  /** The networks by the same names, with those of withdrawn billers. */
  readonly networks: ReadonlyMap<string, string>;
};

/** Indexes the active billers. Throws AmbiguousCatalogError for a name that two of them share. */
export function indexBillers(billers: readonly Biller[]): BillerIndex {
  return requireUnambiguous('billers', build(billers), ({ network }) => network);
}

/** Finds every name that two active billers share. */
export function findNameClashes(billers: readonly Biller[]): readonly Clash<Biller>[] {
  return build(billers).clashes;
}

/** Finds an active biller of a product by any of its names, in any letter case. */
export function findBiller(billers: BillerIndex, product: BillProduct, text: string): Biller | undefined {
  const biller = billers.byName.get(text.toLowerCase());
  return biller?.product === product ? biller : undefined;
}

/**
 * Finds a network by any name of its biller, in any letter case, for filters and settings. A
 * withdrawn biller keeps its purchases, and its names as long as no active one uses them.
 */
export function findBillNetwork(billers: BillerIndex, text: string): string | undefined {
  return billers.networks.get(text.toLowerCase());
}

function build(billers: readonly Biller[]): { index: BillerIndex; clashes: Clash<Biller>[] } {
  const listed = new Map(billProducts.map((product) => [product, [] as Biller[]]));
  const byName = new Map<string, Biller>();
  const networks = new Map<string, string>();
  const clashes: Clash<Biller>[] = [];
  for (const biller of billers) {
    if (!biller.active) {
      for (const name of namesOf(biller)) networks.set(name.toLowerCase(), biller.network);
      continue;
    }
    listed.get(biller.product)?.push(biller);
    for (const code of namesOf(biller)) {
      claimCode(byName, { scope: 'name', code, thing: biller }, clashes);
    }
  }
  for (const [name, { network }] of byName) networks.set(name, network);
  return { index: { listed, byName, networks }, clashes };
}

function namesOf({ network, aliases }: Biller): readonly string[] {
  return [network, ...aliases.map(({ name }) => name)];
}

export type Biller = {
  readonly product: BillProduct;
  /** The name in the interface, orders, plans, routes and purchases, such as `Ikeja Electric`. */
  readonly network: string;
  /** The name of the company, for people. */
  readonly name: string;
  readonly aliases: readonly BillerAlias[];
  /** False: withdrawn from sale, together with its plans. */
  readonly active: boolean;
};

/** Another name of a biller, in any letter case. */
type BillerAlias = {
  readonly name: string;
  /** The day from which the name is in use, `2025-10-02`. */
  readonly since?: string;
  /** An explanation of the name. */
  readonly note?: string;
  /** The source of the name. */
  readonly source?: string;
};
