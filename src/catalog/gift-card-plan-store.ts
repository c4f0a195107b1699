/**
 * The gift card plans' rows. A plan is never deleted, only withdrawn, since vends name it for ever.
 */
import type { Sql, Tx } from '../db/database.ts';
import { isGoodsCurrency } from './fx-rate.ts';
import type { CardValue, GiftCardPlan } from './gift-card-plan.ts';

type GiftCardPlanRow = Omit<GiftCardPlan, 'currency' | 'region' | 'faceValue' | 'minPrice' | 'maxPrice'> & {
  readonly currency: string;
  readonly region: string | null;
  readonly faceValue: bigint | null;
  readonly minPrice: bigint | null;
  readonly maxPrice: bigint | null;
};

/** Every gift card plan, withdrawn ones too, in catalog order. */
export async function listGiftCardPlans(sql: Sql): Promise<GiftCardPlan[]> {
  const rows = await sql.query<GiftCardPlanRow>(
    `select
       plan_id as "planId",
       title,
       brand,
       region,
       ui_category as "uiCategory",
       currency,
       face_value as "faceValue",
       min_price as "minPrice",
       max_price as "maxPrice",
       featured,
       fulfillment,
       test_only as "testOnly",
       provider_codes as "providerCodes",
       active
     from gift_card_plans
     order by position, plan_id`,
  );
  return rows.map(toPlan);
}

/** Adds `plans`, in their order, or overwrites those known by id. The others stay as they are. */
export async function upsertGiftCardPlans(tx: Tx, plans: readonly GiftCardPlan[]): Promise<void> {
  await tx.query(
    `insert into gift_card_plans (
       plan_id, title, brand, region, ui_category, currency, face_value, min_price, max_price, featured, fulfillment,
       test_only, provider_codes, active, position
     )
     select
       plan_id, title, brand, region, ui_category, currency, face_value, min_price, max_price, featured, fulfillment,
       test_only, provider_codes, active, position
     from jsonb_to_recordset($1::jsonb) as plan (
       plan_id integer, title text, brand text, region text, ui_category text, currency text, face_value bigint,
       min_price bigint, max_price bigint, featured boolean, fulfillment text, test_only boolean,
       provider_codes jsonb, active boolean, position integer
     )
     on conflict (plan_id) do update set
       title = excluded.title,
       brand = excluded.brand,
       region = excluded.region,
       ui_category = excluded.ui_category,
       currency = excluded.currency,
       face_value = excluded.face_value,
       min_price = excluded.min_price,
       max_price = excluded.max_price,
       featured = excluded.featured,
       fulfillment = excluded.fulfillment,
       test_only = excluded.test_only,
       provider_codes = excluded.provider_codes,
       active = excluded.active,
       position = excluded.position`,
    [JSON.stringify(plans.map(toRecord))],
  );
}

function toPlan({ currency, region, faceValue, minPrice, maxPrice, ...row }: GiftCardPlanRow): GiftCardPlan {
  if (!isGoodsCurrency(currency))
    throw new Error(`plan ${row.planId} is in ${currency}, no currency of goods`);
  return {
    ...row,
    ...toValue(row.planId, faceValue, minPrice, maxPrice),
    currency,
    region: region ?? undefined,
  };
}

function toValue(planId: number, fixed: bigint | null, min: bigint | null, max: bigint | null): CardValue {
  if (fixed !== null) return { faceValue: fixed, minPrice: undefined, maxPrice: undefined };
  if (min === null || max === null) throw new Error(`plan ${planId} has neither a face value nor limits`);
  return { faceValue: undefined, minPrice: min, maxPrice: max };
}

function toRecord(plan: GiftCardPlan, position: number): Record<string, unknown> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    brand: plan.brand,
    region: plan.region,
    ui_category: plan.uiCategory,
    currency: plan.currency,
    // JSON has no integers of 64 bits; as text the amounts reach bigint unharmed.
    face_value: plan.faceValue?.toString(),
    min_price: plan.minPrice?.toString(),
    max_price: plan.maxPrice?.toString(),
    featured: plan.featured,
    fulfillment: plan.fulfillment,
    test_only: plan.testOnly,
    provider_codes: plan.providerCodes,
    active: plan.active,
    position: position + 1,
  };
}
