/**
 * The bill plan a purchase or a verification means. Throws a fault that names the field and says
 * what would be right.
 */
import type { BillPlan } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { invalidField } from '../../kernel/errors.ts';
import type { BillProduct } from '../../products/product.ts';

export type BillPlanQuery = {
  readonly product: BillProduct;
  /** In its canonical spelling. */
  readonly network: string;
  readonly planCode?: string | undefined;
  /** The old id that verification takes in its place. */
  readonly serviceId?: string | undefined;
};

export function findBillPlanOf(
  catalog: Pick<Catalog, 'findBillPlan' | 'findBillPlanByService'>,
  query: BillPlanQuery,
): BillPlan {
  const { product, network, planCode, serviceId } = query;
  const field = planCode === undefined ? 'service_id' : 'plan_code';
  const match =
    planCode === undefined
      ? catalog.findBillPlanByService(product, network, serviceId ?? '')
      : catalog.findBillPlan(product, network, planCode);
  const list = `GET /v1/plans/bills/${product.toLowerCase()}`;
  switch (match.kind) {
    case 'found':
      return match.plan;
    case 'other-network':
      throw invalidField(
        field,
        `${field} is a plan of ${match.plan.network}, not of ${network}; see ${list}`,
      );
    case 'other-product':
      throw invalidField(
        field,
        `${field} is a plan of ${match.plan.product}, not of ${product}; see ${list}`,
      );
    case 'unknown':
      throw invalidField(field, `${field} names no ${product} plan of ${network}; see ${list}`);
  }
}
