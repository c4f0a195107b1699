/**
 * Data plans as records of files and of the history, with the field names of the interface's plan
 * lists. Reading a record that was written gives the same plan.
 */
import { type Static, Type } from 'typebox';
import { formatAmount, parseAmount } from '../../core/money.ts';
import { data } from '../../core/products/data.ts';
import { type MobileNetwork, parseMobileNetwork } from '../../core/products/network.ts';
import { dataKinds } from '../../core/products/plan-kind.ts';
import type { CatalogItem } from '../catalog-item.ts';
import type { DataPlan } from '../data-plan-index.ts';
import type { RecordFault, RecordRead } from './fault-messages.ts';
import { Code, ProviderCodes, type RawRecord, readBySchema, Text, withoutAbsent } from './read-by-schema.ts';

const DataPlanRecord = Type.Object(
  {
    plan_code: Code,
    id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    network: Type.String(),
    name: Text,
    description: Text,
    price: Type.String(),
    tarrifTypeId: Code,
    product_id: Type.Optional(Code),
    validity: Text,
    value: Text,
    group: Text,
    kind: Type.Enum([...dataKinds]),
    shortCode: Code,
    active: Type.Boolean(),
    provider_codes: ProviderCodes,
  },
  { additionalProperties: false },
);

export function readDataPlanRecord(raw: RawRecord): RecordRead<CatalogItem> {
  const named = String(raw.fields.network ?? '');
  const network = parseMobileNetwork(named);
  if (network === undefined) {
    return { faults: [{ code: 'mobile_network', field: 'network', value: named }] };
  }
  const [usual] = data.planKinds;
  return readBySchema(DataPlanRecord, { ...raw, fields: { kind: usual, ...raw.fields } }, (record) => {
    const price = parseAmount(record.price);
    const faults: RecordFault[] = [];
    if (price === undefined) faults.push({ code: 'amount', field: 'price', value: record.price });
    if (record.network !== network) {
      faults.push({ code: 'other', field: 'network', wanted: network, value: record.network });
    }
    if (!new RegExp(`^${network}-[1-9][0-9]*$`).test(record.plan_code)) {
      const wanted = `${network}-<n>`;
      faults.push({ code: 'other', field: 'plan_code', wanted, value: record.plan_code });
    }
    return price === undefined || faults.length > 0
      ? { faults }
      : { item: dataItem(toDataPlan(record, network, price)) };
  });
}

function toDataPlan(record: Static<typeof DataPlanRecord>, network: MobileNetwork, price: bigint): DataPlan {
  return {
    planCode: record.plan_code,
    id: record.id,
    network,
    name: record.name,
    description: record.description,
    price,
    tariffTypeId: record.tarrifTypeId,
    legacyProductId: record.product_id,
    validity: record.validity,
    size: record.value,
    group: record.group,
    planKind: record.kind,
    shortCode: record.shortCode,
    providerCodes: record.provider_codes,
    active: record.active,
  };
}

export function dataItem(item: DataPlan): CatalogItem {
  return {
    kind: 'data',
    key: item.planCode,
    item,
    record: withoutAbsent({
      product: data.name,
      plan_code: item.planCode,
      id: item.id,
      network: item.network,
      name: item.name,
      description: item.description,
      price: formatAmount(item.price),
      tarrifTypeId: item.tariffTypeId,
      product_id: item.legacyProductId,
      validity: item.validity,
      value: item.size,
      group: item.group,
      kind: item.planKind,
      shortCode: item.shortCode,
      active: item.active,
      provider_codes: item.providerCodes,
    }),
  };
}
