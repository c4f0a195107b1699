/**
 * The schema of each cell: a view of every partition of the cell, under the name of its table. With
 * a `search_path` of that schema and then `public`, the statements and functions of Oja read and
 * write one cell, unchanged.
 */
import type { Sql, Tx } from './database.ts';

/** The schema of a cell, by its number from 0. */
export function cellSchema(cell: number): string {
  return `oja_cell_${cell}`;
}

/** Removes the views, which would keep a migration from changing columns of their tables. */
export async function dropCellSchemas(tx: Tx, cells: number): Promise<void> {
  for (let cell = 0; cell < cells; cell += 1) {
    await tx.query(`drop schema if exists ${cellSchema(cell)} cascade`);
  }
}

/** Creates the schemas that do not exist. */
export async function createCellSchemas(tx: Tx, cells: number): Promise<void> {
  const views = await readViews(tx);
  for (let cell = 0; cell < cells; cell += 1) {
    const schema = cellSchema(cell);
    const [present] = await tx.query('select from pg_namespace where nspname = $1', [schema]);
    if (present !== undefined) continue;
    await tx.query(`create schema ${schema}`);
    const tables = await tx.query<{ name: string }>(
      `select relname as name
       from pg_class
       where relkind = 'p'
       and relnamespace = current_schema()::regnamespace`,
    );
    await tx.query(`set local search_path = ${schema}, public`);
    // Statements name these columns of the system, which a view does not have by itself.
    for (const { name } of tables) {
      await tx.query(
        `create view ${name} as select t.*, t.xmin, t.ctid, t.tableoid from public.${name}_${cell} t`,
      );
    }
    for (const { name, text } of views) await tx.query(`create view ${name} as ${text}`);
    const defaults = await tx.query<{ statement: string }>(identities, [schema, `_${cell}`]);
    for (const { statement } of defaults) await tx.query(statement);
    await tx.query('set local search_path = public');
  }
}

/** The views of the schema in the order in which they were created, with unqualified names. */
async function readViews(sql: Sql): Promise<readonly { readonly name: string; readonly text: string }[]> {
  return await sql.query(`
    select relname as name, pg_get_viewdef(oid) as text
    from pg_class
    where relkind = 'v'
    and relnamespace = current_schema()::regnamespace
    order by oid`);
}

/**
 * Before PostgreSQL 17, partitions have no identities. Other defaults of a table apply to a view of
 * it.
 */
const identities = `
  select format(
    'alter view %I alter column %I set default nextval(%L)',
    v.relname,
    a.attname,
    pg_get_serial_sequence(format('public.%I', t.relname), a.attname)
  ) as statement
  from pg_class v
  join pg_class t
    on t.relname = v.relname
    and t.relnamespace = 'public'::regnamespace
  join pg_attribute a
    on a.attrelid = t.oid
    and a.attidentity <> ''
  join pg_attribute part
    on part.attrelid = format('public.%I', t.relname || $2::text)::regclass
    and part.attname = a.attname
    and part.attidentity = ''
  where v.relkind = 'v'
  and v.relnamespace = $1::regnamespace`;
