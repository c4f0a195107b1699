/**
 * Cells: parts of the merchants, by a hash of `merchant_id`. With more than one, each table that a
 * migration marks has a partition for each cell (`purchases_0`, …), and the cell of a merchant is
 * the same in all of them. With one, the migrations run unchanged.
 */
import type { Sql, Tx } from './database.ts';

/** The line before a table, and the table with its storage parameters. */
const marked = /^-- In cells\.\n(create table (\w+) \(\n[\s\S]*?\n\))( with \(\n[\s\S]*?\n\))?;$/gm;

/** Returns the text of a migration for an installation with that many cells. */
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

/** Returns how many cells the database was created with. Undefined before it has tables. */
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
 * Gives each partition the statement triggers of its table, because PostgreSQL copies only row
 * triggers. So rows that never change are also protected from statements that name a partition.
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
    -- The first bit is set for row triggers.
    and t.tgtype & 1 = 0
    and not exists (
      select from pg_trigger own
      where own.tgrelid = i.inhrelid
      and own.tgname = t.tgname
    )`);
  for (const { statement } of missing) await tx.query(statement);
}
