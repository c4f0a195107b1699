/**
 * POST /v1/transactions/verify: who the customer of a bill is, in envelope C. Charges nothing,
 * stores nothing.
 */
import { assertNever } from '../../../../kernel/errors.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { readBillNetwork } from '../../../plumbing/bill-network.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { refusalAnswers } from '../../../plumbing/refusals.ts';
import { refuseInvalid } from '../../../plumbing/refuse-invalid.ts';
import { requireOwnMerchant } from '../own-merchant.ts';
import { readFields } from '../read-body.ts';
import { factsOf } from './customer-facts.ts';
import { type VerifyAnswer, type VerifyBody, verifyAnswer, verifyBody } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'merchantExists' | 'vending' | 'bills'>;

export function registerVerifyRoute(api: Api, dependencies: Dependencies): void {
  const schema = {
    summary: 'Verify the customer of a bill',
    description: 'Send plan_code or service_id, not both.',
    tags: ['Transactions'],
    body: verifyBody,
    response: { 200: verifyAnswer, ...refusalAnswers(400, 404, 502) },
  };
  api.post(
    '/v1/transactions/verify',
    { schema, schemaErrorFormatter: refuseAs400, preValidation: readFields },
    (request) => verify(dependencies, principalOf(request), request.body),
  );
}

/** The interface knows no 422 here: what is missing is 400 as well. */
function refuseAs400(...findings: Parameters<typeof refuseInvalid>): Refusal {
  const { message, fields } = refuseInvalid(...findings);
  return new Refusal(400, message, { fields });
}

async function verify(
  dependencies: Dependencies,
  principal: Principal,
  body: VerifyBody,
): Promise<VerifyAnswer> {
  const { merchant, msisdn, product, plan_code: planCode, service_id: serviceId } = body;
  await requireOwnMerchant(dependencies, principal, merchant);
  requireOnePlan(body);
  const network = readBillNetwork(dependencies.bills, product, body.network);
  const verification = await dependencies.vending.verifyBillCustomer({
    principal,
    product,
    network,
    planCode,
    serviceId,
    recipient: msisdn,
  });
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
      throw refuseField('msisdn', verification.message);
    case 'unavailable':
      throw new Refusal(
        502,
        'The customer could not be verified at the moment; nothing is known against him: try again a little later',
      );
    default:
      return assertNever(verification);
  }
}

function requireOnePlan({ plan_code: planCode, service_id: serviceId }: VerifyBody): void {
  if ((planCode === undefined) !== (serviceId === undefined)) return;
  const message =
    planCode === undefined
      ? 'plan_code is required: the id of a plan from the list of bill plans, unless service_id is sent'
      : 'plan_code and service_id both name the plan: send one of them';
  const fields = planCode === undefined ? ['plan_code'] : ['plan_code', 'service_id'];
  throw new Refusal(400, message, { fields: fields.map((field) => ({ field, message })) });
}
