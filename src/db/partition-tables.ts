/**
 * Cells: parts of the merchants, by a hash of `merchant_id`. With more than one, each table that a
 * migration marks has a partition for each cell (`purchases_0`, …), and the cell of a merchant is
 * the same in all of them. With one, the text of the migrations runs as it is.
 */
import type { Sql, Tx } from './database.ts';

/** The line before a table, and the table with its storage parameters. */
const marked = /^-- In cells\.\n(create table (\w+) \(\n[\s\S]*?\n\))( with \(\n[\s\S]*?\n\))?;$/gm;

/** Returns the text of a migration for an installation of that many cells. */
export function partitionTables(text: string, cells: number): string {
  if (cells === 1) return text;
  return text.replaceAll(marked, (_, table: string, name: string, parameters = '') => {
    const partitions = Array.from(
      { length: cells },
      (_cell, cell) =>
        `create table ${name}_${cell} partition of ${name} ` +
        `for values with (modulus ${cells}, remainder ${cell})${parameters};`,
    );
    return [`${table} partition by hash (merchant_id);`, ...partitions].join('\n');
  });
}

/** Returns how many cells the database was made with; undefined before it has tables. */
export async function countCells(sql: Sql): Promise<number | undefined> {
  const [row] = await sql.query<{ cells: number }>(`
    select greatest(1, count(i.inhrelid))::integer as cells
    from pg_class c
    left join pg_inherits i on i.inhparent = c.oid
    where c.oid = to_regclass('purchases')
    group by c.oid`);
  return row?.cells;
}

/**
 * Gives each partition the triggers for statements that its table has: PostgreSQL gives it those
 * for rows only. So rows that never change are also kept from statements that name a partition.
 */
export async function completePartitions(tx: Tx): Promise<void> {
  const missing = await tx.query<{ statement: string }>(`
    select replace(
      pg_get_triggerdef(t.oid, true),
      format(' ON %s ', i.inhparent::regclass),
      format(' ON %s ', i.inhrelid::regclass)
    ) as statement
    from pg_inherits i
    join pg_class c on c.oid = i.inhparent
    join pg_trigger t on t.tgrelid = i.inhparent
    where c.relkind = 'p'
    and c.relnamespace = current_schema()::regnamespace
    and not t.tgisinternal
    -- The first bit is set for triggers for rows.
    and t.tgtype & 1 = 0
    and not exists (
      select from pg_trigger own
      where own.tgrelid = i.inhrelid
      and own.tgname = t.tgname
    )`);
  for (const { statement } of missing) await tx.query(statement);
}
