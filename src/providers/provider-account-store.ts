/**
 * Stores the accounts at providers that are more than a connector's own account, and every name
 * that an account has or had. A change is announced to the running gateways.
 */
import { announceChange } from '../db/change-notice-store.ts';
import type { Sql, Tx } from '../db/database.ts';

export type AccountRow = {
  /** The id: the account's first name. */
  readonly provider: string;
  readonly connector: string;
  /** The current name. */
  readonly name: string;
  /** All names, the current one among them. */
  readonly names: readonly string[];
  readonly added_by: string;
  readonly added_at: Date;
  readonly removed_at: Date | null;
};

export async function listAccountRows(sql: Sql): Promise<AccountRow[]> {
  return await sql.query<AccountRow>(`
    select
      a.provider,
      a.connector,
      a.name,
      array(select n.name from provider_names n where n.provider = a.provider order by n.name) as names,
      a.added_by,
      a.added_at,
      a.removed_at
    from provider_accounts a
    order by a.added_at, a.provider`);
}

/** Locks the accounts against changes until the transaction ends. */
export async function shareAccounts(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [LOCK]);
}

/** Locks the accounts against changes, and against operations that name one. */
export async function lockAccounts(tx: Tx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [LOCK]);
}

const LOCK = 'provider_accounts';

/** Stores an account with its name, or adds a name to it and makes it the current one. */
export async function nameAccount(
  tx: Tx,
  account: Pick<AccountRow, 'provider' | 'connector' | 'name'> & { readonly by: string },
): Promise<void> {
  const { provider, connector, name, by } = account;
  await tx.query(
    `insert into provider_accounts (provider, connector, name, added_by)
     values ($1, $2, $3, $4)
     on conflict (provider) do update
     set name = excluded.name`,
    [provider, connector, name, by],
  );
  await tx.query(
    `insert into provider_names (name, provider, named_by)
     select distinct n.name, $2, $3
     from unnest($1::text[]) as n(name)
     on conflict (name) do nothing`,
    [[provider, name], provider, by],
  );
  await announceChange(tx, 'providers');
}

/** Marks an account as removed, or as in use again. */
export async function markRemoved(
  tx: Tx,
  { provider, connector, by }: { readonly provider: string; readonly connector: string; readonly by: string },
  removed: boolean,
): Promise<void> {
  await tx.query(
    `insert into provider_accounts (provider, connector, name, added_by, removed_at, removed_by)
     values ($1, $2, $1, $3, case when $4 then now() end, case when $4 then $3 end)
     on conflict (provider) do update
     set removed_at = excluded.removed_at, removed_by = excluded.removed_by`,
    [provider, connector, by, removed],
  );
  await tx.query(
    `insert into provider_names (name, provider, named_by)
     values ($1, $1, $2)
     on conflict (name) do nothing`,
    [provider, by],
  );
  await announceChange(tx, 'providers');
}

/**
 * Tells whether purchases that are not final wait for the account, or may still go to it because
 * their route names it.
 */
export async function hasPendingPurchases(sql: Sql, provider: string): Promise<boolean> {
  const rows = await sql.query(
    `select
     from pending_purchases p
     join purchases v on v.merchant_id = p.merchant_id and v.id = p.purchase_id
     where p.provider = $1
     or $1 = any(string_to_array(v.route, ','))
     limit 1`,
    [provider],
  );
  return rows.length > 0;
}

/**
 * Returns whether rechecks of successes have not yet processed the removal of the account. It is
 * false for an account whose provider reverses no success.
 */
export async function hasUncheckedSuccesses(sql: Sql, provider: string): Promise<boolean> {
  const rows = await sql.query(
    `select
     from success_rechecks r
     join provider_accounts a on a.provider = r.provider
     where r.provider = $1
     and r.last_at < a.removed_at
     limit 1`,
    [provider],
  );
  return rows.length > 0;
}
