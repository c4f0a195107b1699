/**
 * A bill plan of the catalog: one way to pay a biller. It says what a merchant can order, what that
 * may cost, and which codes it has at each provider.
 */
import type { BillAmount } from '../core/products/bill-amount.ts';
import type { BillProduct } from '../core/products/product.ts';

export type BillPlan = BillAmount & {
  /** The catalog id, unique over every product's plans; as text, the plan code of orders. */
  readonly id: number;
  readonly product: BillProduct;
  /** The biller's network in its canonical spelling. */
  readonly network: string;
  readonly name: string;
  /**
   * Electricity: which kind of meter the plan pays. A prepaid meter is owed a token. Undefined for
   * other products.
   */
  readonly meterKind: 'prepaid' | 'postpaid' | undefined;
  /** The old id that verification takes in place of the plan code; unique over all bill plans. */
  readonly serviceId: string | undefined;
  /** This and the next are ids that old clients still order by, each unique within the network. */
  readonly tariffTypeId: string | undefined;
  readonly legacyProductId: string | undefined;
  /** The plan's codes by provider name; a provider that is not among them cannot serve it. */
  readonly providerCodes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** False: withdrawn from sale, neither listed nor found. */
  readonly active: boolean;
};

/** The plan code of orders and purchases: the catalog id as text. */
export function billPlanCode(plan: Pick<BillPlan, 'id'>): string {
  return String(plan.id);
}
