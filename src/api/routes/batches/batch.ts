/** Batches and their rows as the API returns them. Pure. */
import { type Static, type TObject, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { GatewayError } from '../../../core/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import { formatAmount } from '../../../core/money.ts';
import { nullable } from '../../../core/nullable.ts';
import type { AmountOutput, TimeOutput } from '../../../core/operation-fields.ts';
import { planKinds } from '../../../core/products/plan-kind.ts';
import type { Batch, BatchProgress, BatchRow } from '../../../purchases/batches/batch.ts';
import { batchStates, pauseReasons, rowReference } from '../../../purchases/batches/batch.ts';
import { optionalText } from '../../plumbing/answer.ts';
import { cleanText, text, words } from '../../plumbing/fields.ts';
import { failureOf, outcomeWords } from '../../plumbing/outcome-words.ts';
import { goodsFields, goodsOf } from '../../plumbing/purchase-answer.ts';

const time = Type.String({ description: 'RFC 3339' }) as TimeOutput;
const count = Type.Integer();
const nairaOf = (description: string) => Type.String({ description }) as AmountOutput;
const naira = nairaOf('naira with two decimals');

const sampleId = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export const idParams = Type.Object({
  id: text(`the id from an answer, ${cleanText}`, { format: 'clean-text', examples: [sampleId] }),
});

/** Throws GatewayError `no_batch` for a text that is no id. */
export function readId(id: string): string {
  if (!isUuid(id)) throw new GatewayError({ code: 'no_batch' });
  return id;
}

export const batchFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  state: words(batchStates, {
    description: 'ready: valid, not started; running; paused; stopped; done: every row was bought or refused',
  }),
  pause_reason: nullable(words(pauseReasons), {
    description: 'why the gateway paused it; null where you did',
  }),
  columns: Type.Array(
    Type.Object({
      head: Type.String(),
      field: nullable(Type.String(), {
        description: 'the field that it was recognised as; null: the column is ignored',
      }),
    }),
  ),
  rows: count,
  duplicates: Type.Integer({ description: 'rows that repeat an earlier row of the file' }),
  total_amount: naira,
  total_charge: nairaOf('naira with two decimals, as priced when it was uploaded'),
  created_at: time,
  updated_at: time,
};

const batchObject = Type.Object(batchFields);

export function batchWire(batch: Batch): Static<typeof batchObject> {
  return answerOf(batchObject, {
    ...batch,
    columns: batch.heads,
    rows: batch.row_count,
    total_amount: batch.face_value,
    total_charge: batch.charge,
    updated_at: batch.changed_at,
  });
}

export const foundFields = {
  ...batchFields,
  progress: Type.Object(
    { waiting: count, pending: count, success: count, failed: count, refused: count },
    { description: 'rows by outcome' },
  ),
  spent: nairaOf('naira with two decimals: the charges of successes'),
  available: nairaOf('the available balance of the wallet now, in naira with two decimals'),
};

export function foundWire({
  batch,
  progress: { spent, ...progress },
  available,
}: {
  readonly batch: Batch;
  readonly progress: BatchProgress;
  readonly available: bigint;
}): Static<TObject<typeof foundFields>> {
  return {
    ...batchWire(batch),
    progress,
    spent: formatAmount(spent),
    available: formatAmount(available),
  };
}

export const rowFields = {
  line: Type.Integer({ description: '1 is the first row below the headings' }),
  request_ref: Type.String({ description: 'of its purchase' }),
  product: Type.String(),
  network: Type.String(),
  msisdn: Type.String(),
  plan_code: nullable(Type.String()),
  kind: nullable(words(planKinds), { description: 'the kind of airtime; null: the default kind' }),
  amount: naira,
  charge: naira,
  duplicate_of: nullable(Type.Integer(), { description: 'the first row that buys the same' }),
  status: words(['waiting', 'pending', 'success', 'failed', 'refused'], {
    description: 'the status of its purchase; waiting: not bought yet; refused: no purchase could be stored',
  }),
  reason: optionalText('why it failed or was refused: a stable code'),
  message: Type.String(),
  ...goodsFields,
};

export function rowWire(batch: Pick<Batch, 'hash'>, row: BatchRow): Static<TObject<typeof rowFields>> {
  return {
    line: row.line,
    request_ref: rowReference(batch.hash, row.line),
    product: row.product,
    network: row.network,
    msisdn: row.msisdn,
    plan_code: row.planCode ?? null,
    kind: row.planKind ?? null,
    amount: formatAmount(row.faceValue),
    charge: formatAmount(row.purchase?.charge ?? row.charge),
    duplicate_of: row.duplicateOf ?? null,
    ...outcomeOf(row),
  };
}

function outcomeOf({ purchase, refusedWith }: BatchRow) {
  if (purchase !== undefined) {
    const message = outcomeWords(purchase);
    return { status: purchase.status, message, ...failureOf(purchase), ...goodsOf(purchase) };
  }
  if (refusedWith === undefined) return { status: 'waiting' as const, message: 'Not bought' };
  return {
    status: 'refused' as const,
    message: 'No purchase was stored. Nothing was charged',
    reason: refusedWith,
  };
}

export const sampleBatch: Batch = {
  merchant_id: 7,
  merchant_code: 'SHOP',
  id: sampleId,
  environment: 'live',
  hash: '0f343b0931126a20f133d67c2b018a3b',
  name: 'Staff airtime, November',
  credential_id: 'oja_live_1a2b3c',
  created_by: 'SHOP',
  created_at: new Date('2026-11-22T09:00:00Z'),
  changed_at: new Date('2026-11-22T09:01:00Z'),
  heads: [
    { head: 'Phone', field: 'phone' },
    { head: 'Network', field: 'network' },
    { head: 'Amount', field: 'amount' },
    { head: 'Name', field: null },
  ],
  row_count: 250,
  duplicates: 0,
  face_value: 25_000_00n,
  charge: 24_250_00n,
  state: 'running',
  pause_reason: null,
  next_line: 41,
};

export const sampleFound = {
  batch: sampleBatch,
  progress: { waiting: 210, pending: 3, success: 36, failed: 1, refused: 0, spent: 3_492_00n },
  available: 76_508_00n,
};

export const sampleRow: BatchRow = {
  line: 41,
  product: 'airtime',
  network: 'MTN',
  planCode: undefined,
  planKind: undefined,
  msisdn: '08031234567',
  faceValue: 100_00n,
  charge: 97_00n,
  duplicateOf: undefined,
  refusedWith: undefined,
  purchase: undefined,
};
