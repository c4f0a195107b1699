/**
 * Batches on a database: which changes are refused, and what each fate of a row does to its batch.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GatewayError } from '../../../src/core/errors.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { newId } from '../../../src/core/ids.ts';
import type { RequestFault } from '../../../src/core/request-fault.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import { batchRowAnswer, requireBatch, takeChanged } from '../../../src/purchases/batches/batch-answer.ts';
import { countProgress, readBatchRows } from '../../../src/purchases/batches/batch-store.ts';
import { type BatchChange, changeBatch, storeBatch } from '../../../src/purchases/batches/change-batch.ts';
import { batchChangeOperations } from '../../../src/purchases/batches/operations/change-batch.ts';
import { workBatches } from '../../../src/purchases/batches/work-batches.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { Purchase, PurchaseRequest } from '../../../src/purchases/state/purchase.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { refusedAct } from '../../support/refusals.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();

const actor = { name: 'ada', principal: 'user:root', edge: 'cli' } as const;
const CHARGE = 1_000n;

/** A batch of airtime for the numbers, each of one digit. */
async function upload(buyer: Buyer, digits: readonly number[]) {
  const rows = digits.map((digit) => ({
    product: 'airtime' as const,
    network: 'MTN',
    planCode: undefined,
    msisdn: `0803123456${digit}`,
    recipient: `234803123456${digit}`,
    faceValue: CHARGE,
    phone: undefined,
    charge: CHARGE,
  }));
  const given = { id: newId(), name: 'Batch', credentialId: buyer.credentialId, createdBy: 'ada' };
  return await database.transaction((tx) => storeBatch(tx, buyer, { heads: [], rows }, given));
}

async function codeOf({ merchantId }: Buyer): Promise<string> {
  const [row] = await database.query<{ code: string }>('select code from merchants where id = $1', [
    merchantId,
  ]);
  return row?.code ?? assert.fail('the buyer has no merchant');
}

/** Changes it; returns the state before, and whether it changed. */
async function change({ merchantId }: Buyer, id: string, to: BatchChange, allowDuplicates?: boolean) {
  const changed = await database.transaction((tx) =>
    changeBatch(tx, { merchantId, id }, to, { allowDuplicates }),
  );
  return takeChanged(changed, id).before;
}

async function stateOf(buyer: Buyer, id: string): Promise<string> {
  const { state, pause_reason, next_line } = await requireBatch(database, {
    merchant: await codeOf(buyer),
    batch: id,
  });
  return [state, pause_reason, next_line].filter((each) => each !== null).join(' ');
}

/** The answers about its rows, in short. */
async function rowsOf(buyer: Buyer, id: string): Promise<string[]> {
  const batch = await requireBatch(database, { merchant: await codeOf(buyer), batch: id });
  const rows = await readBatchRows(database, buyer.merchantId, id, { after: 0, limit: 100 });
  return rows
    .map((row) => batchRowAnswer(batch, row))
    .map(({ status, reason }) => (reason === null ? status : `${status} ${reason}`));
}

type Told = RequestFault['code'] | 'bought' | 'over_daily_cap' | 'our error';

/**
 * Works all due batches, which are the buyer's, and returns the purchases. The row of a digit is
 * bought unless `told` names its fate; `null` for `capped`: the credential has ended.
 */
async function work(
  buyer: Buyer,
  told: Readonly<Record<string, Told>> = {},
  capped: boolean | null = false,
): Promise<AcceptItem[]> {
  const items: AcceptItem[] = [];
  const buy = async ({ reference, msisdn, recipient }: PurchaseRequest): Promise<Purchase> => {
    const fate = told[msisdn.slice(-1)] ?? 'bought';
    if (fate === 'our error') throw new Error(fate);
    if (fate !== 'bought' && fate !== 'over_daily_cap') {
      throw new GatewayError({ code: fate } as RequestFault);
    }
    const item = purchase(buyer, CHARGE, { reference, msisdn, recipient });
    assert.equal((await accept(database, item))[0]?.kind, 'accepted');
    items.push(item);
    return { reason: fate === 'bought' ? undefined : fate } as unknown as Purchase;
  };
  const principal = { merchant: { id: buyer.merchantId }, capped } as unknown as Principal;
  await workBatches({
    database,
    failpoints: noFailpoints,
    principalOf: async () => (capped === null ? undefined : principal),
    purchase: buy,
  });
  return items;
}

