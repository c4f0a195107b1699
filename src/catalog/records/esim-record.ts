/**
 * eSIMs as records of files and of the history. Reading a record that was written gives the same
 * plan.
 */
import { type Static, Type } from 'typebox';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { esim } from '../../core/products/esim.ts';
import type { CatalogItem } from '../catalog-item.ts';
import type { EsimPlan } from '../esim-plan.ts';
import { goodsCurrencies } from '../fx-rate.ts';
import type { RecordRead } from './fault-messages.ts';
import {
  Code,
  Country,
  ProviderCodes,
  type RawRecord,
  readBySchema,
  Text,
  withoutAbsent,
} from './read-by-schema.ts';

const EsimRecord = Type.Object(
  {
    plan_id: Code,
    title: Text,
    country: Type.Optional(Country),
    region: Text,
    data_mb: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
    duration_days: Type.Integer({ minimum: 1, maximum: 3_650 }),
    currency: Type.Enum([...goodsCurrencies]),
    price: Type.String(),
    test_only: Type.Optional(Type.Boolean()),
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

export function readEsimRecord(raw: RawRecord): RecordRead<CatalogItem> {
  return readBySchema(EsimRecord, raw, (record) => {
    const price = parseAmount(record.price);
    return price === undefined
      ? { faults: [{ code: 'amount', field: 'price', value: record.price }] }
      : { item: esimItem(toEsim(record, price)) };
  });
}

function toEsim(record: Static<typeof EsimRecord>, price: bigint): EsimPlan {
  return {
    planId: record.plan_id,
    title: record.title,
    country: record.country,
    region: record.region,
    dataMb: record.data_mb,
    durationDays: record.duration_days,
    currency: record.currency,
    price,
    testOnly: record.test_only ?? false,
    providerCodes: record.provider_codes,
    active: record.active,
  };
}

export function esimItem(item: EsimPlan): CatalogItem {
  return {
    kind: 'esim',
    key: item.planId,
    item,
    record: withoutAbsent({
      product: esim.name,
      plan_id: item.planId,
      title: item.title,
      country: item.country,
      region: item.region,
      data_mb: item.dataMb,
      duration_days: item.durationDays,
      currency: item.currency,
      price: formatAmount(item.price),
      test_only: item.testOnly || undefined,
      active: item.active,
      provider_codes: item.providerCodes,
    }),
  };
}
