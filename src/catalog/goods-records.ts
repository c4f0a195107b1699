// Gift cards, eSIMs and rates as records of a file: the words of the demo catalog, of imports and exports and of the
// history of changes. Reading a record that was written gives the same plan.
import { type Static, Type } from 'typebox';
import { formatAmount, parseAmount } from '../kernel/money.ts';
import { type EntryRead, ProviderCodes, Text } from './demo-files.ts';
import type { EsimPlan } from './esim-plan.ts';
import { type FxRate, goodsCurrencies, parseRate } from './fx-rate.ts';
import { type CardValue, fulfillments, type GiftCardPlan } from './gift-card-plan.ts';

const Currency = Type.Enum([...goodsCurrencies]);
const Country = Type.String({ pattern: '^[A-Z]{2}$' });

export const GiftCardEntry = Type.Object(
  {
    plan_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    title: Text,
    brand: Text,
    region: Type.Optional(Country),
    ui_category: Text,
    currency: Currency,
    face_value: Type.Optional(Type.String()),
    min_price: Type.Optional(Type.String()),
    max_price: Type.Optional(Type.String()),
    featured: Type.Optional(Type.Boolean()),
    fulfillment: Type.Optional(Type.Enum([...fulfillments])),
    test_only: Type.Optional(Type.Boolean()),
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

export const EsimEntry = Type.Object(
  {
    plan_id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$' }),
    title: Text,
    country: Type.Optional(Country),
    region: Text,
    data_mb: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
    duration_days: Type.Integer({ minimum: 1, maximum: 3_650 }),
    currency: Currency,
    price: Type.String(),
    test_only: Type.Optional(Type.Boolean()),
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

export const FxEntry = Type.Object(
  { currency: Currency, rate: Type.String(), margin_percent: Type.String() },
  { additionalProperties: false },
);

export function readGiftCard(entry: Static<typeof GiftCardEntry>): EntryRead<GiftCardPlan> {
  const value = readValue(entry);
  if (typeof value === 'string') return { faults: [value] };
  return {
    item: {
      ...value,
      planId: entry.plan_id,
      title: entry.title,
      brand: entry.brand,
      region: entry.region,
      uiCategory: entry.ui_category,
      currency: entry.currency,
      featured: entry.featured ?? false,
      fulfillment: entry.fulfillment ?? 'immediate',
      testOnly: entry.test_only ?? false,
      providerCodes: entry.provider_codes,
      active: entry.active,
    },
  };
}

/** How the card is paid, or what is wrong with that. */
function readValue({
  face_value: face,
  min_price: min,
  max_price: max,
}: Static<typeof GiftCardEntry>): CardValue | string {
  if (face !== undefined) {
    const faceValue = parseAmount(face);
    return faceValue === undefined || min !== undefined || max !== undefined
      ? 'a fixed card has a face_value above zero and neither min_price nor max_price'
      : { faceValue, minPrice: undefined, maxPrice: undefined };
  }
  const minPrice = parseAmount(min ?? '');
  const maxPrice = parseAmount(max ?? '');
  return minPrice === undefined || maxPrice === undefined || minPrice > maxPrice
    ? 'a card has a face_value, or a min_price above zero and a max_price not below it'
    : { faceValue: undefined, minPrice, maxPrice };
}

export function readEsim(entry: Static<typeof EsimEntry>): EntryRead<EsimPlan> {
  const price = parseAmount(entry.price);
  if (price === undefined) return { faults: [`price is no amount above zero: ${entry.price}`] };
  return {
    item: {
      planId: entry.plan_id,
      title: entry.title,
      country: entry.country,
      region: entry.region,
      dataMb: entry.data_mb,
      durationDays: entry.duration_days,
      currency: entry.currency,
      price,
      testOnly: entry.test_only ?? false,
      providerCodes: entry.provider_codes,
      active: entry.active,
    },
  };
}

export function readFxRate(entry: Static<typeof FxEntry>): EntryRead<FxRate> {
  const rateMicro = parseRate(entry.rate);
  const marginBasisPoints = parseMargin(entry.margin_percent);
  const faults = [
    ...(rateMicro === undefined ? [`rate is no number of naira above zero: ${entry.rate}`] : []),
    ...(marginBasisPoints === undefined ? [`margin_percent is not 0 to 100: ${entry.margin_percent}`] : []),
  ];
  return rateMicro === undefined || marginBasisPoints === undefined
    ? { faults }
    : { item: { currency: entry.currency, rateMicro, marginBasisPoints } };
}

/** A percentage from 0 to 100 with at most two decimals, as basis points. */
export function parseMargin(text: string): number | undefined {
  const basisPoints = /^0+(?:\.0{1,2})?$/.test(text) ? 0 : Number(parseAmount(text) ?? -1n);
  return basisPoints >= 0 && basisPoints <= 10_000 ? basisPoints : undefined;
}

/** What is absent in a plan is absent in its record, and so is what has its usual value. */
export function giftCardRecord(plan: GiftCardPlan): Record<string, unknown> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    brand: plan.brand,
    ...(plan.region !== undefined && { region: plan.region }),
    ui_category: plan.uiCategory,
    currency: plan.currency,
    ...(plan.faceValue === undefined
      ? { min_price: formatAmount(plan.minPrice), max_price: formatAmount(plan.maxPrice) }
      : { face_value: formatAmount(plan.faceValue) }),
    featured: plan.featured,
    fulfillment: plan.fulfillment,
    ...(plan.testOnly && { test_only: true }),
    active: plan.active,
    provider_codes: plan.providerCodes,
  };
}

export function esimRecord(plan: EsimPlan): Record<string, unknown> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    ...(plan.country !== undefined && { country: plan.country }),
    region: plan.region,
    data_mb: plan.dataMb,
    duration_days: plan.durationDays,
    currency: plan.currency,
    price: formatAmount(plan.price),
    ...(plan.testOnly && { test_only: true }),
    active: plan.active,
    provider_codes: plan.providerCodes,
  };
}
