/** SQL that finds the data of one person. Each statement reads a bounded part of a table. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';
import { masked } from './purchase-anonymising-store.ts';

export type PurchaseId = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly id: string;
};

/** The personal data of a purchase. */
export type HeldPurchase = PurchaseId & {
  readonly merchant: string;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly msisdn: string;
  readonly details: { readonly phone?: string; readonly customer?: Readonly<Record<string, unknown>> } | null;
  readonly status: string;
  readonly telcoMessage: string | null;
  readonly createdAt: Date;
};

const purchaseColumns = `
  v.merchant_id as "merchantId", v.environment, v.id, m.code as merchant, v.reference, v.product, v.network, v.msisdn,
  v.details, coalesce(o.status, 'pending') as status, o.telco_message as "telcoMessage", v.created_at as "createdAt"`;

/** Reads purchases in the order of `named`. */
export async function readHeldPurchases(
  sql: Sql,
  named: readonly (Pick<PurchaseId, 'environment' | 'id'> & { readonly merchantCode: string })[],
): Promise<HeldPurchase[]> {
  return await sql.query<HeldPurchase>(
    `select ${purchaseColumns}
     from unnest($1::text[], $2::text[], $3::uuid[]) with ordinality as k(code, environment, id, place)
     join merchants m on m.code = k.code
     join purchases v
       on v.merchant_id = m.id
       and v.environment = k.environment
       and v.id = k.id
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     order by k.place`,
    [
      named.map(({ merchantCode }) => merchantCode),
      named.map(({ environment }) => environment),
      named.map(({ id }) => id),
    ],
  );
}

type Slice<Row> = { readonly rows: readonly Row[]; readonly last: PurchaseId | undefined };

/** Searches the next purchases after a key for one of these contact phones. */
export async function findContacts(
  sql: Sql,
  phones: readonly string[],
  after: PurchaseId,
  limit: number,
): Promise<Slice<HeldPurchase>> {
  const rows = await sql.query<HeldPurchase & { readonly isMatch: boolean }>(
    `with looked as materialized (
       select *
       from purchases
       where (merchant_id, environment, id) > ($1, $2, $3::uuid)
       order by merchant_id, environment, id
       limit $4
     ),
     chosen as (
       select *, true as is_match
       from looked
       where details->>'phone' = any($5)
       union all
       (select *, false from looked order by merchant_id desc, environment desc, id desc limit 1)
     )
     select ${purchaseColumns}, v.is_match as "isMatch"
     from chosen v
     join merchants m on m.id = v.merchant_id
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     order by v.is_match desc, v.merchant_id, v.environment, v.id`,
    [after.merchantId, after.environment, after.id, limit, phones],
  );
  return { rows: rows.filter(({ isMatch }) => isMatch), last: rows.at(-1) };
}

export type HeldDelivery = PurchaseId & {
  readonly merchant: string;
  readonly reference: string;
  readonly channel: string;
  readonly state: string;
  /** Sealed. */
  readonly destination: string;
  readonly createdAt: Date;
};

/** Searches the next deliveries after a key for one of these hints. */
export async function findDeliveriesHinted(
  sql: Sql,
  hints: readonly string[],
  after: PurchaseId,
  limit: number,
): Promise<Slice<HeldDelivery>> {
  const rows = await sql.query<HeldDelivery & { readonly isHinted: boolean }>(
    `with looked as materialized (
       select *
       from deliveries
       where (merchant_id, purchase_id) > ($1, $2::uuid)
       order by merchant_id, purchase_id
       limit $3
     ),
     chosen as (
       select *, true as is_hinted
       from looked
       where hint = any($4)
       and destination <> ''
       union all
       (select *, false from looked order by merchant_id desc, purchase_id desc limit 1)
     )
     select
       d.merchant_id as "merchantId", d.environment, d.purchase_id as id, m.code as merchant, v.reference, d.channel, d.state,
       d.destination, d.created_at as "createdAt", d.is_hinted as "isHinted"
     from chosen d
     join merchants m on m.id = d.merchant_id
     join purchases v
       on v.merchant_id = d.merchant_id
       and v.environment = d.environment
       and v.id = d.purchase_id
     order by d.is_hinted desc, d.merchant_id, d.purchase_id`,
    [after.merchantId, after.id, limit, hints],
  );
  return { rows: rows.filter(({ isHinted }) => isHinted), last: rows.at(-1) };
}

