/** SQL of refunds: the amount paid for a purchase, and the sum of its refunds. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { lockWalletOfPurchase } from '../../wallet/wallet-store.ts';

/** `merchant`: to its wallet. `provider`: from the provider, onto our float. */
export type RefundKind = 'merchant' | 'provider';

export type PurchaseToRefund = {
  readonly wallet_id: bigint;
  readonly charge: bigint;
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** For a success: its provider, and the provider's charge. */
  readonly provider: string | null;
  readonly cost: bigint | null;
  /** The sum of refunds so far, of each kind. */
  readonly to_merchant: bigint;
  readonly from_provider: bigint;
};

type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};

/** Locks the wallet before it reads, so two refunds of one purchase come one after the other. */
export async function lockPurchaseToRefund(
  tx: Tx,
  { merchantId, environment, purchaseId }: PurchaseKey,
): Promise<PurchaseToRefund | undefined> {
  const key = [merchantId, environment, purchaseId];
  await lockWalletOfPurchase(tx, { merchantId, environment, purchaseId });
  const [row] = await tx.query<PurchaseToRefund>(
    `select
       v.wallet_id,
       v.charge,
       o.status,
       o.provider,
       o.cost,
       coalesce(r.to_merchant, 0)::bigint as to_merchant,
       coalesce(r.from_provider, 0)::bigint as from_provider
     from purchases v
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     left join lateral (
       select
         sum(amount) filter (where kind = 'merchant') as to_merchant,
         sum(amount) filter (where kind = 'provider') as from_provider
       from purchase_refunds
       where merchant_id = v.merchant_id
       and purchase_id = v.id
     ) r on true
     where v.merchant_id = $1
     and v.environment = $2
     and v.id = $3`,
    key,
  );
  return row;
}

export async function insertRefund(
  sql: Sql,
  refund: PurchaseKey & {
    readonly id: string;
    readonly kind: RefundKind;
    readonly amount: bigint;
    readonly reason: string;
    readonly by: string;
    readonly principal: string;
  },
): Promise<void> {
  await sql.query(
    `insert into purchase_refunds (
       merchant_id, refund_id, environment, purchase_id, kind, amount, reason, refunded_by, refunded_principal
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      refund.merchantId,
      refund.id,
      refund.environment,
      refund.purchaseId,
      refund.kind,
      refund.amount,
      refund.reason,
      refund.by,
      refund.principal,
    ],
  );
}
