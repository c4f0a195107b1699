/** Gives vends their lane that were stored without one, by a process of 0.1.0 in an upgrade. */
import type { Sql } from '../../db/database.ts';

/** The provider to be asked about the present attempt, else the one to be sent to next. */
export async function nameProviders(sql: Sql, limit: number): Promise<void> {
  await sql.query(
    {
      name: 'name_providers',
      text: `
        with nameless as (
          select merchant_id, environment, vend_id, step, attempts
          from pending_vends
          where provider = ''
          and step in ('send', 'query')
          and due_at is not null
          limit $1
          for update skip locked
        )
        update pending_vends p
        set
          provider = coalesce(a.provider, split_part(v.route, ',', 1)),
          -- Claims do not look at what was due long before.
          due_at = greatest(p.due_at, now())
        from nameless n
        join vends v
          on v.merchant_id = n.merchant_id
          and v.environment = n.environment
          and v.id = n.vend_id
        left join attempts a
          on a.merchant_id = n.merchant_id
          and a.vend_id = n.vend_id
          and a.number = n.attempts
          and n.step = 'query'
        -- By its key, whatever the statistics say (resolve_vends).
        where p.merchant_id = any(array[n.merchant_id])
        and p.vend_id = any(array[n.vend_id])`,
    },
    [limit],
  );
}
