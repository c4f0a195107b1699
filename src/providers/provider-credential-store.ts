/**
 * The SQL of the credentials of providers that are stored sealed. The highest version of a provider
 * counts, and the one before it is kept to go back to. Whoever changes them announces it to the
 * running gateways.
 */
import { announceChange } from '../db/change-notice-store.ts';
import type { Sql, Tx } from '../db/database.ts';

/** By the name of the setting: what tells one value from another, and does not reveal it. */
export type Fingerprints = Readonly<Record<string, string>>;

export type CredentialRow = {
  readonly provider: string;
  readonly version: number;
  readonly sealed: string;
  readonly fingerprints: Fingerprints;
  readonly set_by: string;
  readonly at: Date;
};

/** Those that count, one for each provider that has any. */
export async function listPresentCredentials(sql: Sql): Promise<CredentialRow[]> {
  return await sql.query<CredentialRow>(`
    select distinct on (provider) provider, version, sealed, fingerprints, set_by, at
    from provider_credentials
    order by provider, version desc`);
}

/** Those that count and those before them, in this order. */
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

/** Changes of one provider's credentials come in turn. Held to the end of the transaction. */
export async function lockCredentials(tx: Tx, provider: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `provider_credentials:${provider}`,
  ]);
}

/** The new version counts from the commit on; of those before it one is kept. */
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
 * Whether orders may have reached the provider whose outcome is not known yet: those that wait to
 * be asked about, and those that somebody has in hand and may be sending now.
 */
export async function hasUnsettledOrders(sql: Sql, provider: string): Promise<boolean> {
  // By an index each: the queue may be long.
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
