/** The filters of the gift card catalog, and its items. */
import { type Static, Type } from 'typebox';
import { goodsCurrencies } from '../../../../catalog/fx-rate.ts';
import { optionalText } from '../../../plumbing/answer.ts';
import { anyCase, searched } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';

export const catalogQuery = Type.Object({
  search: searched('part of a title or category'),
  brand: searched('the name of a brand'),
  currency: anyCase(goodsCurrencies, `one of ${goodsCurrencies.join(', ')}`),
  category: searched('the name of a category'),
  featured: anyCase(['true', 'false'], 'true for featured cards only, or false for all'),
});

export type CatalogQuery = Static<typeof catalogQuery>;

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));

const item = Type.Object({
  plan_id: Type.Integer({ description: 'the purchase key' }),
  title: Type.String(),
  brand: Type.String(),
  region: optionalText('the country where it can be redeemed; absent if there are several'),
  ui_category: Type.String(),
  face_value: optionalNumber('fixed cards: the value in currency_code'),
  min_price: optionalNumber('variable cards: the lowest face_value'),
  max_price: optionalNumber('variable cards: the highest face_value'),
  currency_code: Type.String(),
  ngn_price: optionalText(
    'the price of one card in naira, for a variable card at min_price; absent without an exchange rate',
  ),
  fixed_price: Type.Boolean({ description: 'false: send face_value with quote and order' }),
  featured: Type.Boolean(),
});

export type CatalogItem = Static<typeof item>;

export const catalogAnswer = goodsAnswer(
  'GiftCardCatalogAnswer',
  'The gift cards on sale.',
  Type.Array(item),
  {
    found: goodsEnvelope('2 found', [
      {
        plan_id: 300002,
        title: 'Amazon US USD 25',
        brand: 'Amazon',
        region: 'US',
        ui_category: 'Shopping',
        face_value: 25,
        currency_code: 'USD',
        ngn_price: '39783.75',
        fixed_price: true,
        featured: false,
      },
      {
        plan_id: 300101,
        title: 'Steam US USD 5 to 100',
        brand: 'Steam',
        region: 'US',
        ui_category: 'Gaming',
        min_price: 5,
        max_price: 100,
        currency_code: 'USD',
        ngn_price: '7956.75',
        fixed_price: false,
        featured: true,
      },
    ]),
    nothing_found: goodsEnvelope('0 found', []),
  },
);
