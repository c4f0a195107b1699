/** The SQL that says whether the restore fence is up (src/recovery). */
import type { Sql } from '../../db/database.ts';

export async function isFenceUp(sql: Sql): Promise<boolean> {
  const rows = await sql.query('select from restore_fences where lifted_at is null');
  return rows.length > 0;
}
