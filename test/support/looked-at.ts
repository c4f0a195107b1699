/** How many rows and index entries of some tables an operation reads. */
import type { Database, Tx } from '../../src/db/database.ts';

export async function lookedAt(
  database: Database,
  tables: readonly string[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return await database.transaction(async (tx) => {
    // Counted by connection, so earlier transactions may be included.
    const from = await countLooks(tx, tables);
    await work(tx);
    return (await countLooks(tx, tables)) - from;
  });
}

async function countLooks(tx: Tx, tables: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ looked: bigint }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + coalesce((
       select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = relid
     ), 0))::bigint as looked
     from pg_stat_xact_user_tables
     where relname = any($1)`,
    [tables],
  );
  return Number(row?.looked);
}
