/**
 * SQL that notifies merchants of credentials that expire soon: a week before, or at once if the
 * expiry was moved forward. Each expiry is notified once, also by several processes.
 */
import type { Sql } from '../db/database.ts';

const TOLD_BEFORE_DAYS = 7;
const ROWS_AT_ONCE = 1_000;

/** Returns how many credentials were notified. */
export async function tellExpiringCredentials(sql: Sql): Promise<number> {
  const told = await sql.query(
    `with ending as (
       select key_id, merchant_id, environment, label, expires_at
       from credentials
       where expires_at > now()
       and expires_at < now() + $1 * interval '1 day'
       and revoked_at is null
       and told_end is distinct from expires_at
       limit $2
       for update skip locked
     ),
     told as (
       insert into events (merchant_id, environment, id, type, facts)
       select
         merchant_id,
         environment,
         gen_random_uuid(),
         'credential.expiring',
         jsonb_build_object('key', key_id, 'label', label, 'ends_at', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
       from ending
     )
     update credentials c
     set told_end = ending.expires_at
     from ending
     where c.key_id = ending.key_id
     returning 1`,
    [TOLD_BEFORE_DAYS, ROWS_AT_ONCE],
  );
  return told.length;
}
