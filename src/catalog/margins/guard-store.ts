/** Stores guards: the rule for a product that would sell at a loss. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';

/** `off`: sold without an alarm. `alarm`: sold, with an alarm. `stop`: not sold at a loss. */
export const guardModes = ['off', 'alarm', 'stop'] as const;
export type GuardMode = (typeof guardModes)[number];

/** Stands for the networks of a product that have no specific guard. */
export const everyNetwork = '*';

export type GuardRow = {
  readonly environment: Environment;
  readonly product: string;
  /** `*` for every network of the product without a specific guard. */
  readonly network: string;
  readonly mode: GuardMode;
  readonly set_at: Date;
};

export type GuardPlace = Pick<GuardRow, 'environment' | 'product' | 'network'>;

/** Lists guards in the order of their key. */
export async function listGuards(
  sql: Sql,
  page: { readonly after: GuardPlace | undefined; readonly limit: number } | undefined = undefined,
): Promise<GuardRow[]> {
  const after = page?.after;
  return await sql.query<GuardRow>(
    `select environment, product, network, mode, set_at
     from guards
     where $1::text is null or (environment, product, network) > ($1, $2, $3)
     order by environment, product, network
     limit $4`,
    [after?.environment ?? null, after?.product ?? null, after?.network ?? null, page?.limit ?? null],
  );
}

export async function lockGuard(
  tx: Tx,
  { environment, product, network }: GuardPlace,
): Promise<GuardRow | undefined> {
  const [row] = await tx.query<GuardRow>(
    `select environment, product, network, mode, set_at
     from guards
     where environment = $1
     and product = $2
     and network = $3
     for update`,
    [environment, product, network],
  );
  return row;
}

export async function upsertGuard(tx: Tx, guard: GuardPlace & { readonly mode: GuardMode }): Promise<void> {
  await tx.query(
    `insert into guards (environment, product, network, mode)
     values ($1, $2, $3, $4)
     on conflict (environment, product, network) do update
     set
       mode = excluded.mode,
       set_at = now()`,
    [guard.environment, guard.product, guard.network, guard.mode],
  );
}
