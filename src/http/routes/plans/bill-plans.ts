/** GET /v1/plans/bills/{product}: the bill plans of a product, of all its networks or of one, in catalog order. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { BillPlan } from '../../../catalog/bill-plan.ts';
import { invariant } from '../../../kernel/errors.ts';
import { formatAmount } from '../../../kernel/money.ts';
import { isBillProduct, parseProduct } from '../../../products/product.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { billPlansAnswer } from '../../plumbing/bill-answers.ts';
import { readBillNetwork } from '../../plumbing/bill-network.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { billPlanParams, billPlanQuery } from '../../plumbing/schemas.ts';

type Route = { Params: Static<typeof billPlanParams>; Querystring: Static<typeof billPlanQuery> };

export function registerBillPlansRoute(
  app: FastifyInstance,
  { bills }: Pick<ServerDependencies, 'bills'>,
): void {
  const schema = {
    summary: 'List the plans of a bill product',
    tags: ['Plans'],
    params: billPlanParams,
    querystring: billPlanQuery,
    response: { 200: billPlansAnswer, ...refusalAnswers(400) },
  };
  app.get<Route>('/v1/plans/bills/:product', { schema }, async ({ params, query }) => {
    const product = parseProduct(params.product);
    invariant(product !== undefined && isBillProduct(product), 'the schema accepts bill products only');
    const network = query.network === undefined ? undefined : readBillNetwork(bills, product, query.network);
    return {
      status: '2000',
      description: network === undefined ? `Plans of ${product}` : `Plans of ${network} ${product}`,
      data: bills.listBillPlans(product, network).map(planEntry),
    };
  });
}

function planEntry(plan: BillPlan): Record<string, unknown> {
  return {
    id: plan.id,
    name: plan.name,
    network: plan.network,
    product: plan.product,
    amount_type: plan.amountType,
    ...(plan.amountType === 'fixed' ? { price: formatAmount(plan.price) } : {}),
  };
}
