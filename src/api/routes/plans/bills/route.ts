/**
 * GET /v1/plans/bills/{product}: the bill plans of a product, of all its networks or of one, in
 * catalog order.
 */
import type { BillPlan } from '../../../../catalog/bill-plan.ts';
import { invariant } from '../../../../core/errors.ts';
import { formatAmount } from '../../../../core/money.ts';
import { isBillProduct, parseProduct } from '../../../../core/products/product.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { readBillNetwork } from '../../../plumbing/bill-network.ts';
import { tagged } from '../../../plumbing/tag-answer.ts';
import { type BillPlansAnswer, billPlansAnswer, plansParams, plansQuery } from './schema.ts';

export function registerBillPlansRoute(api: Api, { catalog }: Pick<ServerDependencies, 'catalog'>): void {
  const schema = {
    operationId: 'listBillPlans',
    summary: 'List the plans of a bill product',
    description: 'The plans on sale of all networks of the product, or of one, in catalog order.',
    tags: ['Plans'],
    params: plansParams,
    querystring: plansQuery,
    response: { 200: billPlansAnswer },
  };
  api.get(
    '/v1/plans/bills/:product',
    { schema, ...tagged },
    async ({ params, query }): Promise<BillPlansAnswer> => {
      const product = parseProduct(params.product);
      invariant(product !== undefined && isBillProduct(product), 'the schema accepts bill products only');
      const network =
        query.network === undefined ? undefined : readBillNetwork(catalog, product, query.network);
      return {
        status: '2000',
        description: network === undefined ? `Plans of ${product}` : `Plans of ${network} ${product}`,
        data: catalog.listBillPlans(product, network).map(planEntry),
      };
    },
  );
}

function planEntry(plan: BillPlan): BillPlansAnswer['data'][number] {
  return {
    id: plan.id,
    name: plan.name,
    network: plan.network,
    product: plan.product,
    amount_type: plan.amountType,
    ...(plan.amountType === 'fixed' ? { price: formatAmount(plan.price) } : {}),
  };
}
