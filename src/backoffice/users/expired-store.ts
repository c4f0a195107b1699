/** SQL that deletes expired sessions, links, challenges and sign-in counters. */
import type { Sql } from '../../db/database.ts';

const ROWS = 1_000;

const expired = [
  ['user_sessions', "expires_at < now() - interval '30 days'"],
  ['user_links', "expires_at < now() - interval '30 days'"],
  ['user_challenges', 'expires_at < now()'],
  // A full bucket is equivalent to a missing one.
  ['sign_in_buckets', "counted_at < now() - interval '1 day'"],
] as const;

/**
 * Deletes all expired rows and returns their count. Works in slices, so that no lock is held for
 * long. The audit log keeps who signed in.
 */
export async function deleteExpired(sql: Sql): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await deleteSlice(sql);
    deleted += count;
    if (count === 0) return deleted;
  }
}

async function deleteSlice(sql: Sql): Promise<number> {
  let deleted = 0;
  for (const [table, condition] of expired) {
    const rows = await sql.query(
      `delete from ${table}
       where ctid = any (array(select ctid from ${table} where ${condition} limit ${ROWS}))
       returning 1`,
    );
    deleted += rows.length;
  }
  return deleted;
}
