/**
 * The eSIM plans' rows. A plan is never deleted, only withdrawn, since purchases name it for ever.
 */
import type { Sql, Tx } from '../db/database.ts';
import type { EsimPlan } from './esim-plan.ts';
import { isGoodsCurrency } from './fx-rate.ts';
import { upsertRows } from './upsert-store.ts';

type EsimPlanRow = Omit<EsimPlan, 'currency' | 'country'> & {
  readonly currency: string;
  readonly country: string | null;
};

/** Every eSIM plan, withdrawn ones too, in catalog order. */
export async function listEsimPlans(sql: Sql): Promise<EsimPlan[]> {
  const rows = await sql.query<EsimPlanRow>(
    `select
       plan_id as "planId",
       title,
       country,
       region,
       data_mb as "dataMb",
       duration_days as "durationDays",
       currency,
       price,
       test_only as "testOnly",
       provider_codes as "providerCodes",
       active
     from esim_plans
     order by position, plan_id`,
  );
  return rows.map(({ currency, country, ...row }) => {
    if (!isGoodsCurrency(currency))
      throw new Error(`plan ${row.planId} is in ${currency}, no currency of goods`);
    return { ...row, currency, country: country ?? undefined };
  });
}

/** Adds `plans`, in their order, or overwrites those known by id. The others stay as they are. */
export async function upsertEsimPlans(tx: Tx, plans: readonly EsimPlan[]): Promise<void> {
  const rows = plans.map((plan, position) => ({
    plan_id: plan.planId,
    title: plan.title,
    country: plan.country,
    region: plan.region,
    data_mb: plan.dataMb,
    duration_days: plan.durationDays,
    currency: plan.currency,
    price: plan.price.toString(),
    test_only: plan.testOnly,
    provider_codes: plan.providerCodes,
    active: plan.active,
    position: position + 1,
  }));
  await upsertRows(tx, 'esim_plans', ['plan_id'], rows);
}