/** The recipients and contact phones of a person, in all stored formats. */
export type Numbers = { readonly recipients: readonly string[]; readonly phones: readonly string[] };

/** The rows of a batch that are for the person and have no purchase. */
export type HeldRows = PurchaseId & {
  readonly merchant: string;
  readonly rows: number;
  readonly number: string;
  readonly phone: string | null;
  readonly changedAt: Date;
  /** Whether the batch may still buy one of them. */
  readonly isNeeded: boolean;
};

const isOfPerson = 'r.recipient = any($3) or r.msisdn = any($3) or r.phone = any($4)';

/** The purchases of bought rows are found as purchases. */
const isUnbought = `not exists (
    select
    from purchases v
    where v.merchant_id = b.merchant_id
    and v.environment = b.environment
    and v.reference = 'batch-' || b.hash || '-' || r.line
  )`;

type BatchKey = Pick<PurchaseId, 'merchantId' | 'id'>;

/** Searches the next batches after a key, by merchant and id, for rows of the person. */
export async function findBatchRows(
  sql: Sql,
  numbers: Numbers,
  after: BatchKey,
  limit: number,
): Promise<Slice<HeldRows>> {
  const looked = await inEachCell(sql, (cell) => lookIntoBatches(cell, numbers, after, limit));
  const rows = looked.flat().sort(byKey).slice(0, limit);
  return { rows: rows.filter((row) => row.rows > 0), last: rows.at(-1) };
}

function byKey(one: BatchKey, other: BatchKey): number {
  return one.merchantId - other.merchantId || (one.id < other.id ? -1 : 1);
}

async function lookIntoBatches(
  sql: Sql,
  { recipients, phones }: Numbers,
  after: BatchKey,
  limit: number,
): Promise<HeldRows[]> {
  return await sql.query<HeldRows>(
    `with looked as materialized (
       select *
       from batches
       where (merchant_id, id) > ($1, $2::uuid)
       order by merchant_id, id
       limit $5
     )
     select
       b.merchant_id as "merchantId", b.environment, b.id, m.code as merchant, b.changed_at as "changedAt", h.rows,
       coalesce(h.number, '') as number, h.phone,
       b.state in ('ready', 'running', 'paused') and h.last_line >= b.next_line as "isNeeded"
     from looked b
     join merchants m on m.id = b.merchant_id
     join lateral (
       select count(*)::integer as rows, min(r.msisdn) as number, min(r.phone) as phone, max(r.line) as last_line
       from (
         select *
         from batch_rows r
         where r.merchant_id = b.merchant_id
         and r.batch_id = b.id
         and (${isOfPerson})
         offset 0
       ) r
       where ${isUnbought}
     ) h on true
     order by b.merchant_id, b.id`,
    [after.merchantId, after.id, recipients, phones, limit],
  );
}

/** Masks the rows of a batch that are for the person, unless they were or may be bought. */
export async function forgetBatchRows(
  tx: Tx,
  { merchantId, id }: PurchaseId,
  { recipients, phones }: Numbers,
): Promise<void> {
  const isRecipient = 'r.recipient = any($3) or r.msisdn = any($3)';
  await tx.query(
    `update batch_rows r
     set phone = case when r.phone = any($4) then null else r.phone end,
       msisdn = case when ${isRecipient} then ${masked('r.msisdn')} else r.msisdn end,
       recipient = case when ${isRecipient} then ${masked('r.recipient')} else r.recipient end
     from batches b
     where b.merchant_id = $1
     and b.id = $2::uuid
     and (b.state in ('stopped', 'done') or r.line < b.next_line)
     and r.merchant_id = b.merchant_id
     and r.batch_id = b.id
     and (${isOfPerson})
     and ${isUnbought}`,
    [merchantId, id, recipients, phones],
  );
}

