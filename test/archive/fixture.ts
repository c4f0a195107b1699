/** Purchases that were made long ago, and what is left of them in the tables. */
import { slicedTables } from '../../src/audit/audit-slice-store.ts';
import type { Database, Sql } from '../../src/db/database.ts';
import { SearchIndexing } from '../../src/vending/search/index-vends.ts';

/** The same id, of so many days before. */
const older = (id: string): string => `(
  lpad(to_hex(('x0000' || left(replace(${id}::text, '-', ''), 12))::bit(64)::bigint - $1::bigint * 86400000), 12, '0')
  || substr(replace(${id}::text, '-', ''), 13)
)::uuid`;

const times = {
  vends: 'created_at',
  attempts: 'started_at',
  provider_answers: 'at',
  vend_outcomes: 'at',
} as const;

/**
 * As if all that was bought so far had been bought so many days ago, and the jobs that look back
 * had passed it by.
 */
export async function makeOlder(database: Database, days: number): Promise<void> {
  const { vends, ...others } = slicedTables;
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    for (const [table, column] of Object.entries(others)) {
      await tx.query(
        `update ${table} set ${column} = ${older(column)} where ${column} in (select id from vends)`,
        [days],
      );
    }
    await tx.query(`update vends set ${vends} = ${older(vends)}`, [days]);
    for (const [table, column] of Object.entries(times)) {
      await tx.query(`update ${table} set ${column} = ${column} - $1::integer * interval '1 day'`, [days]);
    }
    await tx.query('update report_mark set history_to = null');
  });
  await new SearchIndexing().run(database);
}

/** All attempts and answers, as text, in an order that is the same wherever they are stored. */
export async function allRows(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ row: string }>(`
    select 'attempt ' || to_jsonb(a)::text as row
    from attempts a
    union all
    select 'answer ' || to_jsonb(p)::text
    from provider_answers p`);
  return rows.map(({ row }) => row).sort();
}
