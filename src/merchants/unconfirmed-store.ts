/** SQL of keys that wait for a confirmation after a restore. */
import type { Sql, Tx } from '../db/database.ts';
import type { CredentialRow } from './credential-store.ts';

type UnconfirmedRow = Pick<
  CredentialRow,
  'key_id' | 'environment' | 'label' | 'created_at' | 'last_used_at'
> & {
  readonly merchant_code: string;
};

/** Marks every key that works, or may work again. */
export async function markUnconfirmed(tx: Tx): Promise<void> {
  await tx.query('update credentials set unconfirmed_at = now() where revoked_at is null');
}

/** Lists unconfirmed credentials by key, after the key `after`. */
export async function listUnconfirmed(
  sql: Sql,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<UnconfirmedRow[]> {
  return await sql.query<UnconfirmedRow>(
    `select c.key_id, m.code as merchant_code, c.environment, c.label, c.created_at, c.last_used_at
     from credentials c
     join merchants m on m.id = c.merchant_id
     where c.unconfirmed_at is not null
     and c.revoked_at is null
     and ($1::text is null or c.key_id > $1)
     order by c.key_id
     limit $2`,
    [after ?? null, limit],
  );
}

/** Confirms one key, or all. Returns the keys that were unconfirmed. */
export async function updateConfirmed(tx: Tx, keyId: string | undefined): Promise<string[]> {
  const rows = await tx.query<{ key_id: string }>(
    `update credentials
     set unconfirmed_at = null
     where unconfirmed_at is not null
     and revoked_at is null
     and ($1::text is null or key_id = $1)
     returning key_id`,
    [keyId ?? null],
  );
  return rows.map(({ key_id: key }) => key);
}
