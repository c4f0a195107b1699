/** The SQL that completes failed vends which a version before stored. */
import type { Sql } from '../../db/database.ts';

/**
 * Tells each failed outcome the network and recipient that lists are filtered by, for `limit` of
 * those that lack them. Gives how many it was. Safe to run anywhere, at any time.
 */
export async function completeFailedVends(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `update vend_outcomes o
     set network = v.network, recipient = v.recipient
     from (
       select merchant_id, vend_id
       from vend_outcomes
       where status = 'failed'
       and network is null
       limit $1
       for update skip locked
     ) as incomplete
     join vends v
       on v.merchant_id = incomplete.merchant_id
       and v.id = incomplete.vend_id
     where o.merchant_id = v.merchant_id
     and o.vend_id = v.id
     and v.environment = o.environment
     returning o.vend_id`,
    [limit],
  );
  return rows.length;
}
