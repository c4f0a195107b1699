/**
 * SQL of low-balance alerts and their thresholds. A merchant is notified once when the available
 * amount falls below the threshold, and again only after it was above.
 */
import type { Sql, Tx } from '../db/database.ts';

const ROWS_AT_ONCE = 1_000;

/** Returns the threshold in minor units, or undefined if none is set. */
export async function findWalletAlert(sql: Sql, walletId: bigint): Promise<bigint | undefined> {
  const [row] = await sql.query<{ threshold: bigint }>(
    `select threshold
     from wallet_alerts
     where wallet_id = $1`,
    [walletId],
  );
  return row?.threshold;
}

/** Sets the threshold. A wallet that is low already is reported again. */
export async function putWalletAlert(tx: Tx, walletId: bigint, threshold: bigint): Promise<void> {
  await tx.query(
    `insert into wallet_alerts (wallet_id, threshold)
     values ($1, $2)
     on conflict (wallet_id) do update
     set threshold = excluded.threshold, low_since = null`,
    [walletId, threshold],
  );
}

export async function deleteWalletAlert(tx: Tx, walletId: bigint): Promise<void> {
  await tx.query(
    `delete from wallet_alerts
     where wallet_id = $1`,
    [walletId],
  );
}

/**
 * Reports wallets that have become low, and clears those that recovered. Returns the number of
 * reports. A wallet that was low only between two runs is not reported.
 */
export async function tellLowWallets(sql: Sql): Promise<number> {
  await sql.query(
    `update wallet_alerts a
     set low_since = null
     where a.low_since is not null
     and (
       select s.posted - s.held - s.floor >= a.threshold
       from wallet_state(a.wallet_id) s
     )`,
  );
  const told = await sql.query(
    `with low as (
       select a.wallet_id, a.threshold, o.merchant_id, o.environment, o.currency, s.posted - s.held - s.floor as available
       from wallet_alerts a
       join wallet_owners o on o.account_id = a.wallet_id
       cross join lateral wallet_state(a.wallet_id) s
       where a.low_since is null
       and s.posted - s.held - s.floor < a.threshold
       limit $1
       for update of a skip locked
     ),
     told as (
       insert into events (merchant_id, environment, id, type, facts)
       select
         merchant_id,
         environment,
         gen_random_uuid(),
         'wallet.low',
         jsonb_build_object('currency', currency, 'available', available::text, 'threshold', threshold::text)
       from low
     )
     update wallet_alerts a
     set low_since = now()
     from low
     where a.wallet_id = low.wallet_id
     returning 1`,
    [ROWS_AT_ONCE],
  );
  return told.length;
}
