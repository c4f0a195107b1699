/** SQL of API credentials. */

import type { Environment } from '../core/environment.ts';
import type { Sql, Tx } from '../db/database.ts';

/** A credential without the hash of its secret, which only the authenticator reads. */
export type CredentialRow = {
  readonly key_id: string;
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly label: string;
  readonly allowed_ips: readonly string[];
  readonly rate_limit_per_s: number | null;
  /** Spend caps in minor units. */
  readonly purchase_cap: bigint | null;
  readonly daily_cap: bigint | null;
  readonly mcp_purchases: boolean;
  /** The replaced credential under which the spending is counted. */
  readonly spends_as: string | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  /** Since when it waits for a confirmation after a restore. */
  readonly unconfirmed_at: Date | null;
};

/** The data that the authenticator needs to check a request and to name its principal. */
export type PrincipalRow = {
  readonly key_id: string;
  readonly environment: Environment;
  readonly secret_hash: Buffer;
  readonly allowed_ips: readonly string[];
  readonly rate_limit_per_s: number | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly unconfirmed: boolean;
  readonly capped: boolean;
  readonly mcp_purchases: boolean;
  /** Another one after each change of the credential or its merchant. */
  readonly version: string;
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly merchant_disabled: boolean;
  readonly products: readonly string[];
  /** The current version, without a time, and later ones, in order. */
  readonly price_versions: readonly { list: string; version: number; from_ms: number | null }[];
  readonly wallets: readonly { currency: string; account_id: string }[];
};

const credentialColumns = `
  key_id, merchant_id, environment, label, allowed_ips::text[] as allowed_ips, rate_limit_per_s, purchase_cap, daily_cap,
  mcp_purchases, spends_as, created_at, expires_at, revoked_at, last_used_at, unconfirmed_at`;

export type Spending = {
  readonly purchaseCap: bigint | undefined;
  readonly dailyCap: bigint | undefined;
  readonly mcpPurchases: boolean;
};

export async function insertCredential(
  tx: Tx,
  credential: {
    readonly keyId: string;
    readonly merchantId: number;
    readonly environment: Environment;
    readonly secretHash: Buffer;
    readonly label: string;
    readonly allowedIps: readonly string[];
    readonly rateLimitPerS: number | undefined;
    readonly expiresAt: Date | undefined;
    readonly spending: Spending;
    readonly spendsAs: string | undefined;
  },
): Promise<CredentialRow | undefined> {
  const [row] = await tx.query<CredentialRow>(
    `insert into credentials (
       key_id, merchant_id, environment, secret_hash, label, allowed_ips, rate_limit_per_s, expires_at, purchase_cap, daily_cap,
       mcp_purchases, spends_as
     )
     values ($1, $2, $3, $4, $5, $6::text[]::cidr[], $7, $8, $9, $10, $11, $12)
     returning ${credentialColumns}`,
    [
      credential.keyId,
      credential.merchantId,
      credential.environment,
      credential.secretHash,
      credential.label,
      credential.allowedIps,
      credential.rateLimitPerS ?? null,
      credential.expiresAt ?? null,
      credential.spending.purchaseCap ?? null,
      credential.spending.dailyCap ?? null,
      credential.spending.mcpPurchases,
      credential.spendsAs ?? null,
    ],
  );
  return row;
}

/** Lists the credentials of an environment, oldest first, after the key `after`. */
export async function listCredentials(
  sql: Sql,
  merchantId: number,
  { after, limit }: { readonly after?: string | undefined; readonly limit?: number } = {},
): Promise<CredentialRow[]> {
  return await sql.query<CredentialRow>(
    `select ${credentialColumns}
     from credentials
     where merchant_id = $1
     and (
       $2::text is null
       or (environment, created_at, key_id) > (
         select environment, created_at, key_id
         from credentials
         where key_id = $2
         and merchant_id = $1
       )
     )
     order by environment, created_at, key_id
     limit $3`,
    [merchantId, after ?? null, limit ?? null],
  );
}

export async function countCredentials(sql: Sql, merchantId: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from credentials
     where merchant_id = $1`,
    [merchantId],
  );
  return row?.count ?? 0;
}

/** Counts the credentials of an environment that are valid at `at`; absent: now. */
export async function countActiveCredentials(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  at: Date | undefined,
): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from credentials
     where merchant_id = $1
     and environment = $2
     and revoked_at is null
     and (expires_at is null or expires_at > coalesce($3, now()))`,
    [merchantId, environment, at ?? null],
  );
  return row?.count ?? 0;
}

