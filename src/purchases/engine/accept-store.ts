/** The input and the verdicts of accept, in the form of the SQL function `accept_purchases`. */

import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import { toRecordText } from '../../db/record-text.ts';
import type { SealedDestination } from '../../notifications/messages/destination.ts';
import type { Transfer } from '../../wallet/ledger/chart-of-accounts.ts';
import type { OutcomeReason, OverCap } from '../state/outcome-reason.ts';
import type { PurchaseMode, PurchaseStatus } from '../state/purchase.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

/** A priced purchase, ready to be stored. */
export type AcceptItem = {
  readonly id: string;
  readonly merchantId: number;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | undefined;
  readonly msisdn: string;
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly walletId: bigint;
  readonly mode: PurchaseMode;
  readonly route: readonly string[];
  readonly details: PurchaseDetails | undefined;
  readonly credentialId: string;
  readonly createdAt: Date;
  /**
   * A purchase that failed before it could be sent: stored as failed, with no movement of money.
   */
  readonly refusal: PurchaseRefusal | undefined;
  /** The first attempt, stored with the purchase if its own request makes the call. */
  readonly attempt:
    | {
        /** The first provider of the route. */
        readonly provider: string;
        /** As in `Connector`. */
        readonly account?: string | undefined;
        readonly reference: string;
      }
    | undefined;
  /** For orders: where the goods are sent after a success. */
  readonly delivery?: SealedDestination | undefined;
  /** For orders: the voucher that pays instead of the wallet. */
  readonly voucher?: VoucherPayment | undefined;
  /** The credential has spend caps, against which the purchase counts. */
  readonly capped?: boolean | undefined;
};

/** A voucher that an order redeems. */
export type VoucherPayment = {
  readonly id: string;
  /** The subject of the `transfers` that move the charge from the voucher to the wallet. */
  readonly redeemId: string;
  /** The subject of the refund once the order is final. */
  readonly settleId: string;
  readonly transfers: readonly Transfer[];
};

/** Why a purchase failed before it was sent: its customer was rejected or could not be verified. */
export type PurchaseRefusal = {
  readonly reason: Extract<
    OutcomeReason,
    'customer_rejected' | 'amount_out_of_range' | 'not_verified' | 'refused'
  >;
  /** The biller's own text. */
  readonly telcoMessage: string | undefined;
};

/** It would exceed a spend cap of its credential. */
export type OverCapVerdict = OverCap & {
  readonly kind: Extract<OutcomeReason, 'over_purchase_cap' | 'over_daily_cap'>;
};

export type AcceptVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'refused' }
  | OverCapVerdict
  /** The reference is used by the purchase `firstId`, which has `status`. */
  | { readonly kind: 'duplicate'; readonly firstId: string; readonly status: PurchaseStatus }
  /** The voucher cannot be redeemed. Nothing was stored. */
  | { readonly kind: 'voucher_gone' }
  | { readonly kind: 'no_wallet' };

/** An `accept_item`: its columns in their order (migrations/0001_schema.sql). */
export function toAcceptRecord(item: AcceptItem, index: number): string {
  const { attempt, refusal } = item;
  invariant(
    attempt === undefined || attempt.provider === item.route[0],
    'the first attempt goes to the first provider of the route',
  );
  return toRecordText([
    index + 1,
    item.merchantId,
    item.environment,
    item.id,
    item.reference,
    item.product,
    item.network,
    item.planCode,
    item.msisdn,
    item.recipient,
    item.faceValue,
    item.charge,
    item.walletId,
    item.mode,
    item.route.join(','),
    item.details,
    item.credentialId,
    item.createdAt,
    attempt?.reference,
    attempt?.account,
    refusal?.reason,
    refusal?.telcoMessage,
    item.delivery,
    toPayment(item),
    item.capped ?? false,
  ]);
}

function toPayment({ voucher }: AcceptItem): object | undefined {
  if (voucher === undefined) return undefined;
  return {
    id: voucher.id,
    redeem_id: voucher.redeemId,
    settle_id: voucher.settleId,
    transfers: voucher.transfers.map(toTransferJson),
  };
}

/** JSON has no bigint. */
export function toTransferJson({ code, debit, credit, amount }: Transfer): Record<string, string> {
  return { code, debit: String(debit), credit: String(credit), amount: String(amount) };
}

/**
 * Parses a verdict: its word, for a duplicate the status and id of the first purchase, for a cap
 * its amount and the remaining part.
 */
export function toAcceptVerdict([kind, first, second]: readonly string[]): AcceptVerdict {
  if (kind === 'duplicate') return { kind, status: first as PurchaseStatus, firstId: second ?? '' };
  if (kind === 'over_purchase_cap' || kind === 'over_daily_cap') {
    return { kind, cap: BigInt(first ?? 0), left: BigInt(second ?? 0) };
  }
  return { kind } as AcceptVerdict;
}
