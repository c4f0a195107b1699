/** The SQL that completes vends which a version before stored. */
import type { Sql } from '../../db/database.ts';

/**
 * Tells outcomes and pending vends the network and recipient that lists are filtered by, for
 * `limit` of each that lack them. Gives how many it was of the one that lacked more. Safe to run
 * anywhere, at any time.
 */
export async function completeListed(sql: Sql, limit: number): Promise<number> {
  const pending = await sql.query(
    `update pending_vends p
     set network = v.network, recipient = v.recipient
     from (
       select merchant_id, environment, vend_id
       from pending_vends
       where network is null
       limit $1
       for update skip locked
     ) as incomplete
     join vends v
       on v.merchant_id = incomplete.merchant_id
       and v.environment = incomplete.environment
       and v.id = incomplete.vend_id
     where p.merchant_id = v.merchant_id
     and p.vend_id = v.id
     returning p.vend_id`,
    [limit],
  );
  const outcomes = await sql.query(
    `update vend_outcomes o
     set network = v.network, recipient = v.recipient
     from (
       select merchant_id, environment, vend_id
       from vend_outcomes
       where network is null
       limit $1
       for update skip locked
     ) as incomplete
     join vends v
       on v.merchant_id = incomplete.merchant_id
       and v.environment = incomplete.environment
       and v.id = incomplete.vend_id
     where o.merchant_id = v.merchant_id
     and o.vend_id = v.id
     returning o.vend_id`,
    [limit],
  );
  return Math.max(pending.length, outcomes.length);
}
