/** The SQL that reads which account of its provider an attempt was sent to. */
import type { Sql } from '../../db/database.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';

/** Of the present attempt. Undefined where it is not known: of a process of a version before. */
export async function findAttemptAccount(
  sql: Sql,
  { merchantId, vendId, attempts }: Pick<VendInHand, 'merchantId' | 'vendId' | 'attempts'>,
): Promise<string | undefined> {
  const [row] = await sql.query<{ account: string | null }>(
    {
      name: 'find_attempt_account',
      text: `
        select account
        from attempts
        where merchant_id = $1
        and vend_id = $2
        and number = $3`,
    },
    [merchantId, vendId, attempts],
  );
  return row?.account ?? undefined;
}
