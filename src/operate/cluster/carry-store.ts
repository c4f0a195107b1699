/**
 * SQL that carries what a cell of another server leaves for all: movements of house accounts,
 * alarms, and entries of the audit log.
 */
import type { Sql, Tx } from '../../db/database.ts';

const ROWS_AT_ONCE = 5_000;

/** The tables, with the columns that are kept. Ids are given by the coordinator. */
const carried = {
  alarms: 'at, kind, merchant_id, purchase_id, message',
  audit_log: 'at, actor, action, subject, before, after, principal, edge',
  house_deltas: 'account_id, delta',
};

/** Returns for each cell an id that belongs to it, of a merchant that may not exist. */
export async function findIdsOfCells(coordinator: Sql): Promise<readonly number[]> {
  const rows = await coordinator.query<{ id: number }>(`
    select distinct on (p.number) p.id
    from (
      select id, get_shard_id_for_distribution_column('public.purchases', id) as number
      from generate_series(1, 1000) as id
    ) as p
    order by p.number, p.id`);
  return rows.map(({ id }) => id);
}

/** Moves rows of one cell to the coordinator, in one transaction of both servers. */
export async function carryFromCell(tx: Tx, idOfCell: number): Promise<void> {
  for (const [table, columns] of Object.entries(carried)) {
    const rows = await tx.query<{ row: string }>(
      'select row::text as row from take_rows($1, $2, $3) as row',
      [idOfCell, table, ROWS_AT_ONCE],
    );
    if (rows.length === 0) continue;
    await tx.query(
      `insert into ${table} (${columns})
       select ${columns}
       from json_populate_recordset(null::${table}, $1)`,
      [`[${rows.map(({ row }) => row).join()}]`],
    );
  }
}

/** Deletes processes that ended long ago. Their purchases are taken over in the cells. */
export async function forgetGateways(coordinator: Sql): Promise<void> {
  await coordinator.query("delete from gateways where seen_at < now() - interval '1 minute'");
}
