/**
 * The data plans' rows. A plan is never deleted, only withdrawn, since purchases name it for ever.
 */

import { data } from '../core/products/data.ts';
import { parseMobileNetwork } from '../core/products/network.ts';
import type { Sql, Tx } from '../db/database.ts';
import type { DataPlan } from './data-plan-index.ts';
import { type CatalogRow, upsertRows } from './upsert-store.ts';

type PlanRow = Omit<DataPlan, 'network' | 'legacyProductId'> & {
  readonly network: string;
  readonly legacyProductId: string | null;
};

/** Every data plan, withdrawn ones too, in catalog order. */
export async function listDataPlans(sql: Sql): Promise<DataPlan[]> {
  const rows = await sql.query<PlanRow>(
    `select
       plan_code as "planCode",
       id,
       network,
       name,
       description,
       price,
       tariff_type_id as "tariffTypeId",
       legacy_product_id as "legacyProductId",
       validity,
       size,
       plan_group as "group",
       short_code as "shortCode",
       provider_codes as "providerCodes",
       active
     from plans
     where product = $1
     order by position, id`,
    [data.name],
  );
  return rows.map(toDataPlan);
}

/**
 * Makes `plans`, in their order, the data plans of the catalog: those known by plan code are
 * overwritten, new ones added, and data plans that are not among them withdrawn. Running it again
 * changes nothing.
 */
export async function replaceDataPlans(tx: Tx, plans: readonly DataPlan[]): Promise<void> {
  await upsertRows(tx, 'plans', ['plan_code'], plans.map(toRow));
  await tx.query(
    `update plans
     set active = false
     where product = $2
       and active
       and plan_code <> all ($1::text[])`,
    [plans.map((plan) => plan.planCode), data.name],
  );
}

function toDataPlan(row: PlanRow): DataPlan {
  const network = parseMobileNetwork(row.network);
  if (network === undefined) throw new Error(`plan ${row.planCode} is of ${row.network}, no mobile network`);
  return { ...row, network, legacyProductId: row.legacyProductId ?? undefined };
}

function toRow(plan: DataPlan, position: number): CatalogRow {
  return {
    plan_code: plan.planCode,
    id: plan.id,
    product: data.name,
    network: plan.network,
    name: plan.name,
    description: plan.description,
    price: plan.price.toString(),
    tariff_type_id: plan.tariffTypeId,
    legacy_product_id: plan.legacyProductId ?? null,
    validity: plan.validity,
    size: plan.size,
    plan_group: plan.group,
    short_code: plan.shortCode,
    provider_codes: plan.providerCodes,
    active: plan.active,
    position: position + 1,
  };
}
