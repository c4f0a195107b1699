/** SQL of the alarm about cells that no process works on. */
import type { Sql } from '../../db/database.ts';
import { DEAD_AFTER_MS } from '../../purchases/engine/gateway-store.ts';

/** Counts the live processes that do the background work of the cell. */
export async function countWorkersOfCell(cell: Sql): Promise<number> {
  const [row] = await cell.query<{ count: number }>(
    `select count(*)::integer as count
     from gateways
     where role in ('all', 'worker')
     and seen_at > now() - $1 * interval '1 millisecond'`,
    [DEAD_AFTER_MS],
  );
  return row?.count ?? 0;
}

/** Raises the alarm once while it lasts, in any number of processes. */
export async function raiseIdleCell(
  coordinator: Sql,
  { number, why }: { readonly number: number; readonly why: string },
): Promise<void> {
  await coordinator.query(
    `insert into alarms (kind, message)
     values ('cell_idle', $1)
     on conflict ((split_part(message, ':', 1))) where kind = 'cell_idle' and ended_at is null do nothing`,
    [`${nameOf(number)}: ${why}`],
  );
}

export async function endIdleCell(coordinator: Sql, number: number): Promise<void> {
  await coordinator.query(
    `update alarms
     set ended_at = now()
     where kind = 'cell_idle'
     and ended_at is null
     and split_part(message, ':', 1) = $1`,
    [nameOf(number)],
  );
}

function nameOf(number: number): string {
  return `Cell ${number}`;
}
