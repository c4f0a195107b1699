/** GET /v1/giftcards/catalog: the gift cards on sale, in catalog order. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { goodsCurrencies } from '../../../catalog/fx-rate.ts';
import type { GiftCardFilter } from '../../../catalog/search-goods.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { giftCardCatalogAnswer } from '../../plumbing/goods-answers.ts';
import { createListWriter, giftCardItem } from '../../plumbing/goods-items.ts';
import { type GiftCardCatalogQuery, giftCardCatalogQuery } from '../../plumbing/goods-schemas.ts';
import { dropEmpty } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

export function registerGiftCardCatalogRoute(
  app: FastifyInstance,
  { goods, requireOrders }: Pick<ServerDependencies, 'goods' | 'requireOrders'>,
): void {
  const schema = {
    summary: 'List gift cards',
    description: 'Several filters together narrow the list. Letter case does not matter in any of them.',
    tags: ['Gift cards'],
    querystring: giftCardCatalogQuery,
    response: { 200: giftCardCatalogAnswer, ...refusalAnswers(400) },
  };
  const preValidation = async (request: FastifyRequest): Promise<void> => dropEmpty(request.query);
  const write = createListWriter(giftCardItem);
  app.get<{ Querystring: GiftCardCatalogQuery }>(
    '/v1/giftcards/catalog',
    { schema, preValidation },
    async (request, reply) => {
      const caller = callerOf(request);
      requireOrders(caller, 'GIFTCARD');
      const found = goods.searchGiftCards(caller.environment, toFilter(request.query));
      return await reply.type('application/json; charset=utf-8').send(write(found));
    },
  );
}

function toFilter({ currency, featured, search, brand, category }: GiftCardCatalogQuery): GiftCardFilter {
  const wanted = goodsCurrencies.find((known) => known === currency?.toUpperCase());
  return {
    ...(search !== undefined && { search }),
    ...(brand !== undefined && { brand }),
    ...(category !== undefined && { category }),
    ...(wanted !== undefined && { currency: wanted }),
    ...(featured?.toLowerCase() === 'true' && { featured: true }),
  };
}
