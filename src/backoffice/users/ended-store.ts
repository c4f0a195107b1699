/** SQL of what is over and goes. */
import type { Sql } from '../../db/database.ts';

const ROWS = 1_000;

const over = [
  ['user_sessions', "expires_at < now() - interval '30 days'"],
  ['user_links', "expires_at < now() - interval '30 days'"],
  ['user_challenges', 'expires_at < now()'],
  // Full again since long ago: it says what one that is not there says.
  ['sign_in_buckets', "counted_at < now() - interval '1 day'"],
] as const;

/** A bounded number of each; gives how many went. */
export async function deleteEnded(sql: Sql): Promise<number> {
  let gone = 0;
  for (const [table, condition] of over) {
    const rows = await sql.query(
      `delete from ${table}
       where ctid = any (array(select ctid from ${table} where ${condition} limit ${ROWS}))
       returning 1`,
    );
    gone += rows.length;
  }
  return gone;
}
