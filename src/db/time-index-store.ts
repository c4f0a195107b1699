/** The SQL of block-range indexes (PostgreSQL's BRIN): the existing ones, and their summaries. */
import type { Sql, Tx } from './database.ts';

export type TimeIndex = {
  /** Its OID, as text. */
  readonly id: string;
  /** The current number of blocks of its table. */
  readonly blocks: number;
  /** The number of blocks in one summary. */
  readonly blocksPerRange: number;
};

/** Lists the indexes of this schema. PostgreSQL lets only the owner summarize them. */
export async function findTimeIndexes(sql: Sql): Promise<TimeIndex[]> {
  return await sql.query<TimeIndex>({
    name: 'find_time_indexes',
    text: `
      select
        i.indexrelid::text as id,
        (pg_relation_size(i.indrelid) / current_setting('block_size')::integer)::integer as blocks,
        coalesce(
          (
            select o.option_value::integer
            from pg_options_to_table(c.reloptions) as o
            where o.option_name = 'pages_per_range'
          ),
          128
        ) as "blocksPerRange"
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_am a on a.oid = c.relam
      where a.amname = 'brin'
      -- Not the index of a partitioned table, which has no blocks.
      and c.relkind = 'i'
      and i.indisvalid
      and c.relnamespace = current_schema()::regnamespace
      and pg_has_role(c.relowner, 'usage')`,
  });
}

/**
 * Summarizes the ranges between two blocks, inclusive, that have no summary. Returns false without
 * any change while the table is vacuumed or altered, because PostgreSQL would wait, or log each
 * cancelled wait. Rejects (55P03) if such work has just begun.
 */
export async function summarizeRanges(
  tx: Tx,
  { id, blocksPerRange }: TimeIndex,
  from: number,
  to: number,
): Promise<boolean> {
  await tx.query("set local lock_timeout = '20ms'");
  const summarized = await tx.query(
    {
      name: 'summarize_ranges',
      text: `
        select brin_summarize_range($1::oid::regclass, block)
        from generate_series($2::bigint, $3::bigint, $4::bigint) as block
        where not exists (
          select
          from pg_index i
          join pg_locks l on l.relation in (i.indexrelid, i.indrelid)
          join pg_database d on d.oid = l.database
          where i.indexrelid = $1::oid
          and d.datname = current_database()
          and l.granted
          and l.pid <> pg_backend_pid()
          and l.mode in (
            'ShareUpdateExclusiveLock', 'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'
          )
        )`,
    },
    [id, from, to, blocksPerRange],
  );
  return summarized.length > 0;
}
