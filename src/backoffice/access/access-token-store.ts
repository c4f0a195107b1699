/** SQL of personal access tokens. */

import type { Role } from '../../core/operation.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type AccessTokenRow = {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly created_at: Date;
  readonly created_by: string;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
};

const columns = 'id, name, roles, created_at, created_by, expires_at, revoked_at, last_used_at';

export async function insertAccessToken(
  tx: Tx,
  token: Pick<AccessTokenRow, 'id' | 'name' | 'roles' | 'expires_at' | 'created_by'> & {
    readonly secretHash: Uint8Array;
  },
): Promise<AccessTokenRow | undefined> {
  const [row] = await tx.query<AccessTokenRow>(
    `insert into access_tokens (id, name, roles, secret_hash, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     returning ${columns}`,
    [token.id, token.name, token.roles, token.secretHash, token.created_by, token.expires_at],
  );
  return row;
}

/** Returns a token with its hash, and whether it is valid now by the database's clock. */
export async function findAccessToken(
  sql: Sql,
  id: string,
): Promise<(AccessTokenRow & { readonly secret_hash: Uint8Array; readonly is_valid: boolean }) | undefined> {
  const [row] = await sql.query<
    AccessTokenRow & { readonly secret_hash: Uint8Array; readonly is_valid: boolean }
  >(
    `select ${columns}, secret_hash, revoked_at is null and expires_at > now() as is_valid
     from access_tokens
     where id = $1`,
    [id],
  );
  return row;
}

export async function lockAccessToken(tx: Tx, id: string): Promise<AccessTokenRow | undefined> {
  const [row] = await tx.query<AccessTokenRow>(
    `select ${columns}
     from access_tokens
     where id = $1
     for update`,
    [id],
  );
  return row;
}

export async function updateTokenRevoked(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update access_tokens
     set revoked_at = now()
     where id = $1`,
    [id],
  );
}

/**
 * Revokes tokens with more than `roles` that a principal created, directly or with another token.
 * Returns the count.
 */
export async function revokeTokensOf(tx: Tx, principal: string, roles: readonly Role[]): Promise<number> {
  const ended = await tx.query(
    `with recursive made as (
       select id, roles
       from access_tokens
       where created_by = $1
       union
       select t.id, t.roles
       from made m
       join access_tokens t on starts_with(t.created_by, 'token:' || m.id || ' ')
     )
     update access_tokens t
     set revoked_at = now()
     from made m
     where t.id = m.id
     and t.revoked_at is null
     and t.expires_at > now()
     and not m.roles <@ $2::text[]
     returning 1`,
    [principal, roles],
  );
  return ended.length;
}

/** Records the last use, at most once a minute. */
export async function updateTokenUsed(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `update access_tokens
     set last_used_at = now()
     where id = $1
     and coalesce(last_used_at < now() - interval '1 minute', true)`,
    [id],
  );
}

/** Lists tokens, newest first, from the one after the token `after`. */
export async function listAccessTokens(
  sql: Sql,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<AccessTokenRow[]> {
  return await sql.query<AccessTokenRow>(
    `select ${columns}
     from access_tokens
     where $1::text is null
     or (created_at, id) < (select created_at, id from access_tokens where id = $1)
     order by created_at desc, id desc
     limit $2`,
    [after, limit],
  );
}
