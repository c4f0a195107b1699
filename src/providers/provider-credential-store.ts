/**
 * Stores the sealed credentials of providers. The highest version of a provider is in use, and the
 * version before it is kept so that it can be restored. A change is announced to the running
 * gateways.
 */
import { announceChange } from '../db/change-notice-store.ts';
import type { Sql, Tx } from '../db/database.ts';

/** A fingerprint of each value, by the setting's name. It reveals nothing of the value. */
export type Fingerprints = Readonly<Record<string, string>>;

export type CredentialRow = {
  readonly provider: string;
  readonly version: number;
  readonly sealed: string;
  readonly fingerprints: Fingerprints;
  readonly set_by: string;
  readonly at: Date;
};

/** Lists the credentials in use: one row for each provider that has stored ones. */
export async function listPresentCredentials(sql: Sql): Promise<CredentialRow[]> {
  return await sql.query<CredentialRow>(`
    select distinct on (provider) provider, version, sealed, fingerprints, set_by, at
    from provider_credentials
    order by provider, version desc`);
}

/** Finds the credentials in use and those before them, in this order. */
export async function findCredentials(sql: Sql, provider: string): Promise<CredentialRow[]> {
  return await sql.query<CredentialRow>(
    `select provider, version, sealed, fingerprints, set_by, at
     from provider_credentials
     where provider = $1
     order by version desc
     limit 2`,
    [provider],
  );
}

/** Locks the credentials of a provider until the transaction ends. */
export async function lockCredentials(tx: Tx, provider: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `provider_credentials:${provider}`,
  ]);
}

/** Adds a version, which is in use from the commit on. Keeps one version before it. */
export async function insertCredentials(
  tx: Tx,
  row: Omit<CredentialRow, 'at' | 'set_by'> & { readonly setBy: string },
): Promise<void> {
  await tx.query(
    `insert into provider_credentials (provider, version, sealed, fingerprints, set_by)
     values ($1, $2, $3, $4, $5)`,
    [row.provider, row.version, row.sealed, JSON.stringify(row.fingerprints), row.setBy],
  );
  await tx.query(
    `delete from provider_credentials
     where provider = $1
     and version < $2`,
    [row.provider, row.version - 1],
  );
  await announceChange(tx, 'providers');
}

/**
 * Tells whether the provider may have orders without a known outcome: orders to query, and orders
 * that a process may be sending now.
 */
export async function hasUnsettledOrders(sql: Sql, provider: string): Promise<boolean> {
  // Each part uses a separate index, because the queue may be long.
  const rows = await sql.query(
    `(
       select
       from pending_purchases p
       where p.provider = $1
       and p.step = 'query'
       and p.due_at is not null
       limit 1
     )
     union all
     (
       select
       from pending_purchases p
       where p.provider = $1
       and p.step = 'query'
       and p.due_at is null
       and p.owner is not null
       limit 1
     )`,
    [provider],
  );
  return rows.length > 0;
}
