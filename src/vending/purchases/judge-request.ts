/**
 * Judges a purchase against profile, catalog and routes, and prices it: everything that can be said
 * of it before a provider or the database is asked. Throws what is wrong.
 */
import { billPlanCode } from '../../catalog/bill-plan.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { assertNever, GatewayError, invalidField, invariant } from '../../kernel/errors.ts';
import { applyDiscount, formatAmount } from '../../kernel/money.ts';
import { discountKey } from '../../merchants/merchant.ts';
import { requireEnabled } from '../../merchants/require-enabled.ts';
import type { BillAmount } from '../../products/bill-amount.ts';
import { judgeBill } from '../../products/judge-bill.ts';
import { parseMobileNetwork } from '../../products/network.ts';
import { isBillProduct } from '../../products/product.ts';
import { owedGoods, recordOf } from '../../products/registry.ts';
import { type Router, requireRoute } from '../../routing/require-route.ts';
import type { JudgedRequest } from '../path/judged-request.ts';
import type { VendRequest } from '../vend/vend.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import { findBillPlanOf } from './find-bill-plan-of.ts';

export type Judge = Router & {
  readonly catalog: Pick<Catalog, 'findDataPlan' | 'findBillPlan' | 'findBillPlanByService'>;
};

type PlanTerms = {
  readonly planCode: string;
  readonly details: VendDetails;
  readonly billAmount?: BillAmount;
};

export function judgeRequest(judge: Judge, request: VendRequest): JudgedRequest {
  const { principal, product, network, faceValue } = request;
  requireEnabled(principal, product);
  const terms = planTerms(judge, request);
  const walletId = principal.merchant.wallets.get('NGN');
  if (walletId === undefined) {
    throw new GatewayError('not_found', 'No NGN wallet is enrolled for this merchant');
  }
  const route = requireRoute(judge, { principal, product, network, planCodes: terms?.details.planCodes });
  return {
    request,
    walletId,
    charge: applyDiscount(faceValue, principal.merchant.discounts.get(discountKey(product, network)) ?? 0),
    planCode: terms?.planCode,
    details: terms?.details,
    billAmount: terms?.billAmount,
    route,
  };
}

function planTerms(judge: Judge, request: VendRequest): PlanTerms | undefined {
  const { plans } = recordOf(request.product);
  switch (plans) {
    case 'none':
      return undefined;
    case 'data':
      return dataPlanTerms(judge, request);
    case 'bill':
      return billPlanTerms(judge, request);
    case 'giftcard':
    case 'esim':
      throw new Error(`an order of ${request.product} is judged by judge-order.ts`);
    default:
      return assertNever(plans);
  }
}

function dataPlanTerms(judge: Judge, request: VendRequest): PlanTerms {
  const network = parseMobileNetwork(request.network);
  if (network === undefined || request.planCode === undefined) {
    throw new GatewayError('missing', 'plan_code is required for data', {
      faults: [{ field: 'plan_code', message: 'plan_code is required: one from the data plans list' }],
    });
  }
  const match = judge.catalog.findDataPlan(network, request.planCode);
  switch (match.kind) {
    case 'unknown':
      throw invalidField(
        'plan_code',
        `plan_code names no ${network} data plan; see GET /v1/plans/${network.toLowerCase()}`,
      );
    case 'other-network':
      throw invalidField('plan_code', `plan_code is a plan of ${match.plan.network}, not of ${network}`);
    case 'found':
      if (match.plan.price !== request.faceValue) {
        throw invalidField(
          'amount',
          `amount must equal the price of ${match.plan.planCode}: ${formatAmount(match.plan.price)}`,
        );
      }
      return { planCode: match.plan.planCode, details: { planCodes: match.plan.providerCodes } };
  }
}

function billPlanTerms(judge: Judge, request: VendRequest): PlanTerms {
  const { product, network, recipient, faceValue, phone } = request;
  invariant(isBillProduct(product), 'a bill plan is of a bill');
  const plan = findBillPlanOf(judge.catalog, { product, network, planCode: request.planCode });
  const faults = judgeBill({ product, network, recipient, amount: faceValue, phone }, plan);
  if (faults.length > 0) {
    const missing = faults.every((fault) => fault.field === 'phone' && phone === undefined);
    const message = faults.map((fault) => fault.message).join('; ');
    throw new GatewayError(missing ? 'missing' : 'invalid', message, { faults });
  }
  const goodsOwed = owedGoods(recordOf(product), plan);
  return {
    planCode: billPlanCode(plan),
    billAmount: plan,
    details: {
      planCodes: plan.providerCodes,
      ...(phone !== undefined && { phone }),
      ...(goodsOwed !== undefined && { goodsOwed }),
    },
  };
}
