/** The SQL that reads the stored data of a sent attempt, for its query. */
import type { Sql } from '../../db/database.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';

export type SentAttempt = {
  /**
   * The account of the provider that it was sent to. Undefined if the provider has no named
   * account.
   */
  readonly account: string | undefined;
  /**
   * The provider's answer to the order, preferring one with the provider's id. For a final purchase
   * also an answer to a query: the id in the record that decided stays correct when a clock is set,
   * while a lookup by time does not.
   */
  readonly answer: OrderAnswer | undefined;
};

type OrderAnswer = {
  /** The provider's own id of the order, if it returned one. */
  readonly providerId: string | undefined;
  readonly code: string;
  readonly message: string;
  readonly ageMs: number;
};

/** Reads the current attempt. */
export async function findSentAttempt(
  sql: Sql,
  {
    merchantId,
    purchaseId,
    attempts,
    final,
  }: Pick<PurchaseInHand, 'merchantId' | 'purchaseId' | 'attempts' | 'final'>,
): Promise<SentAttempt> {
  const [row] = await sql.query<{
    account: string | null;
    provider_id: string | null;
    code: string | null;
    message: string | null;
    age_ms: number | null;
  }>(
    {
      name: 'find_sent_attempt',
      text: `
        select
          a.account,
          s.provider_id,
          s.code,
          s.message,
          (extract(epoch from now() - s.at) * 1000)::float8 as age_ms
        from attempts a
        left join lateral (
          select provider_id, code, message, at
          from provider_answers
          where merchant_id = a.merchant_id
          and purchase_id = a.purchase_id
          and attempt = a.number
          and (source = 'purchase' or ($4 and source = 'query'))
          order by provider_id is null, source <> 'purchase', at desc
          limit 1
        ) as s on true
        where a.merchant_id = (select $1::integer)
        and a.purchase_id = $2
        and a.number = $3`,
    },
    [merchantId, purchaseId, attempts, final],
  );
  const { account, provider_id: providerId, code, message, age_ms: ageMs } = row ?? {};
  const isAnswered = code != null && message != null && ageMs != null;
  return {
    account: account ?? undefined,
    answer: isAnswered ? { providerId: providerId ?? undefined, code, message, ageMs } : undefined,
  };
}
