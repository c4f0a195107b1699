// POST /v1/transactions and the four routes with a fixed product: one purchase each, answered in envelope A. They
// differ in the body they take and in how the merchant waits.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { invariant } from '../../../kernel/errors.ts';
import { listWords } from '../../../kernel/list-words.ts';
import { parseAmount } from '../../../kernel/money.ts';
import type { Caller } from '../../../merchants/merchant.ts';
import { parseMobileNumber } from '../../../products/mobile-number.ts';
import { parseMobileNetwork } from '../../../products/network.ts';
import { directProducts, isBillProduct, type Product, parseProduct } from '../../../products/product.ts';
import { recordOf } from '../../../products/registry.ts';
import type { VendMode, VendRequest } from '../../../vending/vend/vend.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { createAnswer } from '../../plumbing/answers.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { readBillNetwork } from '../../plumbing/bill-network.ts';
import { type CreateEnvelope, createEnvelope } from '../../plumbing/envelopes.ts';
import { acceptAnyContentType, readJsonBody } from '../../plumbing/json-body.ts';
import { requireOwnMerchant } from '../../plumbing/own-merchant.ts';
import { resolveAliases, spellBillIds, spellProduct } from '../../plumbing/read-fields.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';
import { airtimeBody, anyProductBody, type CreateBody, dataBody } from '../../plumbing/schemas.ts';

type Dependencies = Pick<ServerDependencies, 'merchantExists' | 'vending' | 'bills'>;

type CreateRoute = {
  readonly path: string;
  /** Undefined: the body names it. */
  readonly product: Product | undefined;
  readonly mode: VendMode;
  readonly body: TObject;
  readonly summary: string;
};

const routes: readonly CreateRoute[] = [
  ...directProducts.flatMap((product): CreateRoute[] => {
    const path = `/v1/transactions/${product}`;
    const body = recordOf(product).plans === 'none' ? airtimeBody : dataBody;
    return [
      {
        path: `${path}/sync`,
        product,
        mode: 'sync',
        body,
        summary: `Buy ${product} and wait for the outcome`,
      },
      { path: `${path}/async`, product, mode: 'async', body, summary: `Buy ${product}, answered at once` },
    ];
  }),
  {
    path: '/v1/transactions',
    product: undefined,
    mode: 'async',
    body: anyProductBody,
    summary: `Buy any product: ${listWords(directProducts, 'and')} are answered at once, bills with their outcome`,
  },
];

export function registerCreateRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  for (const route of routes) {
    const schema = {
      summary: route.summary,
      tags: ['Transactions'],
      body: route.body,
      response: {
        200: createAnswer(route.mode),
        ...refusalAnswers(400, 404, 422),
      },
    };
    const hooks = { onRequest: acceptAnyContentType, preValidation: readCreateBody };
    app.post(route.path, { schema, ...hooks }, (request) => create(dependencies, route, request));
  }
}

async function readCreateBody(request: FastifyRequest): Promise<void> {
  request.body = resolveAliases(spellBillIds(spellProduct(readJsonBody(request))));
}

async function create(
  dependencies: Dependencies,
  route: CreateRoute,
  request: FastifyRequest,
): Promise<CreateEnvelope> {
  const caller = callerOf(request);
  // The route's schema has accepted it.
  const body = request.body as CreateBody;
  const product = route.product ?? parseProduct(body.product ?? '');
  invariant(product !== undefined, 'a valid body names a product');
  await requireOwnMerchant(dependencies, caller, body.merchant);
  const mode = isBillProduct(product) ? 'sync' : route.mode;
  const vend = await dependencies.vending.vend(toVendRequest(dependencies, caller, product, body), mode);
  request.vendReference = vend.id;
  return createEnvelope(vend, mode);
}

function toVendRequest(
  { bills }: Pick<Dependencies, 'bills'>,
  caller: Caller,
  product: Product,
  body: CreateBody,
): VendRequest {
  const bill = isBillProduct(product);
  const network = bill ? readBillNetwork(bills, product, body.network) : parseMobileNetwork(body.network);
  const recipient = bill ? body.msisdn : parseMobileNumber(body.msisdn);
  const faceValue = parseAmount(body.amount);
  invariant(
    network !== undefined && recipient !== undefined && faceValue !== undefined,
    'the schema accepts only what the core can read',
  );
  return {
    caller,
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
