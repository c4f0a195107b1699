/** The SQL of sealed goods: gift cards and eSIMs. */
import type { Sql } from '../../db/database.ts';

export async function findSealedGoods(
  sql: Sql,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
): Promise<string | undefined> {
  const [row] = await sql.query<{ sealed: string }>(
    {
      name: 'find_sealed_goods',
      text: `
        select sealed
        from sealed_goods
        where merchant_id = $1
        and purchase_id = $2`,
    },
    [purchase.merchantId, purchase.purchaseId],
  );
  return row?.sealed;
}
