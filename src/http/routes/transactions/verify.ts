/** POST /v1/transactions/verify: who the customer of a bill is, in envelope C. Charges nothing, stores nothing. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { assertNever, GatewayError } from '../../../kernel/errors.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { verifyAnswer } from '../../plumbing/bill-answers.ts';
import { readBillNetwork } from '../../plumbing/bill-network.ts';
import { acceptAnyContentType, readJsonBody } from '../../plumbing/json-body.ts';
import { requireOwnMerchant } from '../../plumbing/own-merchant.ts';
import { resolveAliases, spellBillIds, spellProduct } from '../../plumbing/read-fields.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { refuseInvalid } from '../../plumbing/refuse-invalid.ts';
import { type VerifyBody, verifyBody } from '../../plumbing/schemas.ts';
import { type VerifyEnvelope, verifyEnvelope } from '../../plumbing/verify-envelope.ts';

type Dependencies = Pick<ServerDependencies, 'merchantExists' | 'vending' | 'bills'>;

export function registerVerifyRoute(app: FastifyInstance, dependencies: Dependencies): void {
  const schema = {
    summary: 'Verify the customer of a bill',
    description: 'Send plan_code or service_id, not both.',
    tags: ['Transactions'],
    body: verifyBody,
    response: { 200: verifyAnswer, ...refusalAnswers(400, 404, 502) },
  };
  app.post<{ Body: VerifyBody }>(
    '/v1/transactions/verify',
    {
      schema,
      schemaErrorFormatter: refuseAs400,
      onRequest: acceptAnyContentType,
      preValidation: readVerifyBody,
    },
    (request) => verify(dependencies, request),
  );
}

async function readVerifyBody(request: FastifyRequest): Promise<void> {
  request.body = resolveAliases(spellBillIds(spellProduct(readJsonBody(request))));
}

/** The interface knows no 422 here: what is missing is 400 as well. */
function refuseAs400(...findings: Parameters<typeof refuseInvalid>): GatewayError {
  const { message, faults } = refuseInvalid(...findings);
  return new GatewayError('invalid', message, { faults });
}

async function verify(
  dependencies: Dependencies,
  request: FastifyRequest<{ Body: VerifyBody }>,
): Promise<VerifyEnvelope> {
  const caller = callerOf(request);
  const { merchant, msisdn, product, plan_code: planCode, service_id: serviceId } = request.body;
  await requireOwnMerchant(dependencies, caller, merchant);
  requireOnePlan(request.body);
  const network = readBillNetwork(dependencies.bills, product, request.body.network);
  const verification = await dependencies.vending.verifyBillCustomer({
    caller,
    product,
    network,
    planCode,
    serviceId,
    recipient: msisdn,
  });
  switch (verification.kind) {
    case 'verified':
      return verifyEnvelope({ product, network, msisdn }, verification);
    case 'rejected':
      throw new GatewayError('invalid', verification.message, {
        faults: [{ field: 'msisdn', message: verification.message }],
      });
    case 'unavailable':
      throw new GatewayError(
        'upstream_unavailable',
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
  throw new GatewayError('invalid', message, { faults: fields.map((field) => ({ field, message })) });
}
