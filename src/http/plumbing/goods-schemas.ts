// What gift card and eSIM requests carry, as schemas; orders are elsewhere. A field's description ends the sentence
// "<field> must be …".
import { type Static, type TSchema, Type } from 'typebox';
import { goodsCurrencies } from '../../catalog/fx-rate.ts';

const TEXT_MAX = 100;
const quantityMax = 5;

function searched(what: string, maxLength = TEXT_MAX) {
  return Type.Optional(
    Type.String({ description: `${what}, at most ${maxLength} characters`, format: 'clean-text', maxLength }),
  );
}

function anyCase(words: readonly string[], description: string) {
  const letters = words.map((word) =>
    [...word].map((c) => `[${c.toUpperCase()}${c.toLowerCase()}]`).join(''),
  );
  return Type.Optional(Type.String({ description, pattern: `^(?:${letters.join('|')})$` }));
}

export const giftCardCatalogQuery = Type.Object({
  search: searched('part of a title or category'),
  brand: searched('the name of a brand'),
  currency: anyCase(goodsCurrencies, `one of ${goodsCurrencies.join(', ')}`),
  category: searched('the name of a category'),
  featured: anyCase(['true', 'false'], 'true for featured cards only, or false for all'),
});

export type GiftCardCatalogQuery = Static<typeof giftCardCatalogQuery>;

export const giftCardPlanId = Type.Integer({
  description: 'the plan_id of a gift card in the catalog, a whole number such as 300002',
  minimum: 1,
  maximum: 2_147_483_647,
  examples: [300002],
});

export const giftCardParams = Type.Object({ plan_id: giftCardPlanId });

const faceValueWords =
  "the value of one card in the plan's currency, within min_price and max_price: above zero with at most two decimals";

/** Of variable plans; `readFaceValue` reads it. */
export const faceValue = Type.Optional(
  Type.Unsafe<number | string>({
    // A refusal takes its words from the part that refused.
    anyOf: ['number', 'string'].map((type) => ({ type, description: faceValueWords })),
    description: faceValueWords,
    examples: [25],
  } as TSchema),
);

export const faceValueQuery = Type.Object({ face_value: faceValue });

export const giftCardQuoteBody = Type.Object(
  { plan_id: giftCardPlanId, face_value: faceValue },
  { description: 'a JSON object', title: 'GiftCardQuoteBody', examples: [{ plan_id: 300002 }] },
);

export const quantity = Type.Integer({
  description: `a whole number from 1 to ${quantityMax}`,
  minimum: 1,
  maximum: quantityMax,
  default: 1,
});

export const availabilityQuery = Type.Object({ quantity: Type.Optional(quantity), face_value: faceValue });

export const esimCatalogQuery = Type.Object({
  country: Type.Optional(
    Type.String({
      description: 'the two letters of a country, ISO 3166-1, such as NG',
      pattern: '^[A-Za-z]{2}$',
    }),
  ),
  region: searched('part of the name of a region'),
  search: searched('part of a title, country, region or plan id'),
});

export type EsimCatalogQuery = Static<typeof esimCatalogQuery>;

export const esimPlanId = Type.String({
  description: 'the plan_id of an eSIM in the catalog, a string such as "NG-1GB-7D"',
  format: 'clean-text',
  minLength: 1,
  maxLength: 60,
  examples: ['NG-1GB-7D'],
});

export const esimParams = Type.Object({ plan_id: esimPlanId });
