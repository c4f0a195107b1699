/** The bill plan a purchase or a verification means. Throws GatewayError where it means none. */
import type { BillPlan } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { GatewayError } from '../../kernel/errors.ts';
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
  const named = { role: planCode === undefined ? 'service' : 'plan', product, network } as const;
  const match =
    planCode === undefined
      ? catalog.findBillPlanByService(product, network, serviceId ?? '')
      : catalog.findBillPlan(product, network, planCode);
  switch (match.kind) {
    case 'found':
      return match.plan;
    case 'other-network': {
      const planNetwork = match.plan.network;
      throw new GatewayError({ code: 'bill_plan_of_other_network', ...named, planNetwork });
    }
    case 'other-product': {
      const planProduct = match.plan.product;
      throw new GatewayError({ code: 'bill_plan_of_other_product', ...named, planProduct });
    }
    case 'unknown':
      throw new GatewayError({ code: 'bill_plan_unknown', ...named });
  }
}
