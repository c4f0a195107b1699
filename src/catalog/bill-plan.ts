/** A bill plan of the catalog: one way to pay a biller, with its price or limits and its codes. */
import type { BillAmount } from '../core/products/bill-amount.ts';
import type { BillProduct } from '../core/products/product.ts';

export type BillPlan = BillAmount & {
  /** The catalog id, unique over all products. As text it is the plan code of orders. */
  readonly id: number;
  readonly product: BillProduct;
  /** The biller's network in its canonical spelling. */
  readonly network: string;
  readonly name: string;
  /** Electricity: the kind of meter. A prepaid meter is owed a token. Undefined otherwise. */
  readonly meterKind: 'prepaid' | 'postpaid' | undefined;
  /** The old id that verification accepts in place of the plan code; unique over bill plans. */
  readonly serviceId: string | undefined;
  /** This and the next are old ids that clients still order by, each unique within the network. */
  readonly tariffTypeId: string | undefined;
  readonly legacyProductId: string | undefined;
  /** The plan's codes by provider. Other providers cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale. */
  readonly active: boolean;
};

/** Returns the plan code of orders and purchases: the catalog id as text. */
export function billPlanCode(plan: Pick<BillPlan, 'id'>): string {
  return String(plan.id);
}
