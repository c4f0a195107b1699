/** GET /v1/plans/{network}: the data plans of a network, of all kinds or one, in catalog order. */
import type { DataPlan } from '../../../../catalog/data-plan-index.ts';
import { invariant } from '../../../../core/errors.ts';
import { formatAmount } from '../../../../core/money.ts';
import { parseMobileNetwork } from '../../../../core/products/network.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { tagged } from '../../../plumbing/tag-answer.ts';
import { type DataPlansAnswer, dataPlansAnswer, plansParams, plansQuery } from './schema.ts';

export function registerDataPlansRoute(api: Api, { catalog }: Pick<ServerDependencies, 'catalog'>): void {
  const schema = {
    operationId: 'listDataPlans',
    summary: 'List the data plans of a network',
    description: 'The plans on sale, in catalog order. Send the plan_code and the price of one to buy it.',
    tags: ['Plans'],
    params: plansParams,
    querystring: plansQuery,
    response: { 200: dataPlansAnswer },
  };
  api.get(
    '/v1/plans/:network',
    { schema, ...tagged },
    async ({ params, query }): Promise<DataPlansAnswer> => {
      const network = parseMobileNetwork(params.network);
      invariant(network !== undefined, 'the schema accepts mobile networks only');
      return {
        status: '2000',
        description: `Data plans of ${network}`,
        data: catalog
          .listDataPlans(network)
          .filter(({ planKind }) => query.kind === undefined || planKind === query.kind)
          .map(planEntry),
      };
    },
  );
}

function planEntry(plan: DataPlan): DataPlansAnswer['data'][number] {
  return {
    plan_code: plan.planCode,
    id: plan.id,
    name: plan.name,
    description: plan.description,
    price: formatAmount(plan.price),
    tarrifTypeId: plan.tariffTypeId,
    validity: plan.validity,
    value: plan.size,
    group: plan.group,
    kind: plan.planKind,
    shortCode: plan.shortCode,
  };
}
