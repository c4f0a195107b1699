/** Whether the database follows another one: it can be read, and stores nothing. */
import type { Sql } from './database.ts';

export async function isStandby(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  return row?.standby === true;
}
