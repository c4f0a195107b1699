/**
 * Makes purchases due whose due time is later than any delay allows, because the database's clock
 * was set back. Reads the whole queue, so it runs only at the start of a process and after such a
 * change.
 */

import { leastId } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';

const ROWS_AT_ONCE = 2_000;
/** Longer than any wait after a refusal. */
const SEND_MAX_MS = 60_000;
/** Longer than any lease, and than the wait between two queries. */
const QUERY_MAX_MS = 11 * 60_000;
/** The same for purchases that wait for a person. */
const FLAGGED_MAX_MS = 61 * 60_000;

type Row = { readonly merchant_id: number; readonly purchase_id: string; readonly woken: boolean };

/** Returns how many became due. */
export async function repairStuckWork(sql: Sql): Promise<number> {
  let woken = 0;
  let after = { merchantId: 0, purchaseId: leastId };
  for (;;) {
    const rows = await sql.query<Row>(
      {
        name: 'repair_stuck_work',
        text: `
          with looked as (
            select
              merchant_id,
              purchase_id,
              due_at > now() + interval '1 millisecond' * (
                case when flagged_at is not null then $4::integer when step = 'send' then $5::integer else $6::integer end
              ) as sleeps
            from pending_purchases
            where (merchant_id, purchase_id) > ($1, $2::uuid)
            order by merchant_id, purchase_id
            limit $3
          ),
          locked as (
            select p.merchant_id, p.purchase_id
            from looked l
            join pending_purchases p
              -- By its key, whatever the statistics say (resolve_purchases).
              on p.merchant_id = any(array[l.merchant_id])
              and p.purchase_id = any(array[l.purchase_id])
            where l.sleeps
            for update of p skip locked
          ),
          woken as (
            update pending_purchases p
            set due_at = now()
            from locked l
            -- By its key, whatever the statistics say (resolve_purchases).
            where p.merchant_id = any(array[l.merchant_id])
            and p.purchase_id = any(array[l.purchase_id])
            returning p.merchant_id, p.purchase_id
          )
          select l.merchant_id, l.purchase_id, w.purchase_id is not null as woken
          from looked l
          left join woken w
            on w.merchant_id = l.merchant_id
            and w.purchase_id = l.purchase_id
          order by l.merchant_id, l.purchase_id`,
      },
      [after.merchantId, after.purchaseId, ROWS_AT_ONCE, FLAGGED_MAX_MS, SEND_MAX_MS, QUERY_MAX_MS],
    );
    woken += rows.filter((row) => row.woken).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return woken;
    after = { merchantId: last.merchant_id, purchaseId: last.purchase_id };
  }
}
