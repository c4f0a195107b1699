/**
 * POST /v1/transactions/verify: looks up the customer of a bill and answers with envelope C. It
 * charges and stores nothing.
 */
import type { FastifyRequest } from 'fastify';
import { assertNever } from '../../../../core/errors.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { readBillNetwork } from '../../../plumbing/bill-network.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { refuseInvalid } from '../../../plumbing/refuse-invalid.ts';
import { type MerchantCodes, merchantRefusals, requireOwnMerchant } from '../own-merchant.ts';
import { readFields } from '../read-body.ts';
import { factsOf } from './customer-facts.ts';
import { faultExamples, type VerifyAnswer, type VerifyBody, verifyAnswer, verifyBody } from './schema.ts';

type Dependencies = MerchantCodes & Pick<ServerDependencies, 'purchases' | 'catalog'>;

export function registerVerifyRoute(api: Api, dependencies: Dependencies): void {
  const schema = {
    operationId: 'verifyCustomer',
    summary: 'Verify the customer of a bill',
    description: 'Costs nothing and stores nothing. Send plan_code or service_id, not both.',
    tags: ['Transactions'],
    body: verifyBody,
    response: { 200: verifyAnswer },
    refusals: [
      ...merchantRefusals,
      shown('rejected', refuseField('msisdn', 'customer_rejected', 'The meter number is not known')),
      shown('no_plan', notOnePlan({})),
      shown('two_plans', notOnePlan({ plan_code: '2001' })),
      ...faultExamples,
      shown('not_verified', unavailable()),
    ],
  };
  api.post(
    '/v1/transactions/verify',
    { schema, config: { looksUp: true }, schemaErrorFormatter: refuseAs400, preValidation: readFields },
    (request) => verify(dependencies, request, request.body),
  );
}

/** The interface has no 422 here: a missing field is 400 as well. */
function refuseAs400(...findings: Parameters<typeof refuseInvalid>): Refusal {
  const { reason, message, fields } = refuseInvalid(...findings);
  return new Refusal(400, reason, message, { fields });
}

async function verify(
  dependencies: Dependencies,
  request: FastifyRequest,
  body: VerifyBody,
): Promise<VerifyAnswer> {
  const principal = principalOf(request);
  const { merchant, msisdn, product, plan_code: planCode, service_id: serviceId } = body;
  await requireOwnMerchant(dependencies, request, merchant);
  requireOnePlan(body);
  const network = readBillNetwork(dependencies.catalog, product, body.network);
  const customer = { principal, product, network, planCode, serviceId, recipient: msisdn };
  const verification = await dependencies.purchases.verifyBillCustomer(customer, callerOf(request));
  switch (verification.kind) {
    case 'verified':
      return {
        state: 'ok',
        code: '00',
        message: 'Customer verified',
        result: {
          product,
          network,
          msisdn,
          customer_name: verification.customer.name,
          ...factsOf(product, verification),
        },
      };
    case 'rejected':
      throw refuseField('msisdn', 'customer_rejected', verification.message);
    case 'unavailable':
      throw unavailable();
    default:
      return assertNever(verification);
  }
}

function unavailable(): Refusal {
  return new Refusal(
    502,
    'customer_not_verified',
    'The customer could not be verified at the moment. This says nothing about the customer. Try again shortly',
  );
}

function requireOnePlan({ plan_code: planCode, service_id: serviceId }: VerifyBody): void {
  if ((planCode === undefined) === (serviceId === undefined)) throw notOnePlan({ plan_code: planCode });
}

function notOnePlan({ plan_code: planCode }: { readonly plan_code?: string | undefined }): Refusal {
  const message =
    planCode === undefined
      ? 'plan_code is required: the id of a plan from the list of bill plans, unless service_id is sent'
      : 'plan_code and service_id both name the plan: send one of them';
  const fields = planCode === undefined ? ['plan_code'] : ['plan_code', 'service_id'];
  const reason = planCode === undefined ? 'field_missing' : 'plan_named_twice';
  return new Refusal(400, reason, message, { fields: fields.map((field) => ({ field, reason, message })) });
}
