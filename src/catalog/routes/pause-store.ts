/** Stores paused providers. A change is announced to the running gateways. */
import { announceChange } from '../../db/change-notice-store.ts';
import type { Sql, Tx } from '../../db/database.ts';

/** A place of a pause. `*` stands for all products, or for all networks. */
export type PausePlace = { readonly provider: string; readonly product: string; readonly network: string };

export type PauseRow = PausePlace & {
  readonly reason: string;
  readonly paused_by: string;
  readonly at: Date;
};

export async function listPauses(sql: Sql): Promise<PauseRow[]> {
  return await sql.query<PauseRow>(`
    select provider, product, network, reason, paused_by, at
    from provider_pauses
    order by provider, product, network`);
}

/** Adds a pause. Returns false if the provider is paused there already. */
export async function insertPause(
  tx: Tx,
  pause: PausePlace & { readonly reason: string; readonly pausedBy: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into provider_pauses (provider, product, network, reason, paused_by)
     values ($1, $2, $3, $4, $5)
     on conflict (provider, product, network) do nothing
     returning provider`,
    [pause.provider, pause.product, pause.network, pause.reason, pause.pausedBy],
  );
  if (rows.length > 0) await announceChange(tx, 'routes');
  return rows.length > 0;
}

/** Removes a pause and returns its reason. Undefined if there is no pause. */
export async function deletePause(tx: Tx, place: PausePlace): Promise<{ reason: string } | undefined> {
  const [row] = await tx.query<{ reason: string }>(
    `delete from provider_pauses
     where provider = $1
     and product = $2
     and network = $3
     returning reason`,
    [place.provider, place.product, place.network],
  );
  if (row !== undefined) await announceChange(tx, 'routes');
  return row;
}
