/** SQL of merchants' vending lines at MTN. */

import type { Environment } from '../core/environment.ts';
import type { Sql, Tx } from '../db/database.ts';

export type MtnLineRow = {
  /** International digits. */
  readonly phone: string;
  readonly client_name: string;
  /** In kobo; null if no provider has reported it. */
  readonly balance: bigint | null;
  /** When a provider last answered; null before it did. */
  readonly balance_at: Date | null;
};

export type LineOwner = { readonly merchantId: number; readonly environment: Environment };

export async function listMtnLines(sql: Sql, owner: LineOwner): Promise<MtnLineRow[]> {
  return await sql.query<MtnLineRow>(
    `select phone, client_name, balance, balance_at
     from mtn_lines
     where merchant_id = $1
     and environment = $2
     order by created_at, phone`,
    [owner.merchantId, owner.environment],
  );
}

/** False when the merchant has the line already. */
export async function insertMtnLine(
  tx: Tx,
  owner: LineOwner,
  line: { readonly phone: string; readonly clientName: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into mtn_lines (merchant_id, environment, phone, client_name)
     values ($1, $2, $3, $4)
     on conflict (merchant_id, environment, phone) do nothing
     returning 1`,
    [owner.merchantId, owner.environment, line.phone, line.clientName],
  );
  return rows.length > 0;
}

/** Returns the client name of the deleted line; undefined if there was none. */
export async function deleteMtnLine(tx: Tx, owner: LineOwner, phone: string): Promise<string | undefined> {
  const [row] = await tx.query<{ client_name: string }>(
    `delete from mtn_lines
     where merchant_id = $1
     and environment = $2
     and phone = $3
     returning client_name`,
    [owner.merchantId, owner.environment, phone],
  );
  return row?.client_name;
}

/** Stores the balances of the queried lines. A line that the provider does not know has none. */
export async function updateMtnBalances(
  sql: Sql,
  owner: LineOwner,
  phones: readonly string[],
  balances: ReadonlyMap<string, bigint>,
): Promise<void> {
  await sql.query(
    `update mtn_lines l
     set balance = b.balance, balance_at = now()
     from unnest($3::text[], $4::bigint[]) as b(phone, balance)
     where l.merchant_id = $1
     and l.environment = $2
     and l.phone = b.phone`,
    [owner.merchantId, owner.environment, phones, phones.map((phone) => balances.get(phone) ?? null)],
  );
}
