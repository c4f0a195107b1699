/** Batches and their rows in the output of operations: no provider, no cost, no goods. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { assertNever, OperationError } from '../../core/errors.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  amountOutput,
  environmentField,
  idField,
  merchantField,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { planKinds } from '../../core/products/plan-kind.ts';
import type { Sql } from '../../db/database.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import { type Batch, type BatchRow, batchStates, rowReference } from './batch.ts';
import { countProgress, findBatch } from './batch-store.ts';
import { availableFor, type Changed } from './change-batch.ts';

export const batchNamed = {
  merchant: merchantField,
  batch: { ...idField, description: 'the id of a batch' },
};

export const batchOutput = Type.Object({
  id: Type.String(),
  name: Type.String(),
  environment: environmentField,
  state: oneOf(batchStates),
  /** Why the gateway paused it. Null if a person did. */
  pause_reason: nullableText,
  rows: Type.Integer(),
  /** Rows that repeat an earlier row of the file. */
  duplicates: Type.Integer(),
  /** Rows that were bought or refused. */
  handled: Type.Integer(),
  amount: amountOutput,
  /** The price for the wallet at the time of the upload. */
  charge: amountOutput,
  credential: Type.String(),
  created_by: Type.String(),
  created_at: timeOutput,
  changed_at: timeOutput,
});

export function batchAnswer(batch: Batch): Static<typeof batchOutput> {
  return answerOf(batchOutput, {
    ...batch,
    rows: batch.row_count,
    handled: batch.next_line - 1,
    amount: batch.face_value,
    credential: batch.credential_id,
  });
}

const count = Type.Integer();

export const describedBatchOutput = Type.Object({
  ...batchOutput.properties,
  columns: Type.Array(Type.Object({ head: Type.String(), field: nullableText })),
  waiting: count,
  pending: count,
  success: count,
  failed: count,
  refused: count,
  /** The charges of successes. */
  spent: amountOutput,
  /** The available balance now. */
  available: amountOutput,
});

export async function describeBatch(sql: Sql, batch: Batch): Promise<Static<typeof describedBatchOutput>> {
  return answerOf(describedBatchOutput, {
    ...batchAnswer(batch),
    columns: batch.heads,
    ...(await countProgress(sql, batch.merchant_id, batch.id)),
    available: await availableFor(sql, batch),
  });
}

export const batchRowOutput = Type.Object({
  line: Type.Integer(),
  /** The status of its purchase. */
  reference: Type.String(),
  product: Type.String(),
  network: Type.String(),
  plan_code: nullableText,
  /** The kind of airtime. Null: the usual one. */
  kind: nullable(oneOf(planKinds)),
  recipient: Type.String(),
  amount: amountOutput,
  charge: amountOutput,
  /** The first row that buys the same. */
  duplicate_of: nullable(Type.Integer()),
  /**
   * The status of its purchase. `waiting`: not bought yet. `refused`: the purchase could not be
   * stored.
   */
  status: oneOf(['waiting', 'pending', 'success', 'failed', 'refused']),
  reason: nullableText,
});

export function batchRowAnswer({ hash }: Pick<Batch, 'hash'>, row: BatchRow): Static<typeof batchRowOutput> {
  const { purchase, refusedWith } = row;
  return answerOf(batchRowOutput, {
    ...row,
    reference: rowReference(hash, row.line),
    plan_code: row.planCode,
    kind: row.planKind,
    recipient: row.msisdn,
    amount: row.faceValue,
    charge: purchase?.charge ?? row.charge,
    duplicate_of: row.duplicateOf,
    status: purchase?.status ?? (refusedWith === undefined ? 'waiting' : 'refused'),
    reason: purchase?.reason ?? refusedWith,
  });
}

/** Throws OperationError: `no_merchant`; `no_batch`, also for a batch of another merchant. */
export async function requireBatch(
  sql: Sql,
  { merchant, batch: id }: { readonly merchant: string; readonly batch: string },
): Promise<Batch> {
  const { id: merchantId } = await findByCode(sql, merchant);
  const batch = await findBatch(sql, merchantId, id);
  if (batch === undefined) throw new OperationError({ code: 'no_batch', batch: id });
  return batch;
}

/** Throws OperationError for a change that was refused. */
export function takeChanged(changed: Changed, id: string): Extract<Changed, { kind: 'changed' }> {
  switch (changed.kind) {
    case 'changed':
      return changed;
    case 'unknown':
      throw new OperationError({ code: 'no_batch', batch: id });
    case 'ended':
      throw new OperationError({ code: 'batch_ended', state: changed.state });
    case 'not_started':
      throw new OperationError({ code: 'batch_not_started' });
    case 'duplicates':
      throw new OperationError({ code: 'batch_has_duplicates', count: changed.count });
    case 'not_covered':
      throw new OperationError({ ...changed, code: 'batch_not_covered' });
    default:
      return assertNever(changed);
  }
}
