/**
 * SQL that removes personal data from purchases. References, amounts, states, times, tokens and the
 * first digits of mobile numbers, which ten million numbers share, stay.
 */

import { leastId } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';

/**
 * `customers`: names, addresses and contact phones of customers, and messages of providers.
 * `purchases`: the same, and the recipients.
 */
export const purchaseKinds = ['customers', 'purchases'] as const;
export type PurchaseKind = (typeof purchaseKinds)[number];

export type PurchaseKey = { readonly merchantId: number; readonly purchaseId: string };

/** Returns SQL that masks a number. Only the length stays if it is not a mobile number. */
export function masked(column: string): string {
  return `case
    when ${column} ~ '^(0|\\+?2340?)[0-9]{10}$' then left(${column}, length(${column}) - 7) || '*******'
    else repeat('*', length(${column}))
  end`;
}

/**
 * Returns an SQL condition for a finished purchase. `endedBefore` is three days ago, because
 * successes are rechecked until then and audits use the time of the last change.
 */
const isOver = (merchant: string, purchase: string, endedBefore: string): string => `(
  exists (
    select
    from purchase_outcomes e
    where e.merchant_id = ${merchant}
    and e.purchase_id = ${purchase}
    and e.at < ${endedBefore}::timestamptz
  )
  and not exists (select from pending_fulfilments g where g.merchant_id = ${merchant} and g.purchase_id = ${purchase})
  and not exists (
    select
    from deliveries d
    where d.merchant_id = ${merchant}
    and d.purchase_id = ${purchase}
    and d.state in ('waiting', 'due', 'sending')
  )
  and not exists (
    select
    from alarms a
    where a.merchant_id = ${merchant}
    and a.purchase_id = ${purchase}
    and a.acknowledged_at is null
  )
)`;

/**
 * Anonymises purchases of one merchant. The rows stay in every list and sum. A cell on another
 * server has no differences of reconciliations.
 */
export async function anonymisePurchases(
  tx: Tx,
  kind: PurchaseKind,
  merchantId: number,
  purchaseIds: readonly string[],
  where: 'whole' | 'cell' = 'whole',
): Promise<void> {
  if (purchaseIds.length === 0) return;
  const numbers = kind === 'purchases';
  const mine = [merchantId, purchaseIds];
  // The job that fills `purchase_search` must not copy a number that it read before this change.
  if (numbers) await tx.query("select from settings where name = 'search_progress' for share");
  await tx.query("set local oja.anonymising = 'on'");
  await tx.query(
    `update purchases
     set details = details - 'phone' - 'customer'
       ${numbers ? `, msisdn = ${masked('msisdn')}, recipient = ${masked('recipient')}` : ''}
     where merchant_id = $1
     and environment in ('test', 'live')
     and id = any($2::uuid[])`,
    mine,
  );
  await tx.query(
    `update purchase_outcomes
     set telco_message = null, goods = goods - 'customer_name', answer_message = left(answer_message, 0)
       ${numbers ? `, recipient = ${masked('recipient')}` : ''}
     where merchant_id = $1
     and purchase_id = any($2::uuid[])`,
    mine,
  );
  await tx.query(
    `update further_answers
     set message = ''
     where merchant_id = $1
     and purchase_id = any($2::uuid[])
     and message <> ''`,
    mine,
  );
  await tx.query(
    `update purchase_goods
     set goods = goods - 'customer_name'
     where merchant_id = $1
     and purchase_id = any($2::uuid[])`,
    mine,
  );
  if (where === 'whole') await updateDifferences(tx, kind, merchantId, purchaseIds);
  await tx.query('set local oja.anonymising = off');
  await tx.query(
    `update batch_rows r
     set phone = null ${numbers ? `, msisdn = ${masked('r.msisdn')}, recipient = ${masked('r.recipient')}` : ''}
     from purchases v
     join batches b
       on b.merchant_id = v.merchant_id
       and b.environment = v.environment
       and b.hash = substr(v.reference, 7, 32)
     where v.merchant_id = $1
     and v.environment in ('test', 'live')
     and v.id = any($2::uuid[])
     and v.reference like 'batch-%'
     and r.merchant_id = b.merchant_id
     and r.batch_id = b.id
     and 'batch-' || b.hash || '-' || r.line = v.reference`,
    mine,
  );
  if (numbers) {
    await tx.query(
      `update purchase_search
       set recipient = ${masked('recipient')}
       where merchant_id = $1
       and environment in ('test', 'live')
       and purchase_id = any($2::uuid[])`,
      mine,
    );
  }
}

