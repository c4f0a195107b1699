/** SQL of what people gave away by hand in live, without a second person. */
import type { Sql, Tx } from '../db/database.ts';

/** Until the transaction ends, no other gift is added up. It is the last lock that an act takes. */
export async function lockGifts(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('gifts', 0))");
}

/** In kobo, of the last 24 hours. */
export async function sumGifts(
  sql: Sql,
): Promise<readonly { readonly principal: string; readonly amount: bigint }[]> {
  return await sql.query<{ principal: string; amount: bigint }>(
    `select principal, sum(amount)::bigint as amount
     from gifts
     where at > now() - interval '24 hours'
     group by principal`,
  );
}

export async function insertGift(
  tx: Tx,
  gift: { readonly principal: string; readonly operation: string; readonly amount: bigint },
): Promise<void> {
  await tx.query('insert into gifts (principal, operation, amount) values ($1, $2, $3)', [
    gift.principal,
    gift.operation,
    gift.amount,
  ]);
}

/** Millionths of a naira for one unit. */
export async function findRate(sql: Sql, currency: string): Promise<bigint | undefined> {
  const [row] = await sql.query<{ rate_micro: bigint }>(
    'select rate_micro from fx_rates where currency = $1 order by id desc limit 1',
    [currency],
  );
  return row?.rate_micro;
}
