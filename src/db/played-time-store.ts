/**
 * A time that is played: within one transaction `now()` and `clock_timestamp()` give it, in SQL
 * statements, in functions and in the defaults of columns. So the same functions that run at
 * present write a history.
 *
 * Guarantees: only that transaction sees anything of it, and everything is put back before it
 * commits; where it rolls back, nothing was changed.
 */
import type { Sql, Tx } from './database.ts';

export type PlayedTime = {
  /** From now on it is that time, which goes on from there. */
  set(at: Date): Promise<void>;
  /** The transaction has the real time again. */
  stop(): Promise<void>;
};

export type TimeDefault = { readonly table: string; readonly column: string; readonly value: string };

/**
 * Columns whose value is the time where none is given. The tables and columns are quoted, as SQL
 * needs them.
 */
export async function listTimeDefaults(sql: Sql): Promise<TimeDefault[]> {
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

/**
 * Until it is stopped, nobody else can use the tables that have such columns, but for `spared`,
 * which keep the real time.
 */
export async function playTime(tx: Tx, spared: readonly string[]): Promise<PlayedTime> {
  const defaults = (await listTimeDefaults(tx)).filter(({ table }) => !spared.includes(table));
  const [path] = await tx.query<{ schema: string; before: string }>(
    "select quote_ident(current_schema()) as schema, current_setting('search_path') as before",
  );
  if (path === undefined) throw new Error('there is a schema');
  const { schema, before } = path;
  // Of each table at once: each change of a table alone costs as much as all of them.
  const setDefaults = async (timeFor: (standing: TimeDefault) => string): Promise<void> => {
    for (const [table, columns] of Map.groupBy(defaults, (standing) => standing.table)) {
      const changes = columns.map((it) => `alter column ${it.column} set default ${timeFor(it)}`);
      await tx.query(`alter table ${schema}.${table} ${changes.join(', ')}`);
    }
  };
  await tx.query(`
    create function ${schema}.now() returns timestamptz language sql stable as
      $$select current_setting('oja.played_at')::timestamptz$$;
    create function ${schema}.clock_timestamp() returns timestamptz language sql volatile as
      $$select current_setting('oja.played_at')::timestamptz
        + (pg_catalog.clock_timestamp() - current_setting('oja.played_since')::timestamptz)$$`);
  await setDefaults(({ value }) => `${schema}.${value}`);
  // The names are looked up in the schema first: ours stand before those of PostgreSQL.
  await tx.query("select set_config('search_path', $1, true)", [`${schema}, pg_catalog`]);
  return {
    set: async (at) => {
      await tx.query(
        `select
           set_config('oja.played_at', $1, true),
           set_config('oja.played_since', pg_catalog.clock_timestamp()::text, true)`,
        [at.toISOString()],
      );
    },
    stop: async () => {
      // What waits for the end of the transaction is of the played time too, and a table that it
      // is about cannot be changed before.
      await tx.query('set constraints all immediate');
      await tx.query("select set_config('search_path', $1, true)", [before]);
      await setDefaults(({ value }) => `pg_catalog.${value}`);
      await tx.query(`drop function ${schema}.now(); drop function ${schema}.clock_timestamp()`);
    },
  };
}
