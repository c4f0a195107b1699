/** SQL of users. */

import type { MerchantRole, Role } from '../../core/operation.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type UserRow = {
  readonly id: string;
  /** Null for a console user. */
  readonly merchant_id: number | null;
  readonly merchant_code: string | null;
  readonly merchant_name: string | null;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly roles: readonly (Role | MerchantRole)[];
  readonly password: string | null;
  readonly suspended_at: Date | null;
  readonly created_at: Date;
  readonly created_by: string;
  readonly signed_in_at: Date | null;
};

export const userColumns = `
    u.id, u.merchant_id, m.code as merchant_code, m.name as merchant_name, u.email, u.name, u.roles,
    u.password, u.suspended_at, u.created_at, u.created_by, u.signed_in_at`;

const joined = `
     from users u
     left join merchants m on m.id = u.merchant_id`;

export async function insertUser(
  tx: Tx,
  user: Pick<UserRow, 'id' | 'merchant_id' | 'email' | 'name' | 'roles' | 'created_by'>,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into users (id, merchant_id, email, name, roles, created_by)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing
     returning id`,
    [user.id, user.merchant_id, user.email, user.name, user.roles, user.created_by],
  );
  return rows.length > 0;
}

export async function findUser(sql: Sql, id: string): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow>(`select ${userColumns} ${joined} where u.id = $1`, [id]);
  return row;
}

/** Locks a user until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  // A separate statement, so that the next one sees the commits of the previous lock holder.
  await tx.query('select from users where id = $1 for no key update', [id]);
  return await findUser(tx, id);
}

/** Finds users by the whole address, of the operator or of merchants. */
export async function findUsersByEmail(
  sql: Sql,
  of: { readonly email: string; readonly ofMerchant: boolean; readonly merchant?: string | undefined },
): Promise<UserRow[]> {
  return await sql.query<UserRow>(
    `select ${userColumns} ${joined}
     where u.email = lower($1)
     and (u.merchant_id is not null) = $2
     and ($3::text is null or lower(m.code) = lower($3))
     order by u.id
     limit 5`,
    [of.email, of.ofMerchant, of.merchant ?? null],
  );
}

/** Lists users by address, from the one after `after`. */
export async function listUsers(
  sql: Sql,
  page: { readonly merchantId: number | null; readonly after: string | undefined; readonly limit: number },
): Promise<UserRow[]> {
  return await sql.query<UserRow>(
    `select ${userColumns} ${joined}
     where u.merchant_id is not distinct from $1
     and ($2::text is null or u.email > $2)
     order by u.email
     limit $3`,
    [page.merchantId, page.after ?? null, page.limit],
  );
}

export async function updateUser(
  tx: Tx,
  id: string,
  change: {
    readonly name?: string | undefined;
    readonly roles?: readonly string[] | undefined;
    /** Null: the user cannot sign in before choosing one. */
    readonly password?: string | null | undefined;
    readonly suspended?: boolean | undefined;
  },
): Promise<void> {
  await tx.query(
    `update users
     set name = coalesce($2, name),
       roles = coalesce($3, roles),
       password = case when $6 then null else coalesce($4, password) end,
       suspended_at = case when $5::boolean is null then suspended_at when $5 then now() end
     where id = $1`,
    [
      id,
      change.name ?? null,
      change.roles ?? null,
      change.password ?? null,
      change.suspended ?? null,
      change.password === null,
    ],
  );
}

/**
 * Whether a user is active and has this hash as the password. The user stays locked until the end
 * of the transaction, so concurrent sign-ins wait for each other and do not deadlock.
 */
export async function lockPassword(tx: Tx, id: string, password: string): Promise<boolean> {
  const rows = await tx.query(
    'select from users where id = $1 and password = $2 and suspended_at is null for no key update',
    [id, password],
  );
  return rows.length > 0;
}

/** Counts the active admins, or the active owners of a merchant. */
export async function countChiefs(tx: Tx, merchantId: number | null): Promise<number> {
  // Concurrent demotions are serialized, so that the second is refused.
  await tx.query("select pg_advisory_xact_lock(hashtextextended('users:' || coalesce($1::text, ''), 0))", [
    merchantId,
  ]);
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count
     from users
     where merchant_id is not distinct from $1
     and suspended_at is null
     and $2 = any (roles)`,
    [merchantId, merchantId === null ? 'admin' : 'owner'],
  );
  return row?.count ?? 0;
}

export async function updateSignedIn(tx: Tx, id: string): Promise<void> {
  await tx.query('update users set signed_in_at = now() where id = $1', [id]);
}
