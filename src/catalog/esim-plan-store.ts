/** The eSIM plans' rows. A plan is never deleted, only withdrawn, since vends name it for ever. */
import type { Sql, Tx } from '../db/database.ts';
import type { EsimPlan } from './esim-plan.ts';
import { isGoodsCurrency } from './fx-rate.ts';

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
  await tx.query(
    `insert into esim_plans (
       plan_id, title, country, region, data_mb, duration_days, currency, price, test_only, provider_codes, active,
       position
     )
     select
       plan_id, title, country, region, data_mb, duration_days, currency, price, test_only, provider_codes, active,
       position
     from jsonb_to_recordset($1::jsonb) as plan (
       plan_id text, title text, country text, region text, data_mb integer, duration_days integer, currency text,
       price bigint, test_only boolean, provider_codes jsonb, active boolean, position integer
     )
     on conflict (plan_id) do update set
       title = excluded.title,
       country = excluded.country,
       region = excluded.region,
       data_mb = excluded.data_mb,
       duration_days = excluded.duration_days,
       currency = excluded.currency,
       price = excluded.price,
       test_only = excluded.test_only,
       provider_codes = excluded.provider_codes,
       active = excluded.active,
       position = excluded.position`,
    [
      JSON.stringify(
        plans.map((plan, position) => ({
          plan_id: plan.planId,
          title: plan.title,
          country: plan.country,
          region: plan.region,
          data_mb: plan.dataMb,
          duration_days: plan.durationDays,
          currency: plan.currency,
          // JSON has no integers of 64 bits; as text the price reaches bigint unharmed.
          price: plan.price.toString(),
          test_only: plan.testOnly,
          provider_codes: plan.providerCodes,
          active: plan.active,
          position: position + 1,
        })),
      ),
    ],
  );
}
