/**
 * Sets vends aside that cannot be worked on, whatever is wrong with their rows: their money stays
 * held, and a person is told. They are tried again every hour, in case somebody mended them.
 */
import type { Sql } from '../../db/database.ts';
import { AGAIN_MS } from '../../db/queue/work-all.ts';

/** Raises one alarm for each vend that is not flagged yet. Skips one that is final. */
export async function setVendsAside(
  sql: Sql,
  vends: readonly {
    readonly merchantId: number;
    readonly vendId: string;
    /** Names no person and no secret. */
    readonly why: string;
  }[],
): Promise<void> {
  await sql.query(
    `
    with odd as (
      select p.merchant_id, p.environment, p.vend_id, p.flagged_at, k.why
      from unnest($1::integer[], $2::uuid[], $3::text[]) as k(merchant_id, vend_id, why)
      join pending_vends p
        -- By its key, whatever the statistics say (resolve_vends).
        on p.merchant_id = any(array[k.merchant_id])
        and p.vend_id = any(array[k.vend_id])
      for update of p
    ),
    alarmed as (
      insert into alarms (kind, merchant_id, vend_id, message)
      select
        'set_aside', merchant_id, vend_id,
        -- Whatever is wrong here, its provider's support can say what became of it.
        format('%s. Ask its support, then: ./oja vend settle %s --success --evidence "…" (or --failed)', why, vend_id)
      from odd
      where flagged_at is null
    ),
    told as (
      insert into events (merchant_id, environment, id, type, vend_id)
      select merchant_id, environment, gen_random_uuid(), 'vend.overdue', vend_id
      from odd
      where flagged_at is null
    )
    update pending_vends p
    set
      due_at = now() + $4 * interval '1 millisecond',
      owner = null,
      flagged_at = coalesce(p.flagged_at, now())
    from odd
    -- By its key, whatever the statistics say (resolve_vends).
    where p.merchant_id = any(array[odd.merchant_id])
    and p.vend_id = any(array[odd.vend_id])`,
    [
      vends.map(({ merchantId }) => merchantId),
      vends.map(({ vendId }) => vendId),
      vends.map(({ why }) => why),
      AGAIN_MS,
    ],
  );
}
