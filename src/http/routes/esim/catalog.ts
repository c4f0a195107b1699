/** GET /v1/esim/catalog, /v1/esim/plans/{plan_id} and its /quote: the eSIMs on sale, in catalog order, and what one costs in naira now. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type EsimPlan, priceEsim } from '../../../catalog/esim-plan.ts';
import type { EsimFilter } from '../../../catalog/search-goods.ts';
import { formatAmount } from '../../../kernel/money.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { esimCatalogAnswer, esimPlanAnswer, esimQuoteAnswer } from '../../plumbing/goods-answers.ts';
import { createListWriter, esimItem } from '../../plumbing/goods-items.ts';
import { type EsimCatalogQuery, esimCatalogQuery, esimParams } from '../../plumbing/goods-schemas.ts';
import { dropEmpty, requireEsim, requireRate } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

type Dependencies = Pick<ServerDependencies, 'goods' | 'requireOrders'>;
type PlanRoute = { Params: Static<typeof esimParams> };

export function registerEsimCatalogRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  const { goods, requireOrders } = dependencies;
  const tags = ['eSIM'];
  const params = esimParams;
  registerList(app, dependencies);

  const planOf = (request: FastifyRequest<PlanRoute>): EsimPlan => {
    const caller = callerOf(request);
    requireOrders(caller, 'ESIM');
    return requireEsim(goods, caller, request.params.plan_id);
  };
  const planSchema = {
    summary: 'Look an eSIM up',
    tags,
    params,
    response: { 200: esimPlanAnswer, ...refusalAnswers(400) },
  };
  app.get<PlanRoute>('/v1/esim/plans/:plan_id', { schema: planSchema }, async (request) => {
    const plan = planOf(request);
    const rate = goods.fxRate(plan.currency);
    const ngnPrice = rate && priceEsim(plan, rate).ngnPrice;
    return { status: 'success', code: 200, message: plan.title, data: esimItem({ plan, ngnPrice }) };
  });
  const quoteSchema = {
    summary: 'Quote an eSIM',
    tags,
    params,
    response: { 200: esimQuoteAnswer, ...refusalAnswers(400) },
  };
  app.get<PlanRoute>('/v1/esim/plans/:plan_id/quote', { schema: quoteSchema }, async (request) => {
    const plan = planOf(request);
    const { ngnPrice } = priceEsim(plan, requireRate(goods, plan.currency));
    return {
      status: 'success',
      code: 200,
      message: 'Quote of one eSIM',
      data: {
        plan_id: plan.planId,
        title: plan.title,
        currency_code: plan.currency,
        ngn_amount: formatAmount(ngnPrice),
      },
    };
  });
}

function registerList(app: FastifyInstance, { goods, requireOrders }: Dependencies): void {
  const schema = {
    summary: 'List eSIMs',
    description: 'Several filters together narrow the list. Letter case does not matter in any of them.',
    tags: ['eSIM'],
    querystring: esimCatalogQuery,
    response: { 200: esimCatalogAnswer, ...refusalAnswers(400) },
  };
  const preValidation = async (request: FastifyRequest): Promise<void> => dropEmpty(request.query);
  const write = createListWriter(esimItem);
  app.get<{ Querystring: EsimCatalogQuery }>(
    '/v1/esim/catalog',
    { schema, preValidation },
    async (request, reply) => {
      const caller = callerOf(request);
      requireOrders(caller, 'ESIM');
      const found = goods.searchEsims(caller.environment, toFilter(request.query));
      return await reply.type('application/json; charset=utf-8').send(write(found));
    },
  );
}

/** Nothing but what is asked for: a query may carry anything else besides. */
function toFilter({ country, region, search }: EsimCatalogQuery): EsimFilter {
  return {
    ...(country !== undefined && { country }),
    ...(region !== undefined && { region }),
    ...(search !== undefined && { search }),
  };
}
