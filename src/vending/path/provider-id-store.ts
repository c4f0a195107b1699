/** The SQL that reads what a provider calls an order. */
import type { Sql } from '../../db/database.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';

/** The provider's own id of the present attempt, as its answer to the order told it. */
export async function findProviderId(
  sql: Sql,
  { merchantId, vendId, attempts }: Pick<VendInHand, 'merchantId' | 'vendId' | 'attempts'>,
): Promise<string | undefined> {
  const [row] = await sql.query<{ provider_id: string }>(
    {
      name: 'find_provider_id',
      text: `
        select provider_id
        from provider_answers
        where merchant_id = $1
        and vend_id = $2
        and attempt = $3
        and source = 'vend'
        and provider_id is not null
        order by at desc
        limit 1`,
    },
    [merchantId, vendId, attempts],
  );
  return row?.provider_id;
}