export type HeldIdentity = {
  readonly merchantId: number;
  readonly merchant: string;
  readonly environment: Environment;
  readonly sealed: string;
  readonly updatedAt: Date;
  /** Whether a bank request still needs it. */
  readonly isNeeded: boolean;
};

/** Lists all identities of the next merchants after a merchant. */
export async function listIdentities(
  sql: Sql,
  afterMerchant: number,
  limit: number,
): Promise<HeldIdentity[]> {
  return await sql.query<HeldIdentity>(
    `select
       i.merchant_id as "merchantId",
       m.code as merchant,
       i.environment,
       i.sealed,
       i.updated_at as "updatedAt",
       exists (
         select
         from funding_accounts a
         where a.merchant_id = i.merchant_id
         and a.environment = i.environment
         and a.due_at is not null
       ) as "isNeeded"
     from funding_identities i
     join merchants m on m.id = i.merchant_id
     where i.merchant_id in (
       select distinct merchant_id
       from funding_identities
       where merchant_id > $1
       order by merchant_id
       limit $2
     )
     order by i.merchant_id, i.environment`,
    [afterMerchant, limit],
  );
}

export type HeldRecipient = {
  readonly merchantId: number;
  readonly merchant: string;
  readonly id: string;
  readonly name: string;
  readonly product: string;
  readonly network: string;
  readonly number: string;
  readonly createdAt: Date;
};

/** Lists the saved recipients with one of these numbers. */
export async function findSavedRecipients(sql: Sql, numbers: readonly string[]): Promise<HeldRecipient[]> {
  return await sql.query<HeldRecipient>(
    `select
       r.merchant_id as "merchantId", m.code as merchant, r.id, r.name, r.product, r.network, r.number,
       r.created_at as "createdAt"
     from saved_recipients r
     join merchants m on m.id = r.merchant_id
     where r.number = any ($1)
     order by r.merchant_id, r.id`,
    [numbers],
  );
}

export async function deleteSavedRecipient(tx: Tx, { merchantId, id }: PurchaseId): Promise<void> {
  await tx.query(
    `delete from saved_recipients
     where merchant_id = $1
     and id = $2::uuid`,
    [merchantId, id],
  );
}

export type HeldLine = {
  readonly merchant: string;
  readonly environment: Environment;
  readonly clientName: string;
  readonly createdAt: Date;
};

export async function findLines(sql: Sql, phone: string): Promise<HeldLine[]> {
  return await sql.query<HeldLine>(
    `select m.code as merchant, l.environment, l.client_name as "clientName", l.created_at as "createdAt"
     from mtn_lines l
     join merchants m on m.id = l.merchant_id
     where l.phone = $1
     order by m.code, l.environment`,
    [phone],
  );
}

export async function forgetDestination(tx: Tx, { merchantId, id }: PurchaseId): Promise<void> {
  await tx.query(
    `update deliveries
     set destination = '', hint = '', note = null
     where merchant_id = $1
     and purchase_id = $2
     and state in ('sent', 'refused', 'unknown', 'given_up', 'cancelled')`,
    [merchantId, id],
  );
}

export async function deleteIdentity(
  tx: Tx,
  { merchantId, environment }: Pick<HeldIdentity, 'merchantId' | 'environment'>,
): Promise<void> {
  for (const table of ['funding_identities', 'funding_documents']) {
    await tx.query(`delete from ${table} where merchant_id = $1 and environment = $2`, [
      merchantId,
      environment,
    ]);
  }
}