async function started(digits: readonly number[], balance = 100_000n) {
  const buyer = await openBuyer(database, balance);
  const { batch } = await upload(buyer, digits);
  assert.equal(await change(buyer, batch.id, 'running', true), 'ready');
  return { buyer, id: batch.id };
}

describe('a change of a batch', () => {
  it('stores a file once, and finds its batch for its own merchant only', async () => {
    const [buyer, other] = [await openBuyer(database, 0n), await openBuyer(database, 0n)];
    const [first, again] = [await upload(buyer, [1, 2]), await upload(buyer, [1, 2])];
    assert.deepEqual([first.isNew, again.isNew, again.batch.id], [true, false, first.batch.id]);
    const batch = first.batch.id;
    assert.equal((await requireBatch(database, { merchant: await codeOf(buyer), batch })).row_count, 2);
    const foreign = { merchant: await codeOf(other), batch };
    await assert.rejects(requireBatch(database, foreign), refusedAct('no_batch', { batch }));
    await assert.rejects(change(other, batch, 'stopped'), refusedAct('no_batch', { batch }));
  });

  it('starts only what the balance covers, and duplicates only on request', async () => {
    const [poor, rich] = [await openBuyer(database, 1_999n), await openBuyer(database, 2_000n)];
    const { batch } = await upload(poor, [1, 2]);
    await assert.rejects(
      change(poor, batch.id, 'running'),
      refusedAct('batch_not_covered', { charge: 2_000n, available: 1_999n }),
    );
    assert.equal(await stateOf(poor, batch.id), 'ready 1');
    const twice = (await upload(rich, [1, 1])).batch;
    await assert.rejects(change(rich, twice.id, 'running'), refusedAct('batch_has_duplicates', { count: 1 }));
    assert.equal(await change(rich, twice.id, 'running', true), 'ready');
    await change(rich, twice.id, 'stopped');
  });

  it('pauses only what was started, resumes without asking again, and ends once', async () => {
    const buyer = await openBuyer(database, 2_000n);
    const { id } = (await upload(buyer, [3, 3])).batch;
    await assert.rejects(change(buyer, id, 'paused'), refusedAct('batch_not_started'));
    await change(buyer, id, 'running', true);
    assert.equal(await change(buyer, id, 'paused'), 'running');
    assert.equal(await change(buyer, id, 'running'), 'paused');
    assert.equal(await change(buyer, id, 'stopped'), 'running');
    assert.equal(await change(buyer, id, 'stopped'), 'stopped');
    await assert.rejects(change(buyer, id, 'running'), refusedAct('batch_ended', { state: 'stopped' }));
  });

  it('an operation records a change, and no repetition', async () => {
    const buyer = await openBuyer(database, 2_000n);
    const { id } = (await upload(buyer, [4])).batch;
    const [start, , stop] = batchChangeOperations;
    const named = { merchant: await codeOf(buyer), batch: id };
    const run = (operation: typeof start | typeof stop) =>
      database.transaction(async (tx) => (await operation.run({ tx, actor }, named)).changed);
    assert.deepEqual([await run(start), await run(start), await run(stop)], [true, false, true]);
    await assert.rejects(run(start), refusedAct('batch_ended'));
    const recorded = await database.query('select action from audit_log where subject = $1 order by action', [
      `batch:${id}`,
    ]);
    assert.deepEqual(recorded, [{ action: 'batch.start' }, { action: 'batch.stop' }]);
  });
});

