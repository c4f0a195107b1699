/**
 * What is handed to accept, and what comes back, in the words of the SQL function `accept_vends`.
 */

import { toRecordText } from '../../db/record-text.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Transfer } from '../../ledger/chart-of-accounts.ts';
import type { SealedDestination } from '../../messages/destination.ts';
import type { OutcomeReason } from '../vend/outcome-reason.ts';
import type { VendMode, VendStatus } from '../vend/vend.ts';
import type { VendDetails } from '../vend/vend-details.ts';

/** A judged and priced vend, ready to be stored. */
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
  readonly mode: VendMode;
  readonly route: readonly string[];
  readonly details: VendDetails | undefined;
  readonly credentialId: string;
  readonly createdAt: Date;
  /** A vend that failed before anything could be sent: stored as failed, moves nothing. */
  readonly refusal: VendRefusal | undefined;
  /** The first attempt, stored with the vend when the request itself will make the call. */
  readonly attempt:
    | { readonly provider: string; readonly reference: string; readonly reason: string }
    | undefined;
  /** Orders: where the goods are to be sent once the vend is a success. */
  readonly delivery?: SealedDestination | undefined;
  /** Orders: what pays in the wallet's place. */
  readonly voucher?: VoucherPayment | undefined;
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
export type VendRefusal = {
  readonly reason: Extract<OutcomeReason, 'customer_rejected' | 'amount_out_of_range' | 'not_verified'>;
  /** The biller's own words. */
  readonly telcoMessage: string | undefined;
};

export type AcceptVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'refused' }
  /** The key is taken: by the vend `firstId`, which stands at `status`. */
  | { readonly kind: 'duplicate'; readonly firstId: string; readonly status: VendStatus }
  /** The voucher cannot be redeemed; nothing was stored. */
  | { readonly kind: 'voucher_gone' }
  | { readonly kind: 'no_wallet' };

export type AcceptRow = {
  ordinal: number;
  verdict: AcceptVerdict['kind'];
  vend_id: string;
  status: VendStatus;
};

/** The columns of `accept_item` (migrations/0012_batch_items.sql), in their order. */
export const acceptColumns = [
  'ordinal',
  'merchant_id',
  'environment',
  'id',
  'reference',
  'product',
  'network',
  'plan_code',
  'msisdn',
  'recipient',
  'face_value',
  'charge',
  'wallet_id',
  'mode',
  'route',
  'details',
  'credential_id',
  'created_at',
  'provider',
  'provider_reference',
  'reason',
  'refusal',
  // From processes of 0.1.0 alone.
  'refusal_message',
  'telco_message',
  'delivery',
  'voucher',
] as const;

/** An `accept_item`, which `accept_vends` takes an array of. */
export function toAcceptRecord(item: AcceptItem, index: number): string {
  return toRecordText(acceptColumns, {
    ordinal: index + 1,
    merchant_id: item.merchantId,
    environment: item.environment,
    id: item.id,
    reference: item.reference,
    product: item.product,
    network: item.network,
    plan_code: item.planCode,
    msisdn: item.msisdn,
    recipient: item.recipient,
    face_value: item.faceValue,
    charge: item.charge,
    wallet_id: item.walletId,
    mode: item.mode,
    route: item.route.join(','),
    details: item.details,
    credential_id: item.credentialId,
    created_at: item.createdAt,
    provider: item.attempt?.provider,
    provider_reference: item.attempt?.reference,
    reason: item.attempt?.reason,
    refusal: item.refusal?.reason,
    telco_message: item.refusal?.telcoMessage,
    delivery: item.delivery,
    voucher: item.voucher && {
      id: item.voucher.id,
      redeem_id: item.voucher.redeemId,
      settle_id: item.voucher.settleId,
      transfers: item.voucher.transfers.map(toTransferJson),
    },
  });
}

/** JSON has no bigint. */
export function toTransferJson({ code, debit, credit, amount }: Transfer): Record<string, string> {
  return { code, debit: String(debit), credit: String(credit), amount: String(amount) };
}

export function toAcceptVerdict(row: AcceptRow): AcceptVerdict {
  return row.verdict === 'duplicate'
    ? { kind: 'duplicate', firstId: row.vend_id, status: row.status }
    : { kind: row.verdict };
}
