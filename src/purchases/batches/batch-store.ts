/**
 * SQL of batches and their rows. The outcome of a row is read from the purchase under its
 * reference.
 */
import type { Environment } from '../../core/environment.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type PurchaseRow, purchaseColumns, toPurchase } from '../history/purchase-store.ts';
import type { Batch, BatchOwner, BatchProgress, BatchRow, BatchState, Head, PricedRow } from './batch.ts';

const columns = `
  b.merchant_id, m.code as merchant_code, b.id, b.environment, b.hash, b.name, b.credential_id, b.created_by, b.created_at,
  b.changed_at, b.heads, b.row_count, b.duplicates, b.face_value, b.charge, b.state, b.pause_reason, b.next_line`;

const selected = `
  select ${columns}
  from batches b
  join merchants m on m.id = b.merchant_id`;

/** Joins the purchase of row `r` of batch `b`, if there is one. */
const purchaseJoin = `
  left join lateral (
    select v.*
    from purchases v
    where v.merchant_id = b.merchant_id
    and v.environment = b.environment
    and v.reference = 'batch-' || b.hash || '-' || r.line
    -- By its key, however many rows the planner expects.
    limit 1
  ) as v on true
  left join purchase_outcomes o
    on o.merchant_id = v.merchant_id
    and o.purchase_id = v.id`;

export type NewBatch = BatchOwner & {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly credentialId: string;
  readonly createdBy: string;
  readonly heads: readonly Head[];
  readonly rows: readonly (PricedRow & { readonly duplicateOf: number | undefined })[];
};