export async function findCredential(sql: Sql, keyId: string): Promise<CredentialRow | undefined> {
  const [row] = await sql.query<CredentialRow>(
    `select ${credentialColumns}
     from credentials
     where key_id = $1`,
    [keyId],
  );
  return row;
}

export async function lockCredential(tx: Tx, keyId: string): Promise<CredentialRow | undefined> {
  const [row] = await tx.query<CredentialRow>(
    `select ${credentialColumns}
     from credentials
     where key_id = $1
     for update`,
    [keyId],
  );
  return row;
}

export async function updateRevoked(tx: Tx, keyId: string): Promise<void> {
  await tx.query(
    `update credentials
     set revoked_at = now()
     where key_id = $1`,
    [keyId],
  );
}

export async function updateExpiry(tx: Tx, keyId: string, expiresAt: Date): Promise<void> {
  await tx.query(
    `update credentials
     set expires_at = $2
     where key_id = $1`,
    [keyId, expiresAt],
  );
}

export async function updateSpending(tx: Tx, keyId: string, spending: Spending): Promise<void> {
  await tx.query(
    `update credentials
     set purchase_cap = $2, daily_cap = $3, mcp_purchases = $4
     where key_id = $1`,
    [keyId, spending.purchaseCap ?? null, spending.dailyCap ?? null, spending.mcpPurchases],
  );
}

/** Stores uses. Other processes may store theirs too, so a time only ever moves forward. */
export async function updateLastUsed(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  const keyIds = [...uses.keys()];
  // Locked in key order, so that processes recording the same credentials at once cannot deadlock.
  await tx.query('select from credentials where key_id = any($1::text[]) order by key_id for update', [
    keyIds,
  ]);
  await tx.query(
    `update credentials c
     set last_used_at = u.at
     from unnest($1::text[], $2::timestamptz[]) as u(key_id, at)
     where c.key_id = u.key_id
     and coalesce(c.last_used_at, '-infinity') < u.at`,
    [keyIds, [...uses.values()]],
  );
}

const systemColumns = "array['last_used_at', 'xmin', 'ctid', 'tableoid']";

/** Equal as long as neither row changed. Views of cells have columns of the system too. */
const versionOf = `
  md5(((to_jsonb(c) || jsonb_build_object('m', to_jsonb(m) - ${systemColumns})) - ${systemColumns})::text)`;

const selectPrincipalsStatement = {
  name: 'select_callers',
  text: `
    select
      c.key_id,
      c.environment,
      c.secret_hash,
      c.allowed_ips::text[] as allowed_ips,
      c.rate_limit_per_s,
      c.expires_at,
      c.revoked_at,
      c.unconfirmed_at is not null as unconfirmed,
      coalesce(c.purchase_cap, c.daily_cap) is not null as capped,
      c.mcp_purchases,
      m.id as merchant_id,
      m.code as merchant_code,
      m.name as merchant_name,
      m.disabled_at is not null as merchant_disabled,
      ${versionOf} as version,
      array(
        select p.product
        from merchant_products p
        where p.merchant_id = m.id
        and p.environment = c.environment
      ) as products,
      (
        select coalesce(
          json_agg(
            json_build_object(
              'list', v.list,
              'version', v.version,
              'from_ms', case when v.holds_from > now() then ceil(extract(epoch from v.holds_from) * 1000) end
            )
            order by v.holds_from
          ),
          '[]'
        )
        from price_list_versions v
        where v.list = coalesce(m.price_list, 'own:' || m.code)
        and v.holds_from >= coalesce(
          (
            select max(held.holds_from)
            from price_list_versions held
            where held.list = v.list
            and held.holds_from <= now()
          ),
          '-infinity'
        )
      ) as price_versions,
      (
        select coalesce(json_agg(json_build_object('currency', w.currency, 'account_id', w.id::text)), '[]')
        from accounts w
        where w.merchant_id = m.id
        and w.environment = c.environment
        and w.kind = 'wallet'
      ) as wallets
    from credentials c
    join merchants m on m.id = c.merchant_id
    where c.key_id = any($1::text[])`,
};

/**
 * Reads the existing credentials of the keys, including revoked and expired ones, in one snapshot.
 */
export async function selectPrincipals(sql: Sql, keyIds: readonly string[]): Promise<PrincipalRow[]> {
  return await sql.query<PrincipalRow>(selectPrincipalsStatement, [keyIds]);
}

/** Whether a copy of the tables at another server still has the credential as it was read. */
export async function isUnchanged(sql: Sql, keyId: string, version: string): Promise<boolean> {
  const rows = await sql.query(
    `select
     from credentials c
     join merchants m on m.id = c.merchant_id
     where c.key_id = $1
     and ${versionOf} = $2`,
    [keyId, version],
  );
  return rows.length > 0;
}
