/** Whether the database answers now. */
import type { Sql } from './database.ts';

export async function answers(sql: Sql): Promise<boolean> {
  return await sql.query('select 1').then(
    () => true,
    () => false,
  );
}