/**
 *  Stores a batch with its rows. Returns false, and stores nothing, if the file is stored already.
 */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<boolean> {
  const { rows } = batch;
  const inserted = await tx.query(
    `insert into batches (
       merchant_id, id, environment, hash, name, credential_id, created_by, heads, row_count, duplicates, face_value, charge
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12)
     on conflict (merchant_id, environment, hash) do nothing
     returning 1`,
    [
      batch.merchantId,
      batch.id,
      batch.environment,
      batch.hash,
      batch.name,
      batch.credentialId,
      batch.createdBy,
      JSON.stringify(batch.heads),
      rows.length,
      rows.filter(({ duplicateOf }) => duplicateOf !== undefined).length,
      sumOf(rows.map(({ faceValue }) => faceValue)),
      sumOf(rows.map(({ charge }) => charge)),
    ],
  );
  if (inserted.length === 0) return false;
  await tx.query(
    `insert into batch_rows (
       merchant_id, batch_id, line, product, network, plan_code, plan_kind, msisdn, recipient, phone, face_value, charge, duplicate_of
     )
     select $1, $2, r.*
     from unnest(
       $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[],
       $12::bigint[], $13::integer[]
     ) as r`,
    [
      batch.merchantId,
      batch.id,
      rows.map((_, index) => index + 1),
      rows.map(({ product }) => product),
      rows.map(({ network }) => network),
      rows.map(({ planCode }) => planCode ?? null),
      rows.map(({ planKind }) => planKind ?? null),
      rows.map(({ msisdn }) => msisdn),
      rows.map(({ recipient }) => recipient),
      rows.map(({ phone }) => phone ?? null),
      rows.map(({ faceValue }) => faceValue),
      rows.map(({ charge }) => charge),
      rows.map(({ duplicateOf }) => duplicateOf ?? null),
    ],
  );
  return true;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

export async function findBatchByHash(
  sql: Sql,
  { merchantId, environment }: BatchOwner,
  hash: string,
): Promise<Batch | undefined> {
  const [batch] = await sql.query<Batch>(
    `${selected}
     where b.merchant_id = $1
     and b.environment = $2
     and b.hash = $3`,
    [merchantId, environment, hash],
  );
  return batch;
}

/** Without an environment: batches of both. */
export async function findBatch(
  sql: Sql,
  merchantId: number,
  id: string,
  environment?: Environment,
): Promise<Batch | undefined> {
  const [batch] = await sql.query<Batch>(
    `${selected}
     where b.merchant_id = $1
     and b.id = $2
     and b.environment = coalesce($3, b.environment)`,
    [merchantId, id, environment ?? null],
  );
  return batch;
}

/** Locks the batch until the transaction ends. Only the lock of the audit log may follow. */
export async function lockBatch(
  tx: Tx,
  merchantId: number,
  id: string,
  environment?: Environment,
): Promise<Batch | undefined> {
  const [batch] = await tx.query<Batch>(
    `${selected}
     where b.merchant_id = $1
     and b.id = $2
     and b.environment = coalesce($3, b.environment)
     for update of b`,
    [merchantId, id, environment ?? null],
  );
  return batch;
}

/** Newest first, before the id `before`. */
export async function listBatches(
  sql: Sql,
  merchantId: number,
  {
    environment,
    before,
    limit,
  }: {
    readonly environment?: Environment | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<Batch[]> {
  return await sql.query<Batch>(
    `${selected}
     where b.merchant_id = $1
     and b.environment = coalesce($2, b.environment)
     and ($3::uuid is null or b.id < $3::uuid)
     order by b.id desc
     limit $4`,
    [merchantId, environment ?? null, before ?? null, limit],
  );
}

/** Sets the state. A worker that has the batch loses its lease: its settlement changes nothing. */
export async function updateBatchState(
  tx: Tx,
  merchantId: number,
  id: string,
  state: Exclude<BatchState, 'ready' | 'done'>,
): Promise<void> {
  await tx.query(
    `update batches
     set state = $3, pause_reason = null, due_at = case when $3 = 'running' then now() end, lease_id = null, tries = 0,
       alarmed_at = null, changed_at = now()
     where merchant_id = $1
     and id = $2`,
    [merchantId, id, state],
  );
}

/**
 * Pauses every running batch, because its credential ended. A worker that has one loses its lease.
 */
export async function pauseRunningBatches(tx: Tx): Promise<void> {
  await tx.query(`
    update batches
    set state = 'paused', pause_reason = 'credential_ended', due_at = null, lease_id = null, tries = 0, alarmed_at = null,
      changed_at = now()
    where state = 'running'`);
}

export async function countProgress(sql: Sql, merchantId: number, id: string): Promise<BatchProgress> {
  const [row] = await sql.query<Record<keyof BatchProgress, bigint>>(
    `select
       count(*) filter (where v.id is null and r.refused_with is null) as waiting,
       count(*) filter (where v.id is not null and o.status is null) as pending,
       count(*) filter (where o.status = 'success') as success,
       count(*) filter (where o.status = 'failed') as failed,
       count(*) filter (where v.id is null and r.refused_with is not null) as refused,
       coalesce(sum(v.charge) filter (where o.status = 'success'), 0)::bigint as spent
     from batches b
     join batch_rows r
       on r.merchant_id = b.merchant_id
       and r.batch_id = b.id
     ${purchaseJoin}
     where b.merchant_id = $1
     and b.id = $2`,
    [merchantId, id],
  );
  const numberOf = (name: Exclude<keyof BatchProgress, 'spent'>): number => Number(row?.[name] ?? 0);
  return {
    waiting: numberOf('waiting'),
    pending: numberOf('pending'),
    success: numberOf('success'),
    failed: numberOf('failed'),
    refused: numberOf('refused'),
    spent: row?.spent ?? 0n,
  };
}

/** Reads rows in file order, after the line `after`. */
export async function readBatchRows(
  sql: Sql,
  merchantId: number,
  id: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<BatchRow[]> {
  type Read = Omit<PurchaseRow, 'id'> & {
    readonly id: string | null;
    readonly line: number;
    readonly row_product: string;
    readonly row_network: string;
    readonly row_plan_code: string | null;
    readonly row_plan_kind: PlanKind | null;
    readonly row_msisdn: string;
    readonly row_face_value: bigint;
    readonly row_charge: bigint;
    readonly duplicate_of: number | null;
    readonly refused_with: string | null;
  };
  const rows = await sql.query<Read>(
    `select r.line, r.product as row_product, r.network as row_network, r.plan_code as row_plan_code,
       r.plan_kind as row_plan_kind, r.msisdn as row_msisdn, r.face_value as row_face_value, r.charge as row_charge, r.duplicate_of, r.refused_with, ${purchaseColumns}
     from batches b
     join merchants m on m.id = b.merchant_id
     join batch_rows r
       on r.merchant_id = b.merchant_id
       and r.batch_id = b.id
     ${purchaseJoin}
     left join purchase_goods g
       on g.merchant_id = v.merchant_id
       and g.purchase_id = v.id
     where b.merchant_id = $1
     and b.id = $2
     and r.line > $3
     order by r.line
     limit $4`,
    [merchantId, id, after, limit],
  );
  return rows.map((row) => ({
    line: row.line,
    product: row.row_product,
    network: row.row_network,
    planCode: row.row_plan_code ?? undefined,
    planKind: row.row_plan_kind ?? undefined,
    msisdn: row.row_msisdn,
    faceValue: row.row_face_value,
    charge: row.row_charge,
    duplicateOf: row.duplicate_of ?? undefined,
    refusedWith: row.refused_with ?? undefined,
    purchase: row.id === null ? undefined : toPurchase({ ...row, id: row.id }),
  }));
}
