/**
 * Quarantines purchases whose rows are contradictory: their money stays held, and an alarm is
 * raised. They are tried again every hour, in case a person has repaired them.
 */
import type { Sql } from '../../db/database.ts';
import { AGAIN_MS } from '../../db/queue/work-all.ts';

/** Raises one alarm for each purchase that is not flagged yet. Skips final purchases. */
export async function quarantinePurchases(
  sql: Sql,
  purchases: readonly {
    readonly merchantId: number;
    readonly purchaseId: string;
    /** It names no person and no secret. */
    readonly why: string;
  }[],
): Promise<void> {
  await sql.query(
    `
    with odd as (
      select p.merchant_id, p.environment, p.purchase_id, p.flagged_at, k.why
      from unnest($1::integer[], $2::uuid[], $3::text[]) as k(merchant_id, purchase_id, why)
      join pending_purchases p
        -- By its key, whatever the statistics say (resolve_purchases).
        on p.merchant_id = any(array[k.merchant_id])
        and p.purchase_id = any(array[k.purchase_id])
      for update of p
    ),
    alarmed as (
      insert into alarms (kind, merchant_id, purchase_id, message)
      select
        'quarantined', merchant_id, purchase_id, why
      from odd
      where flagged_at is null
    ),
    told as (
      insert into events (merchant_id, environment, id, type, purchase_id)
      select merchant_id, environment, gen_random_uuid(), 'purchase.overdue', purchase_id
      from odd
      where flagged_at is null
    )
    update pending_purchases p
    set
      due_at = now() + $4 * interval '1 millisecond',
      owner = null,
      flagged_at = coalesce(p.flagged_at, now())
    from odd
    -- By its key, whatever the statistics say (resolve_purchases).
    where p.merchant_id = any(array[odd.merchant_id])
    and p.purchase_id = any(array[odd.purchase_id])`,
    [
      purchases.map(({ merchantId }) => merchantId),
      purchases.map(({ purchaseId }) => purchaseId),
      purchases.map(({ why }) => why),
      AGAIN_MS,
    ],
  );
}
