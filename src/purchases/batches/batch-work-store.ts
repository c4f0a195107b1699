/**
 * SQL of the worker that buys batches. `batches` is a leased queue: a running batch is due until
 * its last row is bought.
 */
import type { Environment } from '../../core/environment.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type Claimed, defineQueue, type Held } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { aside } from '../../db/queue/work-all.ts';
import type { PauseReason } from './batch.ts';

/** A row that the worker buys. */
export type DueRow = {
  readonly line: number;
  readonly product: string;
  readonly network: string;
  readonly plan_code: string | null;
  readonly plan_kind: PlanKind | null;
  readonly msisdn: string;
  readonly recipient: string;
  readonly phone: string | null;
  readonly face_value: bigint;
  readonly charge: bigint;
};

type QueuedBatch = {
  readonly merchant_id: number;
  readonly id: string;
  readonly environment: Environment;
  readonly hash: string;
  readonly credential_id: string;
  readonly row_count: number;
  readonly next_line: number;
};

export type ClaimedBatch = Claimed<QueuedBatch>;
export type HeldBatch = Held<QueuedBatch, 'merchant_id' | 'id'>;

/**
 * Longer than a slice usually takes. If two processes buy a slice at once, each row is still bought
 * once.
 */
const LEASE_MS = 30_000;

/** Repeatable, because each row has its own reference, which buys once. */
const queue = defineQueue<QueuedBatch, 'merchant_id' | 'id'>({
  table: 'batches',
  key: ['merchant_id', 'id'],
  columns: ['environment', 'hash', 'credential_id', 'row_count', 'next_line'],
  repeatable: true,
  deletes: false,
  changedAt: 'changed_at',
});

export async function claimBatches(sql: Sql, limit: number): Promise<ClaimedBatch[]> {
  return await claimDue(sql, queue, { limit, leaseMs: LEASE_MS });
}

/** The next rows to buy. */
export async function readDueRows(sql: Sql, batch: ClaimedBatch, limit: number): Promise<DueRow[]> {
  return await sql.query<DueRow>(
    `select line, product, network, plan_code, plan_kind, msisdn, recipient, phone, face_value, charge
     from batch_rows
     where merchant_id = $1
     and batch_id = $2
     and line >= $3
     order by line
     limit $4`,
    [batch.merchant_id, batch.id, batch.next_line, limit],
  );
}

/** How many of the `last` rows before the next one have a pending purchase. */
export async function countPendingRows(sql: Sql, batch: ClaimedBatch, last: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from generate_series(greatest($4::integer - $5::integer, 1), $4::integer - 1) as r(line)
     join purchases v
       on v.merchant_id = $1
       and v.environment = $2
       and v.reference = 'batch-' || $3::text || '-' || r.line
     join pending_purchases p
       on p.merchant_id = v.merchant_id
       and p.purchase_id = v.id`,
    [batch.merchant_id, batch.environment, batch.hash, batch.next_line, last],
  );
  return row?.count ?? 0;
}

/** Stores why purchases of rows could not be stored. */
export async function updateRefusedRows(
  tx: Tx,
  { merchant_id, id }: HeldBatch,
  refused: ReadonlyMap<number, string>,
): Promise<void> {
  await tx.query(
    `update batch_rows r
     set refused_with = u.code
     from unnest($3::integer[], $4::text[]) as u(line, code)
     where r.merchant_id = $1
     and r.batch_id = $2
     and r.line = u.line`,
    [merchant_id, id, [...refused.keys()], [...refused.values()]],
  );
}

/** Postpones the rest of a batch. Returns false if the lease is no longer valid. */
export async function continueBatch(
  sql: Sql,
  held: HeldBatch,
  nextLine: number,
  pauseMs: number,
): Promise<boolean> {
  return await settleItem(sql, queue, held, { pauseMs, set: { next_line: nextLine } });
}

export async function pauseBatch(
  sql: Sql,
  held: HeldBatch,
  nextLine: number,
  reason: PauseReason,
): Promise<boolean> {
  const set = { next_line: nextLine, state: 'paused', pause_reason: reason };
  return await settleItem(sql, queue, held, { set });
}

export async function finishBatch(sql: Sql, held: HeldBatch): Promise<boolean> {
  return await settleItem(sql, queue, held, { set: { state: 'done' } });
}

/** Quarantines a batch whose slice cannot be bought. */
export async function quarantineBatch(sql: Sql, batch: ClaimedBatch): Promise<void> {
  const message = `the batch ${batch.id} cannot be processed; the log has the error`;
  await settleItem(sql, queue, batch, aside({ message, merchantId: batch.merchant_id }));
}
