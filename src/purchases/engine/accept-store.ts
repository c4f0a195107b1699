/**
 * What is handed to accept, and what comes back, in the words of the SQL function
 * `accept_purchases`.
 */

import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import { toRecordText } from '../../db/record-text.ts';
import type { SealedDestination } from '../../notifications/messages/destination.ts';
import type { Transfer } from '../../wallet/ledger/chart-of-accounts.ts';
import type { OutcomeReason, OverCap } from '../state/outcome-reason.ts';
import type { PurchaseMode, PurchaseStatus } from '../state/purchase.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

/** A judged and priced purchase, ready to be stored. */
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
  /** A purchase that failed before anything could be sent: stored as failed, moves nothing. */
  readonly refusal: PurchaseRefusal | undefined;
  /** The first attempt, stored with the purchase when the request itself will make the call. */
  readonly attempt:
    | {
        /** The first of the route. */
        readonly provider: string;
        /** As in `Connector`. */
        readonly account?: string | undefined;
        readonly reference: string;
      }
    | undefined;
  /** Orders: where the goods are to be sent once the purchase is a success. */
  readonly delivery?: SealedDestination | undefined;
  /** Orders: what pays in the wallet's place. */
  readonly voucher?: VoucherPayment | undefined;
  /** Its credential has spend caps, against which it is counted. */
  readonly capped?: boolean | undefined;
};

/** A voucher that is to be taken for an order. */
export type VoucherPayment = {
  readonly id: string;
  /** The subject of `transfers`, which bring the charge from the voucher to the wallet. */
  readonly redeemId: string;
  /** The subject of what is given back once the order is final. */
  readonly settleId: string;
  readonly transfers: readonly Transfer[];
};

/**
 * Why a purchase failed before it was sent: its customer was rejected, or could not be asked about.
 */
export type PurchaseRefusal = {
  readonly reason: Extract<
    OutcomeReason,
    'customer_rejected' | 'amount_out_of_range' | 'not_verified' | 'refused'
  >;
  /** The biller's own words. */
  readonly telcoMessage: string | undefined;
};

/** It would exceed a cap of its credential. */
export type OverCapVerdict = OverCap & {
  readonly kind: Extract<OutcomeReason, 'over_purchase_cap' | 'over_daily_cap'>;
};

export type AcceptVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'refused' }
  | OverCapVerdict
  /** The key is taken: by the purchase `firstId`, which stands at `status`. */
  | { readonly kind: 'duplicate'; readonly firstId: string; readonly status: PurchaseStatus }
  /** The voucher cannot be redeemed; nothing was stored. */
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
 * From a verdict's word, and of a duplicate the status and id of the first purchase, of a cap its
 * amount and what was left.
 */
export function toAcceptVerdict([kind, first, second]: readonly string[]): AcceptVerdict {
  if (kind === 'duplicate') return { kind, status: first as PurchaseStatus, firstId: second ?? '' };
  if (kind === 'over_purchase_cap' || kind === 'over_daily_cap') {
    return { kind, cap: BigInt(first ?? 0), left: BigInt(second ?? 0) };
  }
  return { kind } as AcceptVerdict;
}
