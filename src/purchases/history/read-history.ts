/**
 * Everything that is known of one vend, as of one moment: where it stands and, in order of time,
 * how it got there.
 */
import { type AuditEntryRow, listAuditEntries } from '../../oversight/log/audit-log-store.ts';
import type { Queries } from '../../db/database.ts';
import { type DeliveryRow, findDelivery } from '../../notifications/messages/delivery-store.ts';
import { findVoucherOfVend, type VendVoucherRow } from '../../wallet/vouchers/voucher-store.ts';
import { type NamedPurchase, requirePurchase } from './find-purchase.ts';
import {
  type AnswerRow,
  type AttemptRow,
  type FoundVend,
  findLateGoods,
  findOutcome,
  findPending,
  type LateGoodsRow,
  listAnswers,
  listAttempts,
  listRefunds,
  listVendAlarms,
  listVendTransfers,
  type OutcomeRow,
  type PendingRow,
  type RefundRow,
  type VendAlarmRow,
  type VendTransferRow,
} from './timeline-store.ts';

export type VendHistory = {
  readonly vend: FoundVend;
  /** Absent once the vend is final. */
  readonly pending: PendingRow | undefined;
  /** Absent while it is pending. */
  readonly outcome: OutcomeRow | undefined;
  /** Absent where nothing came, or comes, after the outcome. */
  readonly lateGoods: LateGoodsRow | undefined;
  /** Absent where nothing was to be sent to the customer. */
  readonly delivery: DeliveryRow | undefined;
  /** What paid it in the wallet's place; absent where nothing did. */
  readonly voucher: VendVoucherRow | undefined;
  readonly attempts: readonly AttemptRow[];
  readonly answers: readonly AnswerRow[];
  readonly transfers: readonly VendTransferRow[];
  readonly refunds: readonly RefundRow[];
  readonly alarms: readonly VendAlarmRow[];
  /** What was done to it by people, the first first. */
  readonly entries: readonly AuditEntryRow[];
};

/** More than anybody does to one purchase: the newest of them. */
const ENTRIES_MAX = 200;

/** Throws OperationError: `no_purchase`, `purchase_ambiguous`. */
export async function readHistory(
  sql: Pick<Queries, 'transaction'>,
  named: NamedPurchase,
): Promise<VendHistory> {
  return await sql.transaction(
    async (tx) => {
      const vend = await requirePurchase(tx, named);
      const entries = await listAuditEntries(tx, { subject: `vend:${vend.id}`, limit: ENTRIES_MAX });
      return {
        vend,
        pending: await findPending(tx, vend),
        outcome: await findOutcome(tx, vend),
        lateGoods: await findLateGoods(tx, vend),
        delivery: await findDelivery(tx, vend),
        voucher: await findVoucherOfVend(tx, vend),
        attempts: await listAttempts(tx, vend),
        answers: await listAnswers(tx, vend),
        transfers: await listVendTransfers(tx, vend),
        refunds: await listRefunds(tx, vend),
        alarms: await listVendAlarms(tx, vend),
        entries: entries.toReversed(),
      };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
