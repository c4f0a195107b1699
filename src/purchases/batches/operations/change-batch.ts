/** Starts, pauses, resumes and stops a batch. A repetition changes nothing. */
import { type Static, Type } from 'typebox';
import { admins, defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { findByCode } from '../../../merchants/require-merchant.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { batchNamed, describeBatch, describedBatchOutput, takeChanged } from '../batch-answer.ts';
import { type BatchChange, changeBatch } from '../change-batch.ts';

const portal = { roles: ['finance'] } as const;
const document = 'merchants/bulk.md';
const output = Type.Object({ ...describedBatchOutput.properties, changed: Type.Boolean() });

type Change = {
  readonly named: { readonly merchant: string; readonly batch: string };
  readonly to: BatchChange;
  readonly action: string;
  readonly allowDuplicates?: boolean | undefined;
};

async function change(
  { tx, actor }: Acting,
  { named, to, action, allowDuplicates }: Change,
): Promise<Static<typeof output>> {
  const { id: merchantId } = await findByCode(tx, named.merchant);
  const wanted = { merchantId, id: named.batch };
  const { batch, before } = takeChanged(await changeBatch(tx, wanted, to, { allowDuplicates }), named.batch);
  const answer = { ...(await describeBatch(tx, batch)), changed: before !== to };
  if (answer.changed) {
    const subject = `batch:${batch.id}`;
    await recordOperation(tx, { actor, action, subject, before: { state: before }, after: { state: to } });
  }
  return answer;
}

const startBatchOperation = defineOperation({
  name: 'batch.start',
  kind: 'act',
  summary: 'start a batch: each row is bought once, from the wallet of its merchant',
  roles: admins,
  portal,
  confirm: 'Every row of the batch is bought from the wallet of the merchant. Start it?',
  route: 'POST /merchants/{merchant}/batches/{batch}/start',
  document,
  input: inputOf({
    ...batchNamed,
    duplicates: Type.Optional(
      Type.Boolean({ description: 'true to also buy rows that repeat an earlier row', default: false }),
    ),
  }),
  output,
  run: (acting: Acting, { duplicates, ...named }) =>
    change(acting, { named, to: 'running', action: 'batch.start', allowDuplicates: duplicates }),
});

const pauseBatchOperation = defineOperation({
  name: 'batch.pause',
  kind: 'act',
  summary: 'pause a batch; purchases that are under way end',
  roles: supportersAndTreasurers,
  portal,
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/batches/{batch}/pause',
  document,
  input: inputOf(batchNamed),
  output,
  run: (acting: Acting, named) => change(acting, { named, to: 'paused', action: 'batch.pause' }),
});

const stopBatchOperation = defineOperation({
  name: 'batch.stop',
  kind: 'act',
  summary: 'stop a batch for good; rows that were not bought are never bought',
  roles: supportersAndTreasurers,
  portal,
  withoutStepUp: true,
  confirm: 'A stopped batch cannot be resumed. Stop it?',
  route: 'POST /merchants/{merchant}/batches/{batch}/stop',
  document,
  input: inputOf(batchNamed),
  output,
  run: (acting: Acting, named) => change(acting, { named, to: 'stopped', action: 'batch.stop' }),
});

export const batchChangeOperations = [startBatchOperation, pauseBatchOperation, stopBatchOperation] as const;
