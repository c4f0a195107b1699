/**
 * POST /v1/transactions and the four routes with a fixed product: one purchase each, answered in
 * envelope A. They differ in the body they take and in how the merchant waits.
 */
import type { FastifyRequest } from 'fastify';
import { formatRfc3339 } from '../../../../kernel/clock.ts';
import { invariant } from '../../../../kernel/errors.ts';
import { listWords } from '../../../../kernel/list-words.ts';
import { parseAmount } from '../../../../kernel/money.ts';
import type { Principal } from '../../../../merchants/merchant.ts';
import { billRecipient } from '../../../../products/bill-recipient.ts';
import { parseMobileNumber } from '../../../../products/mobile-number.ts';
import { parseMobileNetwork } from '../../../../products/network.ts';
import { directProducts, isBillProduct } from '../../../../products/product.ts';
import { recordOf } from '../../../../products/registry.ts';
import type { Vend, VendMode, VendRequest } from '../../../../vending/vend/vend.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import { outcomeCodes } from '../../../plumbing/answer.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { readBillNetwork } from '../../../plumbing/bill-network.ts';
import { outcomeWords } from '../../../plumbing/outcome-words.ts';
import { refusalAnswers } from '../../../plumbing/refusals.ts';
import { requireOwnMerchant } from '../own-merchant.ts';
import { goodsOf, purchaseOf } from '../purchase.ts';
import { readFields } from '../read-body.ts';
import {
  airtimeBody,
  anyProductBody,
  type CreateAnswer,
  createAnswer,
  dataBody,
  type PurchaseBody,
} from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'merchantExists' | 'vending' | 'bills'>;

const config = { creates: true } as const;

export function registerCreateRoutes(api: Api, dependencies: Dependencies): void {
  const preValidation = readFields;
  for (const product of directProducts) {
    const body = recordOf(product).plans === 'none' ? airtimeBody : dataBody;
    const path = `/v1/transactions/${product}`;
    const sync = { ...common('sync', `Buy ${product} and wait for the outcome`), body };
    api.post(`${path}/sync`, { schema: sync, config, preValidation }, (request) =>
      create(dependencies, request, { ...request.body, product }, 'sync'),
    );
    const async = { ...common('async', `Buy ${product}, answered at once`), body };
    api.post(`${path}/async`, { schema: async, config, preValidation }, (request) =>
      create(dependencies, request, { ...request.body, product }, 'async'),
    );
  }
  const summary = `Buy any product: ${listWords(directProducts, 'and')} are answered at once, bills with their outcome`;
  const schema = { ...common('async', summary), body: anyProductBody };
  api.post('/v1/transactions', { schema, config, preValidation }, (request) =>
    create(dependencies, request, request.body, 'async'),
  );
}

function common(mode: VendMode, summary: string) {
  return {
    summary,
    tags: ['Transactions'],
    response: { 200: createAnswer(mode), ...refusalAnswers(400, 404, 422) },
  };
}

/** `mode` is that of the route: bills are sync on each. */
async function create(
  dependencies: Dependencies,
  request: FastifyRequest,
  body: PurchaseBody,
  mode: VendMode,
): Promise<CreateAnswer> {
  const principal = principalOf(request);
  await requireOwnMerchant(dependencies, principal, body.merchant);
  const waiting = isBillProduct(body.product) ? 'sync' : mode;
  const vend = await dependencies.vending.vend(toVendRequest(dependencies, principal, body), waiting);
  request.vendReference = vend.id;
  return createEnvelope(vend, waiting);
}

function toVendRequest(
  { bills }: Pick<Dependencies, 'bills'>,
  principal: Principal,
  body: PurchaseBody,
): VendRequest {
  const { product } = body;
  const bill = isBillProduct(product);
  const network = bill ? readBillNetwork(bills, product, body.network) : parseMobileNetwork(body.network);
  const recipient =
    bill && network !== undefined
      ? billRecipient(product, network, body.msisdn)
      : parseMobileNumber(body.msisdn);
  const faceValue = parseAmount(body.amount);
  invariant(
    network !== undefined && recipient !== undefined && faceValue !== undefined,
    'the schema accepts only what the core can read',
  );
  return {
    principal,
    reference: body.request_ref,
    product,
    network,
    planCode: recordOf(product).plans === 'none' ? undefined : body.plan_code,
    msisdn: body.msisdn,
    recipient,
    faceValue,
    phone: bill ? body.phone : undefined,
  };
}

/** Envelope A. An async create does not carry `created_at`. */
function createEnvelope(vend: Vend, mode: VendMode): CreateAnswer {
  return {
    status: vend.status,
    response_code: outcomeCodes[vend.status],
    response_message: outcomeWords(vend),
    data: {
      ...purchaseOf(vend),
      ...(mode === 'sync' && { created_at: formatRfc3339(vend.createdAt) }),
      ...goodsOf(vend),
    },
  };
}
