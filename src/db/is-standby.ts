/** Returns whether the database is a standby, which can only be read. */
import type { Sql } from './database.ts';

export async function isStandby(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return row?.standby === true;
}
