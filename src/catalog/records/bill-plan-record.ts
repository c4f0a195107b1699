/**
 * Bill plans as records of files and of the history. Reading a record that was written gives the
 * same plan.
 */
import { type Static, Type } from 'typebox';
import { parseAmount } from '../../core/money.ts';
import type { BillAmount } from '../../core/products/bill-amount.ts';
import type { BillProduct } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { BillPlan } from '../bill-plan.ts';
import type { CatalogItem } from '../catalog-item.ts';
import type { RecordFault, RecordRead } from './fault-messages.ts';
import {
  amountText,
  Code,
  ProviderCodes,
  type RawRecord,
  readBySchema,
  Text,
  withoutAbsent,
} from './read-by-schema.ts';

/** The lowest id. Data plans have the ids below. */
const ID_MIN = 2001;

const BillPlanRecord = Type.Object(
  {
    id: Type.Integer({ minimum: ID_MIN, maximum: 2_147_483_647 }),
    name: Text,
    network: Type.String(),
    amount_type: Type.Enum(['fixed', 'variable']),
    price: Type.Optional(Type.String()),
    min_amount: Type.Optional(Type.String()),
    max_amount: Type.Optional(Type.String()),
    meter_kind: Type.Optional(Type.Enum(['prepaid', 'postpaid'])),
    service_id: Type.Optional(Code),
    tariff_type_id: Type.Optional(Code),
    legacy_product_id: Type.Optional(Code),
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

/** Reads a bill plan. The check of the whole catalog verifies its biller. */
export function readBillPlanRecord(product: BillProduct, raw: RawRecord): RecordRead<CatalogItem> {
  return readBySchema(BillPlanRecord, raw, (record) => {
    const faults: RecordFault[] = [];
    if ((recordOf(product).hasMeterKinds === true) !== (record.meter_kind !== undefined)) {
      faults.push({ code: 'meter_kind', field: 'meter_kind' });
    }
    const amount = readAmount(record);
    if (amount === undefined) faults.push({ code: 'pricing', of: `${record.amount_type}_plan` });
    return amount === undefined || faults.length > 0
      ? { faults }
      : { item: billItem(toBillPlan(record, product, amount)) };
  });
}

/** Reads the price or the limits. Undefined when the fields contradict each other. */
function readAmount(record: Static<typeof BillPlanRecord>): BillAmount | undefined {
  const { amount_type: amountType, price, min_amount: min, max_amount: max } = record;
  if (amountType === 'fixed') {
    const parsed = parseAmount(price ?? '');
    return parsed === undefined || min !== undefined || max !== undefined
      ? undefined
      : { amountType, price: parsed, minAmount: undefined, maxAmount: undefined };
  }
  const minAmount = parseAmount(min ?? '');
  const maxAmount = parseAmount(max ?? '');
  return minAmount === undefined || maxAmount === undefined || minAmount > maxAmount || price !== undefined
    ? undefined
    : { amountType, price: undefined, minAmount, maxAmount };
}

function toBillPlan(
  record: Static<typeof BillPlanRecord>,
  product: BillProduct,
  amount: BillAmount,
): BillPlan {
  return {
    ...amount,
    id: record.id,
    product,
    network: record.network,
    name: record.name,
    meterKind: record.meter_kind,
    serviceId: record.service_id,
    tariffTypeId: record.tariff_type_id,
    legacyProductId: record.legacy_product_id,
    providerCodes: record.provider_codes,
    active: record.active,
  };
}

export function billItem(item: BillPlan): CatalogItem {
  return {
    kind: 'bill',
    key: String(item.id),
    item,
    record: withoutAbsent({
      product: item.product,
      id: item.id,
      network: item.network,
      name: item.name,
      amount_type: item.amountType,
      price: amountText(item.price),
      min_amount: amountText(item.minAmount),
      max_amount: amountText(item.maxAmount),
      meter_kind: item.meterKind,
      service_id: item.serviceId,
      tariff_type_id: item.tariffTypeId,
      legacy_product_id: item.legacyProductId,
      active: item.active,
      provider_codes: item.providerCodes,
    }),
  };
}
