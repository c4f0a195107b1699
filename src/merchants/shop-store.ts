/** SQL of shops: the name and the logo of merchants on receipts. */
import type { Sql, Tx } from '../db/database.ts';

export type Logo = { readonly bytes: Buffer; readonly mediaType: string };

export type Shop = { readonly name: string; readonly logo: Logo | undefined };

type ShopRow = { readonly name: string; readonly logo: Buffer | null; readonly logo_type: string | null };

/** Undefined for a merchant without settings. */
export async function findShop(sql: Sql, merchantId: number): Promise<Shop | undefined> {
  const [row] = await sql.query<ShopRow>(
    `select name, logo, logo_type
     from shops
     where merchant_id = $1`,
    [merchantId],
  );
  if (row === undefined) return undefined;
  const { name, logo, logo_type: mediaType } = row;
  return { name, logo: logo === null || mediaType === null ? undefined : { bytes: logo, mediaType } };
}

export async function storeShop(tx: Tx, merchantId: number, { name, logo }: Shop): Promise<void> {
  await tx.query(
    `insert into shops (merchant_id, name, logo, logo_type)
     values ($1, $2, $3, $4)
     on conflict (merchant_id) do update
     set name = excluded.name, logo = excluded.logo, logo_type = excluded.logo_type`,
    [merchantId, name, logo?.bytes ?? null, logo?.mediaType ?? null],
  );
}
