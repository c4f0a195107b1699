/** The input and the verdicts of resolve, in the form of the SQL function `resolve_purchases`. */

import type { Environment } from '../../core/environment.ts';
import { toRecordArrayText, toRecordText } from '../../db/record-text.ts';
import type { Goods } from '../../providers/provider.ts';
import type { Transfer } from '../../wallet/ledger/chart-of-accounts.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import { toTransferJson } from './accept-store.ts';

export type AnswerSource = 'purchase' | 'query' | 'callback' | 'operator' | 'gateway';

/** One answer about a purchase, with its decision. */
export type ResolveItem = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  readonly walletId: bigint;
  readonly network: string;
  readonly attempt: number;
  readonly source: AnswerSource;
  readonly answer: {
    readonly kind: string;
    readonly code: string;
    readonly message: string;
    readonly provider: string;
    readonly providerId: string | undefined;
    readonly latencyMs: number;
  };
  readonly effect: ResolveEffect;
};

export type ResolveEffect =
  | {
      readonly kind: 'succeed';
      readonly telcoMessage: string | undefined;
      readonly cost: bigint;
      /** Goods that may be stored in the clear. */
      readonly goods: Goods | undefined;
      /** For orders: all of the goods, sealed. */
      readonly sealed?: string | undefined;
      /** When to query for missing goods. Undefined if none are missing. */
      readonly goodsDueMs: number | undefined;
      /** The provider did not state its charge, so `cost` is the expected one. */
      readonly costEstimated?: boolean;
      readonly transfers: readonly Transfer[];
      readonly voucher?: VoucherSettlement | undefined;
    }
  | {
      readonly kind: 'fail';
      readonly reason: OutcomeReason;
      readonly telcoMessage: string | undefined;
      readonly voucher?: VoucherSettlement | undefined;
    }
  | { readonly kind: 'wait'; readonly dueMs: number; readonly flag: boolean }
  /** `provider`: the one to send it to. */
  | { readonly kind: 'retry'; readonly dueMs: number; readonly provider: string };

/** For orders that a voucher paid: the refund to the voucher. */
export type VoucherSettlement = {
  /** The subject of the transfers. */
  readonly settleId: string;
  readonly transfers: readonly Transfer[];
};

export type ResolveVerdict = {
  readonly kind: 'done' | 'waiting' | 'withheld' | 'repeat' | 'contradiction' | 'stale' | 'absent';
  /** The final status, if the purchase has one. */
  readonly status: 'success' | 'failed' | undefined;
};

/** Parses a verdict: its word, and the purchase's final status if it has one and is not `done`. */
export function toResolveVerdict([kind, status]: readonly string[], { effect }: ResolveItem): ResolveVerdict {
  if (kind !== 'done') return { kind, status } as ResolveVerdict;
  return { kind, status: effect.kind === 'succeed' ? 'success' : 'failed' };
}

/** A `resolve_item`: its columns in their order (migrations/0001_schema.sql). */
export function toResolveRecord(item: ResolveItem, index: number): string {
  const { answer, effect } = item;
  const succeeded = effect.kind === 'succeed' ? effect : undefined;
  return toRecordText([
    index + 1,
    item.merchantId,
    item.environment,
    item.purchaseId,
    item.network,
    item.attempt,
    item.source,
    answer.kind,
    answer.code,
    answer.message,
    answer.provider,
    answer.providerId,
    Math.round(answer.latencyMs),
    effect.kind,
    reasonOf(effect),
    'telcoMessage' in effect ? effect.telcoMessage : undefined,
    succeeded?.cost,
    succeeded?.goods,
    succeeded?.sealed,
    succeeded && succeeded.goodsDueMs !== undefined,
    dueMsOf(effect),
    (effect.kind === 'wait' && effect.flag) || (succeeded?.costEstimated ?? false),
    succeeded && toRecordArrayText(succeeded.transfers.map(toTransferRecord)),
    'voucher' in effect && effect.voucher ? toVoucherJson(effect.voucher) : undefined,
  ]);
}

/** For an answer that lets the purchase be sent again: the provider. */
function reasonOf(effect: ResolveEffect): string | undefined {
  switch (effect.kind) {
    case 'succeed':
      return 'delivered';
    case 'fail':
      return effect.reason;
    case 'retry':
      return effect.provider;
    case 'wait':
      return undefined;
  }
}

function dueMsOf(effect: ResolveEffect): number | undefined {
  switch (effect.kind) {
    case 'succeed':
      return effect.goodsDueMs === undefined ? undefined : Math.ceil(effect.goodsDueMs);
    case 'fail':
      return undefined;
    case 'wait':
    case 'retry':
      return Math.ceil(effect.dueMs);
  }
}

/** A `transfer_item`: a code of ours and numbers, which need no quotes. */
function toTransferRecord({ code, debit, credit, amount }: Transfer): string {
  return `(${code},${debit},${credit},${amount})`;
}

function toVoucherJson({ settleId, transfers }: VoucherSettlement): object {
  return { settle_id: settleId, transfers: transfers.map(toTransferJson) };
}
