/**
 * Refuses an unsuitable server or database before anything is changed there: too old, a standby,
 * read-only, with another encoding, or belonging to another program.
 */
import type { Sql } from './database.ts';
import { MigrationError } from './migration-error.ts';

/** The oldest PostgreSQL on which every SQL statement works. */
const OLDEST_MAJOR = 15;
const NAMES_TOLD = 3;

export type ServerFacts = {
  /** The numeric version of PostgreSQL: 150004 for 15.4. */
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** Null if the settings of the connection name no existing schema. */
  readonly schema: string | null;
  /** Tables of that schema, without those of extensions. */
  readonly tables: readonly string[];
  /** Columns of `schema_migrations`. Empty if it does not exist. */
  readonly bookkeeping: readonly string[];
};

/** Rejects with MigrationError. */
export async function requireFitServer(sql: Sql): Promise<void> {
  const [facts] = await sql.query<ServerFacts>(`
    select
      current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only')::boolean as "isReadOnly",
      current_schema() as schema,
      array(
        select c.relname::text
        from pg_class c
        where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
        order by c.relname
      ) as tables,
      array(
        select a.attname::text
        from pg_attribute a
        where a.attrelid = to_regclass('schema_migrations')
        and a.attnum > 0
        and not a.attisdropped
        order by a.attnum
      ) as bookkeeping`);
  const fault = facts && faultOf(facts);
  if (fault !== undefined) throw fault;
}

/** Returns why Oja cannot work there, and how to fix it. Undefined if it can. */
export function faultOf(facts: ServerFacts): MigrationError | undefined {
  const major = Math.floor(facts.version / 10_000);
  if (major < OLDEST_MAJOR) {
    return new MigrationError(
      'server_too_old',
      `PostgreSQL ${major} is too old: Oja needs ${OLDEST_MAJOR} or later; upgrade the server, or name another in DATABASE_URL`,
    );
  }
  if (facts.isStandby) {
    return new MigrationError(
      'server_standby',
      'the server is a read-only standby: name its primary in DATABASE_URL',
    );
  }
  if (facts.isReadOnly) {
    return new MigrationError(
      'database_read_only',
      'the database is read-only: set default_transaction_read_only to off for it, or name another in DATABASE_URL',
    );
  }
  if (facts.encoding !== 'UTF8') {
    return new MigrationError(
      'encoding_other',
      `the database is encoded in ${facts.encoding}: create one with encoding 'UTF8' and template template0, and name it in DATABASE_URL`,
    );
  }
  if (facts.schema === null) {
    return new MigrationError(
      'no_schema',
      'the database has no schema to put tables in: create the schema public, or one of the search_path of DATABASE_URL',
    );
  }
  return faultOfTables(facts);
}

function faultOfTables({ tables, bookkeeping }: ServerFacts): MigrationError | undefined {
  if (bookkeeping.length === 0) {
    if (tables.length === 0) return undefined;
    const names = [...tables.slice(0, NAMES_TOLD), ...(tables.length > NAMES_TOLD ? ['…'] : [])].join(', ');
    return new MigrationError(
      'database_of_others',
      `the database has tables (${names}) and is not Oja's: name an empty one, or Oja's own, in DATABASE_URL`,
    );
  }
  const isOurs = ['version', 'name', 'checksum'].every((column) => bookkeeping.includes(column));
  return isOurs
    ? undefined
    : new MigrationError(
        'database_of_others',
        "the table schema_migrations is another program's: name an empty database, or Oja's own, in DATABASE_URL",
      );
}
