/** The SQL that reads a purchase under its wallet's lock, to settle it by hand. */

import type { Environment } from '../../core/environment.ts';
import type { Tx } from '../../db/database.ts';
import { lockWalletOfPurchase } from '../../wallet/wallet-store.ts';
import { DEAD_AFTER_MS } from '../engine/gateway-store.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

export type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};

export type PurchaseToSettle = {
  readonly wallet_id: bigint;
  readonly product: string;
  readonly network: string;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly details: PurchaseDetails | null;
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** For a pending purchase. */
  readonly step: 'send' | 'query' | null;
  /**
   * A live process has claimed it and has not reported the current attempt yet. It may be sending
   * it.
   */
  readonly being_sent: boolean;
  /** A success whose goods are queried, or were given up. */
  readonly owes: boolean;
  /** The last attempt. Null if none was made. */
  readonly attempt: number | null;
  readonly provider: string | null;
  readonly route: string;
};

/**
 * Locks the wallet and then the pending row before it reads, as every batch does. Until this
 * transaction ends, no process resolves or claims the purchase.
 */
export async function lockPurchaseToSettle(
  tx: Tx,
  { merchantId, environment, purchaseId }: PurchaseKey,
): Promise<PurchaseToSettle | undefined> {
  await lockWalletOfPurchase(tx, { merchantId, environment, purchaseId });
  await tx.query(
    `select 1
     from pending_purchases
     where merchant_id = $1
     and purchase_id = $2
     for update`,
    [merchantId, purchaseId],
  );
  const [row] = await tx.query<PurchaseToSettle>(
    `select
       v.wallet_id,
       v.product,
       v.network,
       v.face_value,
       v.charge,
       v.details,
       o.status,
       p.step,
       (
         p.owner is not null
         and (p.due_at is null or p.due_at > now())
         and exists (
           select
           from gateways
           where id = p.owner
           and seen_at between now() - $4 * interval '1 millisecond' and now() + $4 * interval '1 millisecond'
         )
         and not exists (
           select
           from provider_answers
           where merchant_id = v.merchant_id
           and purchase_id = v.id
           and attempt = p.attempts
         )
       ) as being_sent,
       l.purchase_id is not null as owes,
       a.number as attempt,
       a.provider,
       v.route
     from purchases v
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     left join pending_purchases p
       on p.merchant_id = v.merchant_id
       and p.purchase_id = v.id
     left join pending_fulfilments l
       on l.merchant_id = v.merchant_id
       and l.purchase_id = v.id
     left join lateral (
       select number, provider
       from attempts
       where merchant_id = v.merchant_id
       and purchase_id = v.id
       order by number desc
       limit 1
     ) a on true
     where v.merchant_id = $1
     and v.environment = $2
     and v.id = $3`,
    [merchantId, environment, purchaseId, DEAD_AFTER_MS],
  );
  return row;
}