/** Anonymises the differences of reconciliations about purchases of one merchant. */
export async function anonymiseDifferences(
  tx: Tx,
  kind: PurchaseKind,
  merchantId: number,
  purchaseIds: readonly string[],
): Promise<void> {
  await tx.query("set local oja.anonymising = 'on'");
  await updateDifferences(tx, kind, merchantId, purchaseIds);
  await tx.query('set local oja.anonymising = off');
}

async function updateDifferences(
  tx: Tx,
  kind: PurchaseKind,
  merchantId: number,
  purchaseIds: readonly string[],
): Promise<void> {
  await tx.query(
    `update reconciliation_differences
     set there = '', listed = ${kind === 'purchases' ? "listed - 'recipient'" : 'listed'}
     where merchant_id = $1
     and purchase_id = any($2::uuid[])
     and (there <> '' or listed ? 'recipient')`,
    [merchantId, purchaseIds],
  );
}

/** Returns a merchant with unprocessed purchases below an id, and the last processed one. */
export async function findUnpassed(
  sql: Sql,
  kind: PurchaseKind,
  below: string,
): Promise<PurchaseKey | undefined> {
  const [row] = await sql.query<PurchaseKey>(
    `select
       m.id as "merchantId",
       coalesce(k.purchase_id, $3::uuid) as "purchaseId"
     from merchants m
     left join retention_marks k
       on k.kind = $1
       and k.merchant_id = m.id
     where exists (
       select
       from purchase_outcomes o
       where o.merchant_id = m.id
       and o.purchase_id > coalesce(k.purchase_id, $3::uuid)
       and o.purchase_id < $2::uuid
     )
     order by m.id
     limit 1`,
    [kind, below, leastId],
  );
  return row;
}

/**
 * Processes the next purchases of a merchant. Unfinished ones are noted for later. Returns the
 * finished ones, and the id up to which all were processed.
 */
export async function passBy(
  tx: Tx,
  kind: PurchaseKind,
  after: PurchaseKey,
  {
    below,
    limit,
    endedBefore,
  }: { readonly below: string; readonly limit: number; readonly endedBefore: Date },
): Promise<{ readonly over: readonly string[]; readonly last: string }> {
  const rows = await tx.query<{ purchaseId: string; over: boolean }>(
    `select o.purchase_id as "purchaseId", ${isOver('o.merchant_id', 'o.purchase_id', '$5')} as over
     from (
       select merchant_id, purchase_id
       from purchase_outcomes
       where merchant_id = $1
       and purchase_id > $2::uuid
       and purchase_id < $3::uuid
       order by purchase_id
       limit $4
     ) as o
     order by o.purchase_id`,
    [after.merchantId, after.purchaseId, below, limit, endedBefore],
  );
  const last = rows.at(-1)?.purchaseId ?? after.purchaseId;
  await tx.query(
    `insert into retention_left (kind, merchant_id, purchase_id)
     select $1, $2, id
     from unnest($3::uuid[]) as id
     union
     select $1, merchant_id, purchase_id
     from pending_purchases
     where merchant_id = $2
     and purchase_id > $4::uuid
     and purchase_id <= $5::uuid
     on conflict do nothing`,
    [
      kind,
      after.merchantId,
      rows.filter(({ over }) => !over).map(({ purchaseId }) => purchaseId),
      after.purchaseId,
      last,
    ],
  );
  await tx.query(
    `insert into retention_marks (kind, merchant_id, purchase_id)
     values ($1, $2, $3)
     on conflict (kind, merchant_id) do update
     set purchase_id = excluded.purchase_id`,
    [kind, after.merchantId, last],
  );
  return { over: rows.filter(({ over }) => over).map(({ purchaseId }) => purchaseId), last };
}

/** Removes and returns noted purchases that are finished now. */
export async function takeLeft(
  tx: Tx,
  kind: PurchaseKind,
  { limit, endedBefore }: { readonly limit: number; readonly endedBefore: Date },
): Promise<readonly PurchaseKey[]> {
  return await tx.query<PurchaseKey>(
    `delete from retention_left l
     where (l.kind, l.merchant_id, l.purchase_id) in (
       select k.kind, k.merchant_id, k.purchase_id
       from retention_left k
       where k.kind = $1
       and ${isOver('k.merchant_id', 'k.purchase_id', '$3')}
       limit $2
     )
     returning l.merchant_id as "merchantId", l.purchase_id as "purchaseId"`,
    [kind, limit, endedBefore],
  );
}
