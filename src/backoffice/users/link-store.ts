/** SQL of single-use links. Times are the database's. */
import type { Sql, Tx } from '../../db/database.ts';

export type LinkPurpose = 'invitation' | 'reset' | 'sign_in';

const lives: Readonly<Record<LinkPurpose, string>> = {
  invitation: '72 hours',
  reset: '1 hour',
  sign_in: '12 hours',
};

/**
 * Inserts a link, which replaces unused links of the same purpose. The demo's sign-in links are
 * kept, because each started process has one.
 */
export async function insertLink(
  tx: Tx,
  link: { readonly hash: Buffer; readonly userId: string; readonly purpose: LinkPurpose },
): Promise<Date | undefined> {
  const { hash, userId, purpose } = link;
  await tx.query(
    `delete from user_links
     where user_id = $1
     and purpose = $2
     and purpose <> 'sign_in'
     and used_at is null`,
    [userId, purpose],
  );
  const [row] = await tx.query<{ expires_at: Date }>(
    `insert into user_links (hash, user_id, purpose, expires_at)
     values ($1, $2, $3, now() + $4::interval)
     returning expires_at`,
    [hash, userId, purpose, lives[purpose]],
  );
  return row?.expires_at;
}

export type LinkRow = { readonly user_id: string; readonly purpose: LinkPurpose; readonly expires_at: Date };

const isGood = 'used_at is null and expires_at > now()';

/** Returns a valid link, or undefined. */
export async function findLink(sql: Sql, hash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await sql.query<LinkRow>(
    `select user_id, purpose, expires_at from user_links where hash = $1 and ${isGood}`,
    [hash],
  );
  return row;
}

/** Uses a link up. Returns undefined if it is invalid; of two concurrent uses, one succeeds. */
export async function useLink(tx: Tx, hash: Buffer): Promise<LinkRow | undefined> {
  const [row] = await tx.query<LinkRow>(
    `update user_links
     set used_at = now()
     where hash = $1
     and ${isGood}
     returning user_id, purpose, expires_at`,
    [hash],
  );
  return row;
}

export async function deleteLinks(tx: Tx, userId: string): Promise<void> {
  await tx.query('delete from user_links where user_id = $1 and used_at is null', [userId]);
}
