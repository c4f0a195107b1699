// The catalog as records, whatever the product: one flat object a plan or biller, in the words of the import format. What
// imports read, exports write, differences compare and the history keeps. Reading a record that was written gives the
// same plan.
import type { Sql } from '../db/database.ts';
import { formatAmount } from '../kernel/money.ts';
import { isBillProduct, type VendProduct } from '../products/product.ts';
import type { BillPlan } from './bill-plan.ts';
import { listBillPlans } from './bill-plan-store.ts';
import type { Biller } from './biller.ts';
import { listBillers } from './biller-store.ts';
import type { DataPlan } from './data-plan.ts';
import { listDataPlans } from './data-plan-store.ts';
import type { EsimPlan } from './esim-plan.ts';
import { listEsimPlans } from './esim-plan-store.ts';
import type { GiftCardPlan } from './gift-card-plan.ts';
import { listGiftCardPlans } from './gift-card-plan-store.ts';
import { esimRecord, giftCardRecord } from './goods-records.ts';

/** One thing of the catalog and its record. `key` names it within its kind. */
export type CatalogItem = { readonly key: string; readonly record: CatalogRecord } & (
  | { readonly kind: 'biller'; readonly item: Biller }
  | { readonly kind: 'bill'; readonly item: BillPlan }
  | { readonly kind: 'data'; readonly item: DataPlan }
  | { readonly kind: 'giftcard'; readonly item: GiftCardPlan }
  | { readonly kind: 'esim'; readonly item: EsimPlan }
);

export type CatalogKind = CatalogItem['kind'];

export type CatalogRecord = Readonly<Record<string, unknown>>;

/** Products that have plans. */
export type PlanProduct = Exclude<VendProduct, 'airtime'>;

export function billerItem(item: Biller): CatalogItem {
  const { product, network, name, aliases, active } = item;
  return {
    kind: 'biller',
    key: `${product} ${network}`,
    item,
    record: { product, network, name, aliases, active },
  };
}

export function billItem(item: BillPlan): CatalogItem {
  const optional = {
    price: item.price === undefined ? undefined : formatAmount(item.price),
    min_amount: item.minAmount === undefined ? undefined : formatAmount(item.minAmount),
    max_amount: item.maxAmount === undefined ? undefined : formatAmount(item.maxAmount),
    meter_kind: item.meterKind,
    service_id: item.serviceId,
    tariff_type_id: item.tariffTypeId,
    legacy_product_id: item.legacyProductId,
  };
  return {
    kind: 'bill',
    key: String(item.id),
    item,
    record: {
      product: item.product,
      id: item.id,
      network: item.network,
      name: item.name,
      amount_type: item.amountType,
      ...present(optional),
      active: item.active,
      provider_codes: item.providerCodes,
    },
  };
}

export function dataItem(item: DataPlan): CatalogItem {
  return {
    kind: 'data',
    key: item.planCode,
    item,
    record: {
      product: 'data',
      plan_code: item.planCode,
      id: item.id,
      network: item.network,
      name: item.name,
      description: item.description,
      price: formatAmount(item.price),
      tarrifTypeId: item.tariffTypeId,
      ...present({ product_id: item.legacyProductId }),
      validity: item.validity,
      value: item.size,
      group: item.group,
      shortCode: item.shortCode,
      active: item.active,
      provider_codes: item.providerCodes,
    },
  };
}

export function giftCardItem(item: GiftCardPlan): CatalogItem {
  return {
    kind: 'giftcard',
    key: String(item.planId),
    item,
    record: { product: 'GIFTCARD', ...giftCardRecord(item) },
  };
}

export function esimItem(item: EsimPlan): CatalogItem {
  return { kind: 'esim', key: item.planId, item, record: { product: 'ESIM', ...esimRecord(item) } };
}

/** Everything of a product, withdrawn things too, in catalog order; billers apart, where asked for. */
export async function listCatalogItems(
  sql: Sql,
  product: PlanProduct,
  what: 'plans' | 'billers' = 'plans',
): Promise<CatalogItem[]> {
  if (what === 'billers') {
    return (await listBillers(sql)).filter((biller) => biller.product === product).map(billerItem);
  }
  if (isBillProduct(product)) {
    return (await listBillPlans(sql)).filter((plan) => plan.product === product).map(billItem);
  }
  if (product === 'data') return (await listDataPlans(sql)).map(dataItem);
  return product === 'GIFTCARD'
    ? (await listGiftCardPlans(sql)).map(giftCardItem)
    : (await listEsimPlans(sql)).map(esimItem);
}

/** The whole catalog, by kind and key. */
export async function readWholeCatalog(sql: Sql): Promise<CatalogItem[]> {
  return [
    ...(await listBillers(sql)).map(billerItem),
    ...(await listBillPlans(sql)).map(billItem),
    ...(await listDataPlans(sql)).map(dataItem),
    ...(await listGiftCardPlans(sql)).map(giftCardItem),
    ...(await listEsimPlans(sql)).map(esimItem),
  ];
}

function present(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
