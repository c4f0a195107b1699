/** Finds uses of an account at a provider. */
import type { Sql } from '../../db/database.ts';

/** Counts the plans of the catalog that have codes of the account, also those off sale. */
export async function countPlansOf(sql: Sql, provider: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select (
       (select count(*) from plans where provider_codes ? $1)
       + (select count(*) from gift_card_plans where provider_codes ? $1)
       + (select count(*) from esim_plans where provider_codes ? $1)
     )::integer as count`,
    [provider],
  );
  return row?.count ?? 0;
}
