/**
 * A whole database as text, and back: for fixtures of releases, which tests load without `pg_dump`.
 * The schema is that release's own migrations; the rows are JSON that PostgreSQL writes and reads,
 * so no number and no time is changed on the way.
 */
import type { Database, Sql } from '../../src/db/database.ts';

export type Dump = {
  readonly dumpedAt: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Each row is JSON text. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
};

type Column = { readonly table: string; readonly column: string; readonly type: string };

/**
 * `files` are the migrations and functions that created its schema, in the order in which they ran.
 */
export async function dumpDatabase(database: Database, files: Dump['files']): Promise<Dump> {
  return await database.transaction(
    async (tx) => {
      const [now] = await tx.query<{ at: string }>('select now()::text as at');
      const tables: Record<string, string[]> = {};
      for (const [table, columns] of await readColumns(tx)) {
        const names = columns.map(({ column }) => `"${column}"`).join(', ');
        const rows = await tx.query<{ row: string }>(
          `select row_to_json(r)::text as row from (select ${names} from "${table}" order by ctid) as r`,
        );
        tables[table] = rows.map(({ row }) => row);
      }
      return { dumpedAt: now?.at ?? '', files, tables };
    },
    { isolation: 'repeatable read' },
  );
}

/** Rows that are signed or hashed with their time keep it. */
const fixedTables = new Set(['audit_log', 'audit_log_chain', 'schema_migrations', 'schema_functions']);

/** The server of a database: it is loaded as if it had always been there. */
const placeTables = new Set(['database_life', 'database_beats', 'gateways', 'provider_states']);

/**
 * Loads the dump into an empty database. Its times are moved as if it had been dumped a moment ago,
 * so that pending work keeps its age.
 */
export async function loadDump(database: Database, { dumpedAt, files, tables }: Dump): Promise<void> {
  await database.session(async (sql) => {
    await sql.query('set check_function_bodies = off');
    for (const { text } of files) await sql.query(text);
    await createBookkeeping(sql);
    // Rows come in the order of tables, and no trigger sends notifications for them.
    await sql.query("set session_replication_role = 'replica'");
    for (const [table, columns] of await readColumns(sql)) {
      // Migrations have inserted rows into some tables. Other tables refuse any deletion, even of
      // no rows.
      const [present] = await sql.query<{ any: boolean }>(`select exists (select from "${table}") as any`);
      if (present?.any) await sql.query(`delete from "${table}"`);
      const rows = placeTables.has(table) ? [] : (tables[table] ?? []);
      if (rows.length === 0) continue;
      await sql.query(insertOf(table, columns), [`[${rows.join(',')}]`, dumpedAt]);
    }
    await setSequences(sql);
  });
}

function insertOf(table: string, columns: readonly Column[]): string {
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  const values = columns.map(({ column, type }) =>
    type === 'timestamp with time zone' && !fixedTables.has(table)
      ? `"${column}" + date_trunc('milliseconds', now() - $2::timestamptz)`
      : `"${column}"`,
  );
  return `
    insert into "${table}" (${names}) overriding system value
    select ${values.join(', ')} from json_populate_recordset(null::"${table}", $1::json)
    where $2::text is not null`;
}

/** As src/db/migrate.ts made them in the first release. Later changes are in migrations. */
async function createBookkeeping(sql: Sql): Promise<void> {
  await sql.query(`
    create table if not exists schema_migrations (
      version integer not null constraint schema_migrations_pkey primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists schema_functions (
      name text not null constraint schema_functions_pkey primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

/** For each table, without computed columns. */
async function readColumns(sql: Sql): Promise<Map<string, Column[]>> {
  const rows = await sql.query<Column>(`
    select
      c.relname as table,
      a.attname as column,
      format_type(a.atttypid, null) as type
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace
    and c.relkind = 'r'
    and a.attnum > 0
    and not a.attisdropped
    and a.attgenerated = ''
    order by c.relname, a.attnum`);
  return Map.groupBy(rows, (row) => row.table);
}

/** So that the next inserted rows get new numbers. */
async function setSequences(sql: Sql): Promise<void> {
  const columns = await sql.query<Column>(`
    select
      c.relname as table,
      a.attname as column,
      '' as type
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace
    and c.relkind = 'r'
    and a.attidentity <> ''`);
  for (const { table, column } of columns) {
    await sql.query(`
      select setval(pg_get_serial_sequence('${table}', '${column}'), max("${column}"))
      from "${table}"
      having max("${column}") is not null`);
  }
}
