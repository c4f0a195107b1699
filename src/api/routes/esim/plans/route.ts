/**
 * GET /v1/esim/plans/{plan_id} and its /quote: one eSIM on sale, and its current price in naira.
 */
import { Type } from 'typebox';
import { type EsimPlan, priceEsim } from '../../../../catalog/esim-plan.ts';
import { requireRate } from '../../../../catalog/fx-rate.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { esimPlanId, requireEsim, unknownEsim } from '../../../plumbing/esim-fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { tagged } from '../../../plumbing/tag-answer.ts';
import { esim, esimExample, esimOf } from '../esim.ts';

const planParams = Type.Object({ plan_id: esimPlanId });

const planAnswer = goodsAnswer('EsimPlanAnswer', 'The eSIM.', esim, {
  found: goodsEnvelope(esimExample.title, esimExample),
});

const quoteAnswer = goodsAnswer(
  'EsimQuoteAnswer',
  'What the eSIM costs now.',
  Type.Object({
    plan_id: Type.String(),
    title: Type.String(),
    currency_code: Type.String(),
    ngn_amount: Type.String({ description: 'the naira debit of an order now' }),
  }),
  {
    quoted: goodsEnvelope('Quote of one eSIM', {
      plan_id: 'NG-1GB-7D',
      title: 'Nigeria 1 GB 7 days',
      currency_code: 'USD',
      ngn_amount: '3469.15',
    }),
  },
);

type Dependencies = Pick<ServerDependencies, 'catalog' | 'purchases'>;

const common = { tags: ['eSIM'], params: planParams, refusals: [...orderRefusals('ESIM'), unknownEsim] };

export function registerEsimPlanRoutes(api: Api, dependencies: Dependencies): void {
  const { catalog } = dependencies;
  const found = {
    ...common,
    operationId: 'getEsim',
    summary: 'Look an eSIM up',
    description: 'One eSIM of the catalog. Without an exchange rate it has no price in naira.',
    response: { 200: planAnswer },
  };
  api.get('/v1/esim/plans/:plan_id', { schema: found, ...tagged }, async (request) => {
    const plan = requirePlan(dependencies, principalOf(request), request.params.plan_id);
    const rate = catalog.fxRate(plan.currency);
    const ngnPrice = rate && priceEsim(plan, rate).ngnPrice;
    return goodsEnvelope(plan.title, esimOf({ plan, ngnPrice }));
  });
  const quoted = {
    ...common,
    operationId: 'quoteEsim',
    summary: 'Quote an eSIM',
    description: 'The current price for the wallet. An order pays the quote at its own time.',
    response: { 200: quoteAnswer },
    refusals: [...common.refusals, { code: 'no_exchange_rate', currency: 'USD' }] as const,
  };
  api.get('/v1/esim/plans/:plan_id/quote', { schema: quoted }, async (request) => {
    const plan = requirePlan(dependencies, principalOf(request), request.params.plan_id);
    const { ngnPrice } = priceEsim(plan, requireRate(catalog, plan.currency));
    return goodsEnvelope('Quote of one eSIM', {
      plan_id: plan.planId,
      title: plan.title,
      currency_code: plan.currency,
      ngn_amount: formatAmount(ngnPrice),
    });
  });
}

function requirePlan({ catalog, purchases }: Dependencies, principal: Principal, planId: string): EsimPlan {
  purchases.requireOrders(principal, 'ESIM');
  return requireEsim(catalog, principal, planId);
}
