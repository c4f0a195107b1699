/**
 * Everything that is known of one vend, as of one moment: where it stands and, in order of time,
 * how it got there.
 */
import type { Database } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import { isUuid } from '../../kernel/ids.ts';
import { type DeliveryRow, findDelivery } from '../../messages/delivery-store.ts';
import { findVoucherOfVend, type VendVoucherRow } from '../../vouchers/voucher-store.ts';
import {
  type AnswerRow,
  type AttemptRow,
  type FoundVend,
  findLateGoods,
  findOutcome,
  findPending,
  findVendsAnywhere,
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
};

export type VendSearch = {
  /** The merchant's reference, or our id. */
  readonly key: string;
  readonly merchantCode?: string | undefined;
  readonly environment?: Environment | undefined;
};

/** Merchants choose their references, so several of them may have used the same. */
export type VendShown =
  | { readonly kind: 'found'; readonly history: VendHistory }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly vends: readonly FoundVend[] };

export async function showVend(
  database: Pick<Database, 'transaction'>,
  search: VendSearch,
): Promise<VendShown> {
  const wanted = {
    reference: search.key,
    id: isUuid(search.key.toLowerCase()) ? search.key : undefined,
    merchantCode: search.merchantCode,
    environment: search.environment,
  };
  return await database.transaction(
    async (tx) => {
      const vends = await findVendsAnywhere(tx, wanted);
      const [vend] = vends;
      if (vend === undefined) return { kind: 'none' };
      if (vends.length > 1) return { kind: 'several', vends };
      const history: VendHistory = {
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
      };
      return { kind: 'found', history };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
