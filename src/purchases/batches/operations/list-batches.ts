/** Lists and shows batches and their rows. */
import { Type } from 'typebox';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  environmentsField,
  idPageFields,
  inputOf,
  merchantField,
  numberedPageFields,
  pageOf,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import { findByCode } from '../../../merchants/require-merchant.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import {
  batchAnswer,
  batchNamed,
  batchOutput,
  batchRowAnswer,
  batchRowOutput,
  describeBatch,
  describedBatchOutput,
  requireBatch,
} from '../batch-answer.ts';
import { listBatches, readBatchRows } from '../batch-store.ts';

const portal = { roles: ['viewer', 'finance', 'developer'] } as const;
const document = 'merchants/bulk.md';

export const listBatchesOperation = defineOperation({
  name: 'batch.list',
  kind: 'question',
  summary: "list a merchant's batches, newest first",
  roles,
  portal,
  route: 'GET /merchants/{merchant}/batches',
  document,
  input: inputOf({ merchant: merchantField, environment: environmentsField, ...idPageFields }),
  output: pageOf(batchOutput),
  run: async ({ sql }: Asking, { merchant, environment, limit = 50, cursor }) => {
    const { id } = await findByCode(sql, merchant);
    const rows = await listBatches(sql, id, { environment, before: cursor, limit: limit + 1 });
    return pageOfRead(rows, limit, (batch) => batch.id, batchAnswer);
  },
});

export const showBatchOperation = defineOperation({
  name: 'batch.show',
  kind: 'question',
  summary: 'show a batch, with how many rows there are of each outcome',
  roles,
  portal,
  route: 'GET /merchants/{merchant}/batches/{batch}',
  document,
  input: inputOf(batchNamed),
  output: Type.Object(describedBatchOutput.properties),
  run: async ({ sql }: Asking, named) => await describeBatch(sql, await requireBatch(sql, named)),
});

export const listBatchRowsOperation = defineOperation({
  name: 'batch.rows',
  kind: 'question',
  summary: 'list the rows of a batch in the order of the file, each with the outcome of its purchase',
  roles,
  portal,
  listsPeople: true,
  route: 'GET /merchants/{merchant}/batches/{batch}/rows',
  document,
  input: inputOf({ ...batchNamed, ...numberedPageFields }),
  output: pageOf(batchRowOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor = '0', ...named }) => {
    const batch = await requireBatch(sql, named);
    // A line beyond the last one ends the list.
    const after = Math.min(Number(cursor), batch.row_count);
    const rows = await readBatchRows(sql, batch.merchant_id, batch.id, { after, limit: limit + 1 });
    return pageOfRead(
      rows,
      limit,
      ({ line }) => String(line),
      (row) => batchRowAnswer(batch, row),
    );
  },
});
