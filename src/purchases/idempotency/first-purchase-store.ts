/**
 * The SQL that reads the original request of a purchase, to compare a request under the same
 * reference with it. It runs only when such a request is refused.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { DeliveryChannel } from '../../notifications/messages/destination.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

export type FirstKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};

export type FirstPurchaseRow = {
  readonly product: string;
  readonly network: string;
  readonly plan_code: string | null;
  readonly msisdn: string;
  readonly recipient: string;
  readonly face_value: bigint;
  readonly details: PurchaseDetails | null;
  readonly is_restored: boolean;
  /** Old enough for personal data to have been erased. */
  readonly is_old: boolean;
  /** The balance did not cover it, so its destination was not stored. */
  readonly is_unpaid: boolean;
  readonly channel: DeliveryChannel | null;
  /** Sealed. Empty once it was erased. */
  readonly destination: string | null;
  /**
   * For a card's plan, on sale or not: whether its cards have one value, and that value or the
   * lowest one.
   */
  readonly is_fixed_card: boolean | null;
  readonly card_value: bigint | null;
  /** The voucher that paid for it. */
  readonly code_hash: Buffer | null;
};

export async function findFirstPurchase(sql: Sql, key: FirstKey): Promise<FirstPurchaseRow | undefined> {
  const [row] = await sql.query<FirstPurchaseRow>(
    {
      name: 'find_first_purchase',
      text: `
        select
          v.product, v.network, v.plan_code, v.msisdn, v.recipient, v.face_value, v.details,
          v.credential_id is null as is_restored,
          v.created_at < now() - interval '3 days' as is_old,
          coalesce(o.reason = 'insufficient_funds', false) as is_unpaid,
          d.channel, d.destination, g.face_value is not null as is_fixed_card,
          coalesce(g.face_value, g.min_price) as card_value, c.code_hash
        from purchases v
        left join purchase_outcomes o
          on o.merchant_id = v.merchant_id
          and o.purchase_id = v.id
        left join deliveries d
          on d.merchant_id = v.merchant_id
          and d.purchase_id = v.id
        left join gift_card_plans g on g.plan_id = case when v.plan_code ~ '^[0-9]{1,9}$' then v.plan_code::integer end
        left join voucher_redemptions r
          on r.merchant_id = v.merchant_id
          and r.purchase_id = v.id
        left join vouchers c
          on c.merchant_id = r.merchant_id
          and c.id = r.voucher_id
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3`,
    },
    [key.merchantId, key.environment, key.purchaseId],
  );
  return row;
}
