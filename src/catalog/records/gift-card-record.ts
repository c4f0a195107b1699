/**
 * Gift cards as records of files and of the history. Reading a record that was written gives the
 * same plan.
 */
import { type Static, Type } from 'typebox';
import { parseAmount } from '../../core/money.ts';
import { giftCard } from '../../core/products/gift-card.ts';
import type { CatalogItem } from '../catalog-item.ts';
import { goodsCurrencies } from '../fx-rate.ts';
import { type CardValue, fulfillments, type GiftCardPlan } from '../gift-card-plan.ts';
import type { RecordRead } from './fault-messages.ts';
import {
  amountText,
  Country,
  ProviderCodes,
  type RawRecord,
  readBySchema,
  Text,
  withoutAbsent,
} from './read-by-schema.ts';

const GiftCardRecord = Type.Object(
  {
    plan_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    title: Text,
    brand: Text,
    region: Type.Optional(Country),
    ui_category: Text,
    currency: Type.Enum([...goodsCurrencies]),
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

export function readGiftCardRecord(raw: RawRecord): RecordRead<CatalogItem> {
  return readBySchema(GiftCardRecord, raw, (record) => {
    const value = readValue(record);
    if (value === undefined) {
      const of = record.face_value === undefined ? 'card' : 'fixed_card';
      return { faults: [{ code: 'pricing', of }] };
    }
    return { item: giftCardItem(toGiftCard(record, value)) };
  });
}

/** Reads the value of a card. Undefined when the fields contradict each other. */
function readValue({
  face_value: face,
  min_price: min,
  max_price: max,
}: Static<typeof GiftCardRecord>): CardValue | undefined {
  if (face !== undefined) {
    const faceValue = parseAmount(face);
    return faceValue === undefined || min !== undefined || max !== undefined
      ? undefined
      : { faceValue, minPrice: undefined, maxPrice: undefined };
  }
  const minPrice = parseAmount(min ?? '');
  const maxPrice = parseAmount(max ?? '');
  return minPrice === undefined || maxPrice === undefined || minPrice > maxPrice
    ? undefined
    : { faceValue: undefined, minPrice, maxPrice };
}

function toGiftCard(record: Static<typeof GiftCardRecord>, value: CardValue): GiftCardPlan {
  return {
    ...value,
    planId: record.plan_id,
    title: record.title,
    brand: record.brand,
    region: record.region,
    uiCategory: record.ui_category,
    currency: record.currency,
    featured: record.featured ?? false,
    fulfillment: record.fulfillment ?? 'immediate',
    testOnly: record.test_only ?? false,
    providerCodes: record.provider_codes,
    active: record.active,
  };
}

export function giftCardItem(item: GiftCardPlan): CatalogItem {
  return {
    kind: 'giftcard',
    key: String(item.planId),
    item,
    record: withoutAbsent({
      product: giftCard.name,
      plan_id: item.planId,
      title: item.title,
      brand: item.brand,
      region: item.region,
      ui_category: item.uiCategory,
      currency: item.currency,
      face_value: amountText(item.faceValue),
      min_price: amountText(item.minPrice),
      max_price: amountText(item.maxPrice),
      featured: item.featured,
      fulfillment: item.fulfillment,
      test_only: item.testOnly || undefined,
      active: item.active,
      provider_codes: item.providerCodes,
    }),
  };
}
