/**
 * Reads everything that is known of one purchase in one snapshot: its state and, in order of time,
 * how it got there.
 */

import type { Queries } from '../../db/database.ts';
import { type DeliveryRow, findDelivery } from '../../notifications/messages/delivery-store.ts';
import { type AuditEntryRow, listAuditEntries } from '../../oversight/log/audit-log-store.ts';
import { findVoucherOfPurchase, type PurchaseVoucherRow } from '../../wallet/vouchers/voucher-store.ts';
import { type NamedPurchase, requirePurchase } from './find-purchase.ts';
import {
  type AnswerRow,
  type AttemptRow,
  type BalanceEvidenceRow,
  type FoundPurchase,
  findOutcome,
  findPending,
  findPendingFulfilment,
  listAnswers,
  listAttempts,
  listBalanceEvidence,
  listPurchaseAlarms,
  listPurchaseTransfers,
  listRefunds,
  type OutcomeRow,
  type PendingFulfilmentRow,
  type PendingRow,
  type PurchaseAlarmRow,
  type PurchaseTransferRow,
  type RefundRow,
} from './timeline-store.ts';

export type PurchaseHistory = {
  readonly purchase: FoundPurchase;
  /** Absent once the purchase is final. */
  readonly pending: PendingRow | undefined;
  /** Absent while it is pending. */
  readonly outcome: OutcomeRow | undefined;
  /** Absent if no goods come after the outcome. */
  readonly pendingFulfilments: PendingFulfilmentRow | undefined;
  /** Absent if nothing is sent to the customer. */
  readonly delivery: DeliveryRow | undefined;
  /** The voucher that paid instead of the wallet, if one did. */
  readonly voucher: PurchaseVoucherRow | undefined;
  readonly attempts: readonly AttemptRow[];
  readonly answers: readonly AnswerRow[];
  /** Empty if our balance is no evidence. */
  readonly balances: readonly BalanceEvidenceRow[];
  readonly transfers: readonly PurchaseTransferRow[];
  readonly refunds: readonly RefundRow[];
  readonly alarms: readonly PurchaseAlarmRow[];
  /** The actions of people on it, oldest first. */
  readonly entries: readonly AuditEntryRow[];
};

/** A limit that real purchases do not reach. The newest are kept. */
const ENTRIES_MAX = 200;

/** Throws OperationError: `no_purchase`, `purchase_ambiguous`. */
export async function readHistory(
  sql: Pick<Queries, 'transaction'>,
  named: NamedPurchase,
): Promise<PurchaseHistory> {
  return await sql.transaction(
    async (tx) => {
      const purchase = await requirePurchase(tx, named);
      const entries = await listAuditEntries(tx, { subject: `purchase:${purchase.id}`, limit: ENTRIES_MAX });
      return {
        purchase,
        pending: await findPending(tx, purchase),
        outcome: await findOutcome(tx, purchase),
        pendingFulfilments: await findPendingFulfilment(tx, purchase),
        delivery: await findDelivery(tx, purchase),
        voucher: await findVoucherOfPurchase(tx, purchase),
        attempts: await listAttempts(tx, purchase),
        answers: await listAnswers(tx, purchase),
        balances: await listBalanceEvidence(tx, purchase),
        transfers: await listPurchaseTransfers(tx, purchase),
        refunds: await listRefunds(tx, purchase),
        alarms: await listPurchaseAlarms(tx, purchase),
        entries: entries.toReversed(),
      };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
