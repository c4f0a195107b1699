/** The SQL of how the restore fence stands (src/recovery). */
import type { Sql } from '../../db/database.ts';
import type { FenceState } from './sending-fence.ts';

export async function readFenceState(sql: Sql): Promise<FenceState> {
  const [row] = await sql.query<{ is_up: boolean; opened_at: Date | null }>(
    `select coalesce(bool_or(lifted_at is null), false) as is_up, max(lifted_at) as opened_at
     from restore_fences`,
  );
  return { isUp: row?.is_up ?? false, openedAt: row?.opened_at ?? undefined };
}
