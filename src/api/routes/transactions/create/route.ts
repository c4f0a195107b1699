/**
 * POST /v1/transactions and the four routes with a fixed product: each creates one purchase and
 * answers with envelope A. They differ in their bodies and in how the merchant waits.
 */
import type { FastifyRequest } from 'fastify';
import { directProducts, isBillProduct, type Product } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { PurchaseMode } from '../../../../purchases/state/purchase.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { type MerchantCodes, requireOwnMerchant } from '../own-merchant.ts';
import { readDirectFields, readFields } from '../read-body.ts';
import { anyProductRoute, asyncRoute, syncRoute } from './describe-routes.ts';
import { createEnvelope } from './envelope.ts';
import { readTransaction, readTransactionOf } from './read-sent.ts';
import { airtimeBody, anyProductBody, type CreateAnswer, dataBody, type PurchaseBody } from './schema.ts';
import { toPurchaseRequest } from './to-purchase-request.ts';

type Dependencies = MerchantCodes & Pick<ServerDependencies, 'purchases' | 'catalog'>;

export function registerCreateRoutes(api: Api, dependencies: Dependencies): void {
  for (const product of directProducts) {
    const body = recordOf(product).plans === 'none' ? airtimeBody : dataBody;
    const path = `/v1/transactions/${product}`;
    const config = { creates: readTransactionOf(product) };
    const sync = { ...syncRoute(product), body };
    api.post(`${path}/sync`, { schema: sync, config, preValidation: readDirectFields }, (request) =>
      create(dependencies, request, request.body, product, 'sync'),
    );
    const async = { ...asyncRoute(product), body };
    api.post(`${path}/async`, { schema: async, config, preValidation: readDirectFields }, (request) =>
      create(dependencies, request, request.body, product, 'async'),
    );
  }
  const schema = { ...anyProductRoute(), body: anyProductBody };
  const config = { creates: readTransaction };
  api.post('/v1/transactions', { schema, config, preValidation: readFields }, (request) =>
    create(dependencies, request, request.body, request.body.product, 'async'),
  );
}

/** `mode` is that of the route. Bills are sync on each. */
async function create(
  dependencies: Dependencies,
  request: FastifyRequest,
  body: Omit<PurchaseBody, 'product'>,
  product: Product,
  mode: PurchaseMode,
): Promise<CreateAnswer> {
  const principal = principalOf(request);
  const refusing = requireOwnMerchant(dependencies, request, body.merchant);
  if (refusing !== undefined) await refusing;
  const waiting = isBillProduct(product) ? 'sync' : mode;
  const order = toPurchaseRequest(dependencies, principal, body, product);
  const purchase = await dependencies.purchases.purchase(order, waiting, callerOf(request));
  request.purchaseReference = purchase.id;
  return createEnvelope(purchase, waiting);
}
