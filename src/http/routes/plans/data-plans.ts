/** GET /v1/plans/{network}: the data plans of one network, in catalog order. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { DataPlan } from '../../../catalog/data-plan.ts';
import { invariant } from '../../../kernel/errors.ts';
import { formatAmount } from '../../../kernel/money.ts';
import { parseMobileNetwork } from '../../../products/network.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { dataPlansAnswer } from '../../plumbing/answers.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { planParams } from '../../plumbing/schemas.ts';

export function registerDataPlansRoute(
  app: FastifyInstance,
  { plans }: Pick<ServerDependencies, 'plans'>,
): void {
  const schema = {
    summary: 'List the data plans of a network',
    tags: ['Plans'],
    params: planParams,
    response: { 200: dataPlansAnswer, ...refusalAnswers(400) },
  };
  app.get<{ Params: Static<typeof planParams> }>('/v1/plans/:network', { schema }, async (request) => {
    const network = parseMobileNetwork(request.params.network);
    invariant(network !== undefined, 'the schema accepts mobile networks only');
    return { status: '2000', description: `Data plans of ${network}`, data: plans(network).map(planEntry) };
  });
}

function planEntry(plan: DataPlan): Record<string, unknown> {
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
    shortCode: plan.shortCode,
  };
}
