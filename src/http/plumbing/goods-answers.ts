// The answers about gift cards and eSIMs, as schemas: catalogs, plans, quotes and availability share one envelope.
import { type TProperties, type TSchema, Type } from 'typebox';
import { fulfillments } from '../../catalog/gift-card-plan.ts';
import { answer, optionalText } from './answers.ts';
import { words } from './schemas.ts';

const optionalNumber = (description: string) => Type.Optional(Type.Number({ description }));

const giftCardItem = {
  plan_id: Type.Integer({ description: 'the purchase key' }),
  title: Type.String(),
  brand: Type.String(),
  region: optionalText('the country it is redeemed in; left out where it is not one country'),
  ui_category: Type.String(),
  face_value: optionalNumber('fixed cards: the value in currency_code'),
  min_price: optionalNumber('variable cards: the lowest face_value'),
  max_price: optionalNumber('variable cards: the highest face_value'),
  currency_code: Type.String(),
  ngn_price: optionalText(
    'what one card costs in naira, of a variable card at min_price; left out without a rate',
  ),
  fixed_price: Type.Boolean({ description: 'false: send face_value with quote and order' }),
  featured: Type.Boolean(),
};

const giftCardExample = {
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
};

const esimItem = {
  plan_id: Type.String({ description: 'the purchase key' }),
  title: Type.String(),
  country: Type.String({ description: 'two letters; empty where it serves more than one country' }),
  region: Type.String(),
  data_gb: Type.Number(),
  duration_days: Type.Integer(),
  currency_code: Type.String(),
  ngn_price: optionalText('what it costs in naira; left out without a rate'),
};

const esimExample = {
  plan_id: 'NG-1GB-7D',
  title: 'Nigeria 1 GB 7 days',
  country: 'NG',
  region: 'Africa',
  data_gb: 1,
  duration_days: 7,
  currency_code: 'USD',
  ngn_price: '3469.15',
};

function envelope(title: string, description: string, data: TSchema, example: unknown) {
  const properties: TProperties = {
    status: Type.Literal('success'),
    code: Type.Literal(200),
    message: Type.String(),
    data,
  };
  return answer(title, description, properties, {
    status: 'success',
    code: 200,
    message: 'OK',
    data: example,
  });
}

export const giftCardCatalogAnswer = envelope(
  'GiftCardCatalogAnswer',
  'The gift cards on sale.',
  Type.Array(Type.Object(giftCardItem)),
  [giftCardExample],
);

export const giftCardQuoteAnswer = envelope(
  'GiftCardQuoteAnswer',
  'What one card costs now.',
  Type.Object({
    plan_id: Type.Integer(),
    title: Type.String(),
    face_value: Type.Number({ description: 'of one card' }),
    currency_code: Type.String(),
    ngn_price: Type.String({ description: 'the naira debit per card' }),
    ngn_amount: Type.String({ description: 'the same as ngn_price' }),
  }),
  {
    plan_id: 300002,
    title: 'Amazon US USD 25',
    face_value: 25,
    currency_code: 'USD',
    ngn_price: '39783.75',
    ngn_amount: '39783.75',
  },
);

export const availabilityAnswer = envelope(
  'AvailabilityAnswer',
  'Whether the card can be bought now.',
  Type.Object({
    available: Type.Boolean(),
    detail: Type.String(),
    fulfillment: words(fulfillments, {
      description: 'immediate, standard: can be bought; out_of_stock, preorder: an order is refused',
    }),
  }),
  {
    available: true,
    detail: 'Available: the card comes with the order',
    fulfillment: 'immediate',
  },
);

export const esimCatalogAnswer = envelope(
  'EsimCatalogAnswer',
  'The eSIMs on sale.',
  Type.Array(Type.Object(esimItem)),
  [esimExample],
);

export const esimPlanAnswer = envelope('EsimPlanAnswer', 'The eSIM.', Type.Object(esimItem), esimExample);

export const esimQuoteAnswer = envelope(
  'EsimQuoteAnswer',
  'What the eSIM costs now.',
  Type.Object({
    plan_id: Type.String(),
    title: Type.String(),
    currency_code: Type.String(),
    ngn_amount: Type.String({ description: 'the naira debit of an order now' }),
  }),
  { plan_id: 'NG-1GB-7D', title: 'Nigeria 1 GB 7 days', currency_code: 'USD', ngn_amount: '3469.15' },
);
