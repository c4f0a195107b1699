/**
 * Gives a test database a clock that the simulation sets: `now()` and `clock_timestamp()` in
 * statements, in functions and in the defaults of columns. No row is touched when time passes.
 */
import type { Sql } from '../../src/db/database.ts';

/** Run it once. Connections that are opened later have the clock. */
export async function giveClock(sql: Sql): Promise<void> {
  const [place] = await sql.query<{ schema: string; name: string }>(
    'select quote_ident(current_schema()) as schema, quote_ident(current_database()) as name',
  );
  if (place === undefined) throw new Error('there is a schema');
  const { schema, name } = place;
  // Each reading of the clock is a microsecond later than the one before, as on a real machine.
  await sql.query(`
    create sequence ${schema}.simulated_tick;
    create function ${schema}.now() returns timestamptz language sql stable as
      $$select current_setting('oja.simulated_at')::timestamptz$$;
    create function ${schema}.clock_timestamp() returns timestamptz language sql volatile as
      $$select current_setting('oja.simulated_at')::timestamptz
        + nextval('${schema}.simulated_tick') * interval '1 microsecond'$$`);
  for (const { table, column, value } of await listTimeDefaults(sql)) {
    await sql.query(`alter table ${schema}.${table} alter column ${column} set default ${schema}.${value}`);
  }
  // Our functions come before those of PostgreSQL.
  await sql.query(`
    alter database ${name} set search_path = ${schema}, pg_catalog;
    alter database ${name} set jit = off;
    alter database ${name} set plan_cache_mode = force_generic_plan;
    alter database ${name} set synchronous_commit = off`);
}

export async function setClock(sql: Sql, ms: number): Promise<void> {
  await sql.query(
    {
      name: 'set_simulated_clock',
      text: `select set_config('oja.simulated_at', $1, false), setval('simulated_tick', 1)`,
    },
    [new Date(ms).toISOString()],
  );
}

type TimeDefault = { readonly table: string; readonly column: string; readonly value: string };

/** Columns whose default is the time. The tables and columns are quoted, as SQL needs them. */
async function listTimeDefaults(sql: Sql): Promise<TimeDefault[]> {
  return await sql.query<TimeDefault>(
    `select
       quote_ident(c.relname) as table,
       quote_ident(a.attname) as column,
       pg_get_expr(d.adbin, d.adrelid) as value
     from pg_attrdef d
     join pg_class c on c.oid = d.adrelid
     join pg_attribute a
       on a.attrelid = d.adrelid
       and a.attnum = d.adnum
     where c.relnamespace = current_schema()::regnamespace
     and c.relkind in ('r', 'p')
     and pg_get_expr(d.adbin, d.adrelid) in ('now()', 'clock_timestamp()')
     order by 1, 2`,
  );
}
