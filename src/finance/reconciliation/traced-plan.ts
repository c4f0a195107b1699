/**
 * Finds the plan of an order by the trace in its reference (reference-mark.ts). A provider's list
 * may name neither the network nor the plan, nor the product in known words.
 */
import { type BillPlan, billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { DataPlan } from '../../catalog/data-plan-index.ts';
import { mobileNetworks } from '../../core/products/network.ts';
import { billProducts } from '../../core/products/product.ts';
import { owedGoods, recordOf } from '../../core/products/registry.ts';
import { traceOf } from '../../providers/reference-mark.ts';
import type { PurchaseDetails } from '../../purchases/state/purchase-details.ts';

export type SoldPlan = {
  readonly product: string;
  readonly network: string;
  /** Undefined for airtime, which has no plans. */
  readonly code: string | undefined;
  readonly details: PurchaseDetails | undefined;
  /** Undefined if the customer sets the amount. */
  readonly price: bigint | undefined;
};

/** The order as listed. */
type Reported = {
  readonly provider: string;
  readonly product: string | undefined;
  readonly network: string | undefined;
  readonly amount: bigint | undefined;
};

/**
 * Finds the plan with the trace. Returns undefined if no plan matches, or if the list cannot
 * distinguish several matching plans.
 */
export function findTraced(catalog: Catalog, trace: number, reported: Reported): SoldPlan | undefined {
  const traced = [...airtime(), ...dataPlans(catalog), ...billPlans(catalog)].filter(
    ({ product, network, details }) =>
      (reported.product === undefined || reported.product === product) &&
      (reported.network === undefined || reported.network === network) &&
      traceOf({ product, network, codes: details?.planCodes?.[reported.provider] }) === trace,
  );
  // A provider's price may differ from ours, so it only decides between several plans.
  const fitting = traced.filter(({ price }) => price === undefined || price === reported.amount);
  const [found, ...others] = traced.length > 1 ? fitting : traced;
  // The first of plans that are interchangeable here.
  return found !== undefined && others.every((other) => isAlike(found, other)) ? found : undefined;
}

function isAlike(one: SoldPlan, other: SoldPlan): boolean {
  return (
    one.product === other.product &&
    one.network === other.network &&
    one.details?.goodsOwed === other.details?.goodsOwed
  );
}

function airtime(): SoldPlan[] {
  const none = { code: undefined, details: undefined, price: undefined };
  return mobileNetworks.map((network) => ({ product: 'airtime', network, ...none }));
}

function dataPlans(catalog: Catalog): SoldPlan[] {
  return mobileNetworks.flatMap((network) =>
    catalog.listDataPlans(network).map((plan) => ({ ...soldData(plan), product: 'data', network })),
  );
}

function billPlans(catalog: Catalog): SoldPlan[] {
  return billProducts.flatMap((product) =>
    catalog.listBillPlans(product).map((plan) => ({ ...soldBill(plan), product, network: plan.network })),
  );
}

type OfPlan = Pick<SoldPlan, 'code' | 'details' | 'price'>;

export function soldData({ planCode, planKind: kind, providerCodes, price }: DataPlan): OfPlan {
  return { code: planCode, details: { planCodes: providerCodes, kind }, price };
}

export function soldBill(plan: BillPlan): OfPlan {
  const goodsOwed = owedGoods(recordOf(plan.product), plan);
  const details = { planCodes: plan.providerCodes, ...(goodsOwed !== undefined && { goodsOwed }) };
  return { code: billPlanCode(plan), details, price: plan.price };
}
