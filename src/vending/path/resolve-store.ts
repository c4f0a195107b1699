/**
 * What is handed to resolve, and what comes back, in the words of the SQL function `resolve_vends`.
 */

import { type FieldValue, toRecordArrayText, toRecordText } from '../../db/record-text.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Transfer } from '../../ledger/chart-of-accounts.ts';
import type { Goods } from '../../providers/provider.ts';
import type { OutcomeReason } from '../vend/outcome-reason.ts';
import { toTransferJson } from './accept-store.ts';

export type AnswerSource = 'vend' | 'query' | 'callback' | 'operator' | 'gateway';

/** One answer about a vend and what it decides. */
export type ResolveItem = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
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
      /** What may be kept in clear. */
      readonly goods: Goods | undefined;
      /** Orders: all of what was bought, sealed. */
      readonly sealed?: string | undefined;
      /** When to ask for goods that are still owed; undefined when nothing is missing. */
      readonly goodsDueMs: number | undefined;
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
  /** `provider`: whom to send it to. */
  | { readonly kind: 'retry'; readonly dueMs: number; readonly provider: string };

/** Orders that a voucher paid: what is given back, to it or of it. */
export type VoucherSettlement = {
  /** The subject of the transfers. */
  readonly settleId: string;
  readonly transfers: readonly Transfer[];
};

export type ResolveVerdict = {
  readonly kind: 'done' | 'waiting' | 'withheld' | 'repeat' | 'contradiction' | 'stale' | 'absent';
  /** The final status, where the vend has one. */
  readonly status: 'success' | 'failed' | undefined;
};

export type ResolveRow = {
  ordinal: number;
  verdict: ResolveVerdict['kind'];
  status: 'success' | 'failed' | null;
};

export function toResolveVerdict(row: ResolveRow): ResolveVerdict {
  return { kind: row.verdict, status: row.status ?? undefined };
}

/** The columns of `resolve_item` (migrations/0012_batch_items.sql), in their order. */
export const resolveColumns = [
  'ordinal',
  'merchant_id',
  'environment',
  'vend_id',
  'network',
  'attempt',
  'source',
  'kind',
  'code',
  'message',
  'provider',
  'provider_id',
  'latency_ms',
  'effect',
  'reason',
  // From processes of 0.1.0 alone.
  'outcome_message',
  'telco_message',
  'cost',
  'goods',
  'sealed',
  'goods_missing',
  'due_ms',
  'flag',
  'transfers',
  'voucher',
] as const;

type ResolveColumns = { readonly [Name in (typeof resolveColumns)[number]]?: FieldValue };

/** A `resolve_item`, which `resolve_vends` takes an array of. */
export function toResolveRecord(item: ResolveItem, index: number): string {
  return toRecordText(resolveColumns, {
    ordinal: index + 1,
    merchant_id: item.merchantId,
    environment: item.environment,
    vend_id: item.vendId,
    network: item.network,
    attempt: item.attempt,
    source: item.source,
    kind: item.answer.kind,
    code: item.answer.code,
    message: item.answer.message,
    provider: item.answer.provider,
    provider_id: item.answer.providerId,
    latency_ms: Math.round(item.answer.latencyMs),
    ...toEffectColumns(item.effect),
  });
}

function toEffectColumns(effect: ResolveEffect): ResolveColumns {
  switch (effect.kind) {
    case 'succeed':
      return {
        effect: 'succeed',
        reason: 'delivered',
        telco_message: effect.telcoMessage,
        cost: effect.cost,
        goods: effect.goods,
        sealed: effect.sealed,
        goods_missing: effect.goodsDueMs !== undefined,
        due_ms: effect.goodsDueMs === undefined ? undefined : Math.ceil(effect.goodsDueMs),
        transfers: toRecordArrayText(effect.transfers.map(toTransferRecord)),
        voucher: effect.voucher && toVoucherJson(effect.voucher),
      };
    case 'fail':
      return {
        effect: 'fail',
        reason: effect.reason,
        telco_message: effect.telcoMessage,
        voucher: effect.voucher && toVoucherJson(effect.voucher),
      };
    case 'wait':
      return { effect: 'wait', due_ms: Math.ceil(effect.dueMs), flag: effect.flag };
    case 'retry':
      return { effect: 'retry', reason: effect.provider, due_ms: Math.ceil(effect.dueMs), flag: false };
  }
}

/** The columns of `transfer_item`, in their order. */
export const transferColumns = ['code', 'debit', 'credit', 'amount'] as const;

function toTransferRecord(transfer: Transfer): string {
  return toRecordText(transferColumns, transfer);
}

function toVoucherJson({ settleId, transfers }: VoucherSettlement): object {
  return { settle_id: settleId, transfers: transfers.map(toTransferJson) };
}
