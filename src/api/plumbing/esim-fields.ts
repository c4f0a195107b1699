/** The fields by which requests name an eSIM, its order and its plan. */

import type { Catalog } from '../../catalog/catalog.ts';
import type { EsimPlan } from '../../catalog/esim-plan.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { requestId, text } from './fields.ts';
import { shown } from './openapi/annotations.ts';
import { type Refusal, refuseField } from './refusal.ts';

export const esimPlanId = text('the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D"', {
  format: 'clean-text',
  maxLength: 60,
  examples: ['NG-1GB-7D'],
  'x-or-integer': true,
});

export const esimRequestId = requestId(40, 'esim-20261121-0001');

/** Throws a Refusal, 404. */
export function requireEsim(
  catalog: Pick<Catalog, 'findEsimPlan'>,
  principal: Principal,
  planId: string,
  field: 'plan_id' | 'plan' = 'plan_id',
): EsimPlan {
  const plan = catalog.findEsimPlan(planId, principal.environment);
  if (plan !== undefined) return plan;
  throw unknown(field);
}

function unknown(field: 'plan_id' | 'plan'): Refusal {
  const message = `No eSIM on sale has this ${field}. List eSIMs with GET /v1/esim/catalog.`;
  return refuseField(field, 'esim_plan_unknown', message, 404);
}

/** For the OpenAPI document. */
export const unknownEsim = shown('unknown_esim', unknown('plan_id'));
export const unknownEsimPlan = shown('unknown_esim', unknown('plan'));
