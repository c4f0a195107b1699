/** The SQL that reads how a provider answered the order itself. */
import type { Sql } from '../../db/database.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';

export type OrderAnswer = {
  /** The provider's own id of the order, where it told it. */
  readonly providerId: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly ageMs: number;
};

/** The answer to the present attempt; one that told an id before one that did not. */
export async function findOrderAnswer(
  sql: Sql,
  { merchantId, vendId, attempts }: Pick<VendInHand, 'merchantId' | 'vendId' | 'attempts'>,
): Promise<OrderAnswer | undefined> {
  const [row] = await sql.query<{
    provider_id: string | null;
    code: string;
    message: string;
    age_ms: number;
  }>(
    {
      name: 'find_order_answer',
      text: `
        select
          provider_id,
          code,
          message,
          (extract(epoch from now() - at) * 1000)::float8 as age_ms
        from provider_answers
        where merchant_id = $1
        and vend_id = $2
        and attempt = $3
        and source = 'vend'
        order by provider_id is null, at desc
        limit 1`,
    },
    [merchantId, vendId, attempts],
  );
  if (row === undefined) return undefined;
  const { provider_id: providerId, code, message, age_ms: ageMs } = row;
  return { providerId: providerId ?? undefined, code, message, ageMs };
}
