import type { BillProduct } from '../products/product.ts';

/**
 * Who is behind a bill network. The network's name stays; the companies behind it and what people
 * call them change.
 */
export type Biller = {
  readonly product: BillProduct;
  /**
   * In the spelling of the interface, such as `Ikeja Electric`: what orders, plans, routes and
   * vends have.
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
  /** What stands behind the name. */
  readonly note?: string;
  /** Where that was read. */
  readonly source?: string;
};
