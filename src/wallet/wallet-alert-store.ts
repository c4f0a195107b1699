/**
 * SQL of low-balance alerts, their thresholds and the people who get an e-mail. A merchant is
 * notified once when the available amount falls below the threshold, and again only after it was
 * above.
 */
import type { Environment } from '../core/environment.ts';
import type { Currency } from '../core/money.ts';
import type { Sql, Tx } from '../db/database.ts';

const ROWS_AT_ONCE = 1_000;

type MerchantWallet = { readonly merchantId: number; readonly walletId: bigint };

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
export async function putWalletAlert(
  tx: Tx,
  { merchantId, walletId }: MerchantWallet,
  threshold: bigint,
): Promise<void> {
  await tx.query(
    `insert into wallet_alerts (merchant_id, wallet_id, threshold)
     values ($1, $2, $3)
     on conflict (wallet_id, merchant_id) do update
     set threshold = excluded.threshold, low_since = null`,
    [merchantId, walletId, threshold],
  );
}

export async function deleteWalletAlert(tx: Tx, walletId: bigint): Promise<void> {
  await tx.query(
    `delete from wallet_alerts
     where wallet_id = $1`,
    [walletId],
  );
}

/** Returns the addresses of the users who get an e-mail. */
export async function listAlertEmails(sql: Sql, walletId: bigint): Promise<string[]> {
  const rows = await sql.query<{ email: string }>(
    `select u.email
     from wallet_alert_recipients r
     join users u on u.id = r.user_id
     where r.wallet_id = $1
     order by u.email`,
    [walletId],
  );
  return rows.map(({ email }) => email);
}

/**
 * Replaces the users who get an e-mail. Addresses are compared in lower case. Returns the first
 * address that is not an active user of the merchant; then the caller must roll back.
 */
export async function putAlertEmails(
  tx: Tx,
  { merchantId, walletId }: MerchantWallet,
  emails: readonly string[],
): Promise<string | undefined> {
  await tx.query('delete from wallet_alert_recipients where wallet_id = $1', [walletId]);
  const added = await tx.query<{ email: string }>(
    `with added as (
       insert into wallet_alert_recipients (merchant_id, wallet_id, user_id)
       select merchant_id, $2, id
       from users
       where merchant_id = $1
       and email = any ($3)
       and suspended_at is null
       returning user_id
     )
     select email
     from users
     where id in (select user_id from added)`,
    [merchantId, walletId, emails],
  );
  const known = new Set(added.map(({ email }) => email));
  return emails.find((email) => !known.has(email));
}

export type LowWallet = {
  readonly email: string;
  readonly merchant: string;
  readonly environment: Environment;
  readonly currency: Currency;
  /** In minor units. */
  readonly available: bigint;
  readonly threshold: bigint;
};

/** Returns the content of an e-mail, or undefined if the wallet is no longer low for this user. */
export async function findLowWallet(
  sql: Sql,
  walletId: bigint,
  userId: string,
): Promise<LowWallet | undefined> {
  const [row] = await sql.query<LowWallet>(
    `select
       u.email,
       m.name as merchant,
       w.environment,
       w.currency,
       w.posted - w.held - w.floor as available,
       a.threshold
     from wallet_alerts a
     join wallet_alert_recipients r on r.wallet_id = a.wallet_id
     join users u on u.id = r.user_id
     join merchants m on m.id = u.merchant_id
     join wallets w on w.account_id = a.wallet_id
     where a.wallet_id = $1
     and u.id = $2
     and u.suspended_at is null
     and w.posted - w.held - w.floor < a.threshold`,
    [walletId, userId],
  );
  return row;
}

/**
 * Reports wallets that have become low, and clears those that recovered. Returns the number of
 * reports. A wallet that was low only between two runs is not reported. The event and the e-mails
 * are stored in the statement that marks the wallet, so two processes report it once. An e-mail of
 * the last fall that was not sent yet is not stored again.
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
       select a.wallet_id, a.threshold, a.merchant_id, o.environment, o.currency, s.posted - s.held - s.floor as available
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
     ),
     mailed as (
       insert into user_mails (id, face, purpose, user_id, email, wallet_id, due_at)
       select gen_random_uuid(), 'portal', 'wallet_low', u.id, u.email, low.wallet_id, now()
       from low
       join wallet_alert_recipients r on r.wallet_id = low.wallet_id
       join users u on u.id = r.user_id
       where u.suspended_at is null
       on conflict (wallet_id, user_id) where wallet_id is not null do nothing
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
