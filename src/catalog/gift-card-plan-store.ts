/**
 * The gift card plans' rows. A plan is never deleted, only withdrawn, since purchases name it for
 * ever.
 */
import type { Sql, Tx } from '../db/database.ts';
import { isGoodsCurrency } from './fx-rate.ts';
import type { CardValue, GiftCardPlan } from './gift-card-plan.ts';
import { type CatalogRow, upsertRows } from './upsert-store.ts';

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
  await upsertRows(tx, 'gift_card_plans', ['plan_id'], plans.map(toRow));
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

function toRow(plan: GiftCardPlan, position: number): CatalogRow {
  return {
    plan_id: plan.planId,
    title: plan.title,
    brand: plan.brand,
    region: plan.region,
    ui_category: plan.uiCategory,
    currency: plan.currency,
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
