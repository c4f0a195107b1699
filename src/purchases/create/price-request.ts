/**
 * Validates a purchase against profile, catalog and routes, and prices it, before a provider or the
 * database is called. Throws every error found.
 */
import { type BillPlan, billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Guards } from '../../catalog/margins/guards.ts';
import { type Router, requireRoute } from '../../catalog/routes/require-route.ts';
import type { Clock } from '../../core/clock.ts';
import { assertNever, GatewayError, invariant, refuseFaults } from '../../core/errors.ts';
import type { BillAmount } from '../../core/products/bill-amount.ts';
import { checkBill } from '../../core/products/check-bill.ts';
import { parseMobileNetwork } from '../../core/products/network.ts';
import { type BillProduct, isBillProduct } from '../../core/products/product.ts';
import { kindsOf, owedGoods, recordOf } from '../../core/products/registry.ts';
import { requireEnabled } from '../../merchants/require-enabled.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';
import { guardedRoute } from '../engine/guarded-route.ts';
import type { PurchaseMode, PurchaseRequest } from '../state/purchase.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';
import { chooseRoute } from './choose-route.ts';
import { priceByList } from './price-by-list.ts';

export type Judge = Router & {
  readonly catalog: Pick<Catalog, 'findDataPlan' | 'findBillPlan' | 'findBillPlanByService'>;
  readonly guards: Guards;
  readonly clock: Pick<Clock, 'now'>;
};

type PlanTerms = {
  readonly planCode: string | undefined;
  readonly details: PurchaseDetails;
  readonly billAmount?: BillAmount;
};

export function priceRequest(judge: Judge, request: PurchaseRequest, mode: PurchaseMode): PricedRequest {
  const { principal, product, network, faceValue } = request;
  requireEnabled(principal, product);
  const terms = planTerms(judge, request);
  const walletId = principal.merchant.wallets.get('NGN');
  if (walletId === undefined) {
    throw new GatewayError({ code: 'no_wallet_to_pay', currency: 'NGN' });
  }
  const planKind = terms?.details.kind ?? kindsOf(product)[0];
  const route = requireRoute(judge, {
    principal,
    product,
    network,
    planKind,
    planCodes: terms?.details.planCodes,
    amount: faceValue,
    lacksPhone: isBillProduct(product) && request.phone === undefined,
    isSync: mode === 'sync',
    reference: request.reference,
  });
  const { plans } = recordOf(product);
  const isFixed = plans === 'data' || terms?.billAmount?.amountType === 'fixed';
  const { charge, details } = priceByList(judge, request, { ...terms, planKind, route, isFixed });
  const judged = {
    request,
    walletId,
    charge,
    planCode: terms?.planCode,
    details,
    billAmount: terms?.billAmount,
    route,
  };
  return chooseRoute(judge, requireGain(judge.guards, judged, isFixed), isFixed);
}

/**
 * Removes the providers that would sell it at a loss, if its guard is `stop`. Throws GatewayError
 * `no_provider` if none is left.
 */
export function requireGain(guards: Guards, judged: PricedRequest, isFixed: boolean): PricedRequest {
  const { request, charge, planCode, details } = judged;
  const { product, network, faceValue, principal } = request;
  const { environment } = principal;
  const purchase = { environment, product, network, faceValue, charge, planCode, details, isFixed };
  const route = guardedRoute(guards, purchase, judged.route);
  if (route === judged.route) return judged;
  if (route.length === 0) throw new GatewayError({ code: 'no_provider', product, network });
  return { ...judged, route };
}

function planTerms(judge: Judge, request: PurchaseRequest): PlanTerms | undefined {
  const { plans } = recordOf(request.product);
  switch (plans) {
    case 'none':
      return airtimeTerms(request);
    case 'data':
      return dataPlanTerms(judge, request);
    case 'bill':
      return billPlanTerms(judge, request);
    case 'giftcard':
    case 'esim':
      throw new Error(`an order of ${request.product} is priced by price-order.ts`);
    default:
      return assertNever(plans);
  }
}

/** Undefined for the usual kind. */
function airtimeTerms({ product, planKind: kind }: PurchaseRequest): PlanTerms | undefined {
  if (kind === undefined || kind === kindsOf(product)[0]) return undefined;
  return { planCode: undefined, details: { kind } };
}

function dataPlanTerms(judge: Judge, request: PurchaseRequest): PlanTerms {
  const network = parseMobileNetwork(request.network);
  if (network === undefined || request.planCode === undefined) {
    throw new GatewayError({ code: 'data_plan_missing', role: 'plan' });
  }
  const match = judge.catalog.findDataPlan(network, request.planCode, request.faceValue);
  switch (match.kind) {
    case 'unknown':
      throw new GatewayError({ code: 'data_plan_unknown', role: 'plan', network });
    case 'no-such-amount':
      throw new GatewayError({ code: 'amount_of_no_plan', network });
    case 'other-network': {
      const planNetwork = match.plan.network;
      throw new GatewayError({ code: 'data_plan_of_other_network', role: 'plan', network, planNetwork });
    }
    case 'found': {
      const { planCode: plan, planKind: kind, price } = match.plan;
      if (price !== request.faceValue) throw new GatewayError({ code: 'amount_not_price', plan, price });
      const details = { planCodes: match.plan.providerCodes, kind, ...sentPlanOf(request, plan) };
      return { planCode: plan, details };
    }
  }
}

function billPlanTerms(judge: Judge, request: PurchaseRequest): PlanTerms {
  const { product, network, recipient, faceValue, phone } = request;
  invariant(isBillProduct(product), 'a bill plan is of a bill');
  const plan = findBillPlanOf(judge.catalog, { product, network, planCode: request.planCode });
  refuseFaults(checkBill({ product, network, recipient, amount: faceValue, phone }, plan));
  const goodsOwed = owedGoods(recordOf(product), plan);
  const planCode = billPlanCode(plan);
  return {
    planCode,
    billAmount: plan,
    details: {
      planCodes: plan.providerCodes,
      ...sentPlanOf(request, planCode),
      ...(phone !== undefined && { phone }),
      ...(goodsOwed !== undefined && { goodsOwed }),
    },
  };
}

/** Answers repeat the plan as it was sent. */
function sentPlanOf(
  { planCode: sent }: PurchaseRequest,
  planCode: string,
): Pick<PurchaseDetails, 'sentPlan'> {
  return sent === undefined || sent === planCode ? {} : { sentPlan: sent };
}

export type BillPlanQuery = {
  readonly product: BillProduct;
  /** In its canonical spelling. */
  readonly network: string;
  readonly planCode?: string | undefined;
  /** The old id that verification accepts instead. */
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
