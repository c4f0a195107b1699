/** GET /v1/giftcards/catalog: the gift cards on sale, in catalog order. */
import { goodsCurrencies } from '../../../../catalog/fx-rate.ts';
import type { GiftCardPlan } from '../../../../catalog/gift-card-plan.ts';
import type { Listed } from '../../../../catalog/goods-index.ts';
import type { GiftCardFilter } from '../../../../catalog/search-goods.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { asBytes, createListWriter } from '../../../plumbing/goods-list.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { tagged } from '../../../plumbing/tag-answer.ts';
import { toNumber } from '../card.ts';
import { type CatalogItem, type CatalogQuery, catalogAnswer, catalogQuery } from './schema.ts';

export function registerGiftCardCatalogRoute(
  api: Api,
  { catalog, purchases }: Pick<ServerDependencies, 'catalog' | 'purchases'>,
): void {
  const schema = {
    operationId: 'listGiftCards',
    summary: 'List gift cards',
    description: 'Several filters together narrow the list. Letter case does not matter in any of them.',
    tags: ['Gift cards'],
    querystring: catalogQuery,
    response: { 200: asBytes(catalogAnswer) },
    refusals: orderRefusals('GIFTCARD'),
  };
  const write = createListWriter(toItem);
  api.get('/v1/giftcards/catalog', { schema, ...tagged }, async (request, reply) => {
    const principal = principalOf(request);
    purchases.requireOrders(principal, 'GIFTCARD');
    reply.type('application/json; charset=utf-8');
    return write(catalog.searchGiftCards(principal.environment, toFilter(request.query)));
  });
}

function toFilter({ currency, featured, search, brand, category }: CatalogQuery): GiftCardFilter {
  const wanted = goodsCurrencies.find((known) => known === currency?.toUpperCase());
  return {
    ...(search !== undefined && { search }),
    ...(brand !== undefined && { brand }),
    ...(category !== undefined && { category }),
    ...(wanted !== undefined && { currency: wanted }),
    ...(featured?.toLowerCase() === 'true' && { featured: true }),
  };
}

function toItem({ plan, ngnPrice }: Listed<GiftCardPlan>): CatalogItem {
  return {
    plan_id: plan.planId,
    title: plan.title,
    brand: plan.brand,
    ...(plan.region !== undefined && { region: plan.region }),
    ui_category: plan.uiCategory,
    ...(plan.faceValue === undefined
      ? { min_price: toNumber(plan.minPrice), max_price: toNumber(plan.maxPrice) }
      : { face_value: toNumber(plan.faceValue) }),
    currency_code: plan.currency,
    ...(ngnPrice !== undefined && { ngn_price: formatAmount(ngnPrice) }),
    fixed_price: plan.faceValue !== undefined,
    featured: plan.featured,
  };
}
