/**
 * SQL that carries what a cell of another server leaves for all: movements of house accounts, and
 * alarms.
 */
import type { Sql, Tx } from '../../db/database.ts';

const DELTAS_AT_ONCE = 10_000;

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

/** Moves the rows of one cell to the coordinator, in one transaction of both servers. */
export async function carryFromCell(tx: Tx, idOfCell: number): Promise<void> {
  const deltas = await tx.query<{ account_id: bigint; delta: bigint }>(
    'select account_id, delta from take_house_deltas($1, $2)',
    [idOfCell, DELTAS_AT_ONCE],
  );
  if (deltas.length > 0) {
    await tx.query(
      `insert into house_deltas (account_id, delta)
       select account_id, delta
       from unnest($1::bigint[], $2::bigint[]) as d(account_id, delta)`,
      [deltas.map(({ account_id }) => account_id), deltas.map(({ delta }) => delta)],
    );
  }
  const alarms = await tx.query('select at, kind, merchant_id, purchase_id, message from take_alarms($1)', [
    idOfCell,
  ]);
  for (const { at, kind, merchant_id, purchase_id, message } of alarms) {
    await tx.query(
      `insert into alarms (at, kind, merchant_id, purchase_id, message)
       values ($1, $2, $3, $4, $5)`,
      [at, kind, merchant_id, purchase_id, message],
    );
  }
}

/** Deletes processes that ended long ago. Their purchases are taken over in the cells. */
export async function forgetGateways(coordinator: Sql): Promise<void> {
  await coordinator.query("delete from gateways where seen_at < now() - interval '1 minute'");
}
