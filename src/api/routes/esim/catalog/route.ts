/** GET /v1/esim/catalog: the eSIMs on sale, in catalog order. */
import type { EsimFilter } from '../../../../catalog/search-goods.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { asBytes, createListWriter } from '../../../plumbing/goods-list.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { tagged } from '../../../plumbing/tag-answer.ts';
import { esimOf } from '../esim.ts';
import { type CatalogQuery, catalogAnswer, catalogQuery } from './schema.ts';

export function registerEsimCatalogRoute(
  api: Api,
  { catalog, purchases }: Pick<ServerDependencies, 'catalog' | 'purchases'>,
): void {
  const schema = {
    operationId: 'listEsims',
    summary: 'List eSIMs',
    description: 'Several filters together narrow the list. Letter case does not matter in any of them.',
    tags: ['eSIM'],
    querystring: catalogQuery,
    response: { 200: asBytes(catalogAnswer) },
    refusals: orderRefusals('ESIM'),
  };
  const write = createListWriter(esimOf);
  api.get('/v1/esim/catalog', { schema, ...tagged }, async (request, reply) => {
    const principal = principalOf(request);
    purchases.requireOrders(principal, 'ESIM');
    reply.type('application/json; charset=utf-8');
    return write(catalog.searchEsims(principal.environment, toFilter(request.query)));
  });
}

/** Picks the filters. A query may carry other parameters. */
function toFilter({ country, region, search }: CatalogQuery): EsimFilter {
  return {
    ...(country !== undefined && { country }),
    ...(region !== undefined && { region }),
    ...(search !== undefined && { search }),
  };
}
