/** The filters of the eSIM catalog. */
import { type Static, Type } from 'typebox';
import { searched } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { esim, esimExample } from '../esim.ts';

export const catalogQuery = Type.Object({
  country: Type.Optional(
    Type.String({
      description: 'the two letters of a country, ISO 3166-1, such as NG',
      pattern: '^[A-Za-z]{2}$',
    }),
  ),
  region: searched('part of the name of a region'),
  search: searched('part of a title, country, region or plan id'),
});

export type CatalogQuery = Static<typeof catalogQuery>;

export const catalogAnswer = goodsAnswer('EsimCatalogAnswer', 'The eSIMs on sale.', Type.Array(esim), {
  found: goodsEnvelope('1 found', [esimExample]),
  nothing_found: goodsEnvelope('0 found', []),
});
