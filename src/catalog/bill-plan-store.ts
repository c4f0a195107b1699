/**
 * The bill plans' rows, in one table with the data plans so that an id stands for one plan over all
 * products. A plan is never deleted, only withdrawn, since purchases name it for ever.
 */

import type { BillAmount } from '../core/products/bill-amount.ts';
import { billProducts, isBillProduct } from '../core/products/product.ts';
import type { Sql, Tx } from '../db/database.ts';
import { type BillPlan, billPlanCode } from './bill-plan.ts';
import { type CatalogRow, upsertRows } from './upsert-store.ts';

type BillPlanRow = Pick<BillPlan, 'id' | 'network' | 'name' | 'providerCodes' | 'active'> & {
  readonly product: string;
  readonly price: bigint | null;
  readonly minAmount: bigint | null;
  readonly maxAmount: bigint | null;
  readonly meterKind: 'prepaid' | 'postpaid' | null;
  readonly serviceId: string | null;
  readonly tariffTypeId: string | null;
  readonly legacyProductId: string | null;
};

/** Every bill plan, withdrawn ones too, in catalog order. */
export async function listBillPlans(sql: Sql): Promise<BillPlan[]> {
  const rows = await sql.query<BillPlanRow>(
    `select
       id,
       product,
       network,
       name,
       price,
       min_amount as "minAmount",
       max_amount as "maxAmount",
       meter_kind as "meterKind",
       service_id as "serviceId",
       tariff_type_id as "tariffTypeId",
       legacy_product_id as "legacyProductId",
       provider_codes as "providerCodes",
       active
     from plans
     where product = any ($1::text[])
     order by position, id`,
    [billProducts],
  );
  return rows.map(toBillPlan);
}

/**
 * Makes `plans`, in their order, the bill plans of the catalog: those known by id are overwritten,
 * new ones added, and bill plans that are not among them withdrawn. Running it again changes
 * nothing.
 */
export async function replaceBillPlans(tx: Tx, plans: readonly BillPlan[]): Promise<void> {
  await upsertRows(tx, 'plans', ['plan_code'], plans.map(toRow));
  await tx.query(
    `update plans
     set active = false
     where product = any ($1::text[])
       and active
       and id <> all ($2::integer[])`,
    [billProducts, plans.map((plan) => plan.id)],
  );
}

function toBillPlan({ product, price, minAmount, maxAmount, ...row }: BillPlanRow): BillPlan {
  if (!isBillProduct(product)) throw new Error(`plan ${row.id} is of ${product}, no bill product`);
  return {
    ...row,
    product,
    ...toAmount(row.id, price, minAmount, maxAmount),
    meterKind: row.meterKind ?? undefined,
    serviceId: row.serviceId ?? undefined,
    tariffTypeId: row.tariffTypeId ?? undefined,
    legacyProductId: row.legacyProductId ?? undefined,
  };
}

function toAmount(id: number, price: bigint | null, min: bigint | null, max: bigint | null): BillAmount {
  if (price !== null) return { amountType: 'fixed', price, minAmount: undefined, maxAmount: undefined };
  if (min === null || max === null) throw new Error(`plan ${id} has neither a price nor limits`);
  return { amountType: 'variable', price: undefined, minAmount: min, maxAmount: max };
}

function toRow(plan: BillPlan, position: number): CatalogRow {
  return {
    plan_code: billPlanCode(plan),
    id: plan.id,
    product: plan.product,
    network: plan.network,
    name: plan.name,
    amount_type: plan.amountType,
    price: plan.price?.toString(),
    min_amount: plan.minAmount?.toString(),
    max_amount: plan.maxAmount?.toString(),
    meter_kind: plan.meterKind,
    service_id: plan.serviceId,
    tariff_type_id: plan.tariffTypeId,
    legacy_product_id: plan.legacyProductId,
    provider_codes: plan.providerCodes,
    active: plan.active,
    position: position + 1,
  };
}