describe('the rows of a running batch', () => {
  it('are bought once each, refused rows keep their code, and the batch is done', async () => {
    const { buyer, id } = await started([1, 2, 3]);
    assert.equal((await rowsOf(buyer, id)).join(), 'waiting,waiting,waiting');
    await work(buyer, { 2: 'data_plan_unknown', 3: 'reference_used' });
    assert.equal(await stateOf(buyer, id), 'done 4');
    assert.deepEqual(await rowsOf(buyer, id), ['pending', 'refused data_plan_unknown', 'waiting']);
    const { waiting, pending, refused } = await countProgress(database, buyer.merchantId, id);
    assert.deepEqual([waiting, pending, refused], [1, 1, 1]);
  });

  it('a row that can be bought shortly holds the batch at its line, and a later one is kept', async () => {
    const { buyer, id } = await started([1, 2, 3]);
    await work(buyer, { 2: 'providers_busy', 3: 'data_plan_unknown' });
    assert.equal(await stateOf(buyer, id), 'running 2');
    assert.deepEqual(await rowsOf(buyer, id), ['pending', 'waiting', 'refused data_plan_unknown']);
    await change(buyer, id, 'stopped');
  });

  it('a suspended merchant pauses a batch before the row, a spend cap behind it', async () => {
    const suspended = await started([1, 2]);
    await work(suspended.buyer, { 1: 'merchant_suspended' });
    assert.equal(await stateOf(suspended.buyer, suspended.id), 'paused merchant_suspended 1');
    const capped = await started([1, 2]);
    await work(capped.buyer, { 1: 'over_daily_cap' }, true);
    assert.equal(await stateOf(capped.buyer, capped.id), 'paused over_daily_cap 2');
    assert.deepEqual(await rowsOf(capped.buyer, capped.id), ['pending', 'waiting']);
  });

  it('are not bought by an ended credential, or without the money for them', async () => {
    const ended = await started([1]);
    await work(ended.buyer, {}, null);
    assert.equal(await stateOf(ended.buyer, ended.id), 'paused credential_ended 1');
    const spent = await started([1], CHARGE);
    await accept(database, purchase(spent.buyer, CHARGE));
    await work(spent.buyer);
    assert.equal(await stateOf(spent.buyer, spent.id), 'paused insufficient_funds 1');
    assert.deepEqual(await rowsOf(spent.buyer, spent.id), ['waiting']);
  });

  it('set their batch aside if they cannot be bought for an error of ours', async () => {
    const { buyer, id } = await started([1]);
    await assert.rejects(work(buyer, { 1: 'our error' }));
    assert.equal(await stateOf(buyer, id), 'running 1');
    // Far longer than any lease.
    const [row] = await database.query(
      "select due_at > now() + interval '30 minutes' as is_aside from batches where id = $1",
      [id],
    );
    assert.deepEqual(row, { is_aside: true });
    assert.deepEqual(await rowsOf(buyer, id), ['waiting']);
  });

  it('wait while thirty-two are pending, and go on when some of those have ended', async () => {
    const { buyer, id } = await started(Array.from({ length: 34 }, (_, index) => index % 10));
    const items = await work(buyer);
    assert.equal(await stateOf(buyer, id), 'running 33');
    const ended = items.slice(0, 3).map((item) => answer(buyer, item, 'success'));
    assert.equal((await resolveWords(database, ...ended)).join(), 'done success,done success,done success');
    await database.query('update batches set due_at = now() where id = $1', [id]);
    assert.equal((await work(buyer)).length, 2);
    assert.equal(await stateOf(buyer, id), 'done 35');
    const progress = await countProgress(database, buyer.merchantId, id);
    assert.deepEqual([progress.success, progress.pending, progress.spent], [3, 31, 3n * CHARGE]);
    const delivered = (await rowsOf(buyer, id)).filter((row) => row === 'success delivered');
    assert.equal(delivered.length, 3);
  });
});
