/** SQL of the state of the database, for the health of a process. */
import type { Sql } from './database.ts';

export type DatabaseState = {
  /** Usually because it has become a standby. */
  readonly isReadOnly: boolean;
  /** The number of the newest migration; 0: there is none. */
  readonly schemaVersion: number;
};

export async function readDatabaseState(sql: Sql): Promise<DatabaseState> {
  const [row] = await sql.query<{ is_read_only: boolean; version: number }>(`
    select
      current_setting('transaction_read_only')::boolean as is_read_only,
      (select coalesce(max(version), 0) from schema_migrations)::integer as version`);
  return { isReadOnly: row?.is_read_only === true, schemaVersion: row?.version ?? 0 };
}
