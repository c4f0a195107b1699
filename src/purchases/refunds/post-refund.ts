/**
 * Refunds a successful purchase, in part or whole: to the merchant, or from the provider to us. The
 * purchase stays a success. Guarantees: the transfer, the refund and the audit entry are stored
 * together. However many are made at once, the merchant never gets more than the charge, and the
 * provider never returns more than the cost.
 */

import { type ActorOrName, actorOf } from '../../core/actor.ts';
import type { Environment } from '../../core/environment.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../../wallet/ledger/account-store.ts';
import {
  costRefunded,
  floatAccount,
  purchaseRefunded,
  revenueAccount,
  type Transfer,
} from '../../wallet/ledger/chart-of-accounts.ts';
import { postTransfers } from '../../wallet/ledger/post-transfers.ts';
import {
  insertRefund,
  lockPurchaseToRefund,
  type PurchaseToRefund,
  type RefundKind,
} from './refund-store.ts';

export type RefundOrder = {
  readonly purchase: {
    readonly merchantId: number;
    readonly environment: Environment;
    readonly purchaseId: string;
    /** The merchant's own reference, for its statement. */
    readonly reference: string;
  };
  readonly kind: RefundKind;
  /** In minor units, above zero. Undefined: everything that is left. */
  readonly amount: bigint | undefined;
  readonly reason: string;
};

export type Refunded = {
  readonly refundId: string;
  readonly amount: bigint;
  /** The amount paid, and the sum of its refunds. */
  readonly paid: bigint;
  readonly refunded: bigint;
};

/** Throws OperationError if the purchase is not a success, or if less than the amount is left. */
export async function postRefund(
  tx: Tx,
  { purchase, kind, amount: wanted, reason }: RefundOrder,
  actor: ActorOrName,
): Promise<Refunded> {
  const found = await lockPurchaseToRefund(tx, purchase);
  if (found === undefined) throw new OperationError({ code: 'no_purchase', purchase: purchase.reference });
  const { paid, before } = judge(found, kind);
  const left = paid - before;
  if (left === 0n) throw new OperationError({ code: 'nothing_to_refund', refunded: before });
  const amount = wanted ?? left;
  if (amount > left) throw new OperationError({ code: 'refund_too_large', amount, left, paid });
  const refundId = newId();
  const { name, principal } = actorOf(actor);
  await insertRefund(tx, { ...purchase, id: refundId, kind, amount, reason, by: name, principal });
  await postTransfers(tx, {
    merchantId: purchase.merchantId,
    subjectId: refundId,
    transfers: await transfersOf(tx, purchase.environment, found, kind, amount),
    // The subject of the refund in the merchant's statement.
    memo: purchase.reference,
  });
  const refunded = before + amount;
  await recordOperation(tx, {
    actor,
    action: kind === 'merchant' ? 'purchase.refund' : 'purchase.provider_refund',
    subject: `purchase:${purchase.purchaseId}`,
    before: { refunded: formatAmount(before) },
    after: { refund: refundId, amount: formatAmount(amount), refunded: formatAmount(refunded), reason },
  });
  return { refundId, amount, paid, refunded };
}

/** The amount paid by the receiver, and the sum of earlier refunds. */
function judge(
  { status, charge, cost, to_merchant: toMerchant, from_provider: fromProvider }: PurchaseToRefund,
  kind: RefundKind,
): { readonly paid: bigint; readonly before: bigint } {
  if (status !== 'success') {
    throw new OperationError({ code: 'refund_of_unsuccessful', status: status ?? 'pending' });
  }
  return kind === 'merchant'
    ? { paid: charge, before: toMerchant }
    : { paid: cost ?? 0n, before: fromProvider };
}

async function transfersOf(
  tx: Tx,
  environment: Environment,
  { provider, wallet_id: walletId }: PurchaseToRefund,
  kind: RefundKind,
  amount: bigint,
): Promise<Transfer[]> {
  const revenue = await ensureAccount(tx, revenueAccount(environment, 'NGN'));
  if (kind === 'merchant') {
    return purchaseRefunded({ walletAccount: walletId, revenueAccount: revenue, amount });
  }
  invariant(provider !== null, 'a success names its provider');
  const float = await ensureAccount(tx, floatAccount(provider, environment, 'NGN'));
  return costRefunded({ floatAccount: float, revenueAccount: revenue, amount });
}
