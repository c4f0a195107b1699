/**
 * A biller of the catalog: the company behind a bill network. The network's name never changes. The
 * company and its other names may.
 */
import type { BillProduct } from '../products/product.ts';

export type Biller = {
  readonly product: BillProduct;
  /**
   * In the spelling of the interface, such as `Ikeja Electric`. Orders, plans, routes and vends
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
