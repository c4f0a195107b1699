/** Tables and functions that a database has, as lines: `table vends`, `function is_seen(xid)`. */
import type { Sql } from './database.ts';

/** Of the schema that the connection works in, sorted; those of extensions are left out. */
export async function listSchemaObjects(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(`
    select line
    from (
      select
        c.oid,
        'table ' || c.relname as line
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace
      and c.relkind in ('r', 'p')
      union all
      select
        p.oid,
        'function ' || p.oid::regprocedure
      from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
    ) as o
    where not exists (select from pg_depend d where d.objid = o.oid and d.deptype = 'e')
    order by line collate "C"`);
  return rows.map(({ line }) => line);
}
