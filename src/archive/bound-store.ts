/** The SQL of what must have been done with purchases before they go into an archive. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';

/** Where days are closed at all: the last one of each environment. */
export async function listLastClosed(
  sql: Sql,
): Promise<readonly { readonly environment: Environment; readonly day: string }[]> {
  return await sql.query(
    `select environment, max(day)::text as day
     from closed_days
     group by environment
     order by environment`,
  );
}

/** Of providers that were ever reconciled: until when. */
export async function listReconciled(
  sql: Sql,
  providers: readonly string[],
): Promise<readonly { readonly party: string; readonly until: Date }[]> {
  return await sql.query(
    `select party, max(to_at) as until
     from reconciliation_runs
     where party = any($1)
     and environment = 'live'
     group by party
     order by party`,
    [providers],
  );
}
