/**
 * SQL of our side: the purchases of reported orders, and the orders that were not reported. Read in
 * slices by key and by short spans of time, so that no snapshot is held for long.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { PurchaseDetails } from '../../purchases/state/purchase-details.ts';
import type { ListedItem } from './finding.ts';

/** An order as the provider reported it, with its purchase if it is ours. */
export type ComparedOrder = ReportedOrder & OurOrder;

type ReportedOrder = {
  readonly id: bigint;
  readonly reference: string;
  /** Deliveries less reversals. More than one means that it was delivered again. */
  readonly deliveries: number;
  readonly reversed: boolean;
  readonly pending: boolean;
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  readonly provider_id: string | null;
  readonly reported_product: string | null;
  readonly reported_network: string | null;
  readonly reported_recipient: string | null;
  readonly reported_item: ListedItem | null;
  readonly reported_amount: bigint | null;
  readonly amount_currency: string | null;
  readonly reported_cost: bigint | null;
  readonly all_costs: bigint | null;
  readonly currency: string;
};

type OurOrder = {
  /** Null if the reference is not ours at this provider. */
  readonly merchant_id: number | null;
  readonly merchant_code: string | null;
  readonly purchase_id: string | null;
  readonly purchase: string | null;
  readonly started_at: Date | null;
  readonly product: string | null;
  readonly has_plan: boolean | null;
  readonly recipient: string | null;
  readonly face_value: bigint | null;
  readonly item: PurchaseDetails['item'] | null;
  /** Null while pending. */
  readonly status: 'success' | 'failed' | null;
  readonly reason: string | null;
  /** The provider of a later attempt of the purchase. */
  readonly later_provider: string | null;
  readonly cost: bigint | null;
  readonly cost_estimated: boolean | null;
  /** The amount that the ledger moved to the float for the order. */
  readonly moved: bigint;
  readonly refunded: bigint;
  /** The booked charges of the provider for this order. */
  readonly charged: bigint;
};

const ours = (attempt: string): string => `
  left join lateral (
    select x.id, x.reference, x.product, x.plan_code, x.recipient, x.face_value, x.details
    from purchases x
    where x.merchant_id = ${attempt}.merchant_id
    and x.environment = $2
    and x.id = ${attempt}.purchase_id
    offset 0
  ) v on true
  left join merchants m on m.id = ${attempt}.merchant_id
  left join purchase_outcomes o
    on o.merchant_id = ${attempt}.merchant_id
    and o.purchase_id = ${attempt}.purchase_id
  left join lateral (
    select x.provider
    from attempts x
    where x.merchant_id = ${attempt}.merchant_id
    and x.purchase_id = ${attempt}.purchase_id
    and x.number > ${attempt}.number
    order by x.number desc
    limit 1
    offset 0
  ) later on true
  left join lateral (
    select sum(r.amount)::bigint as amount
    from purchase_refunds r
    where r.merchant_id = ${attempt}.merchant_id
    and r.purchase_id = ${attempt}.purchase_id
    and r.kind = 'provider'
    offset 0
  ) refunds on true
  left join lateral (
    select sum(x.amount)::bigint as amount
    from transfers x
    where x.merchant_id = ${attempt}.merchant_id
    and x.subject_id = ${attempt}.purchase_id
    and x.code in ('purchase_cost', 'purchase_loss')
    offset 0
  ) ledger on true`;

const ourColumns = (attempt: string): string => `
  ${attempt}.merchant_id,
  m.code as merchant_code,
  ${attempt}.purchase_id,
  v.reference as purchase,
  ${attempt}.started_at,
  v.product,
  v.plan_code is not null as has_plan,
  v.recipient,
  v.face_value,
  v.details -> 'item' as item,
  o.status,
  o.reason,
  later.provider as later_provider,
  o.cost,
  o.cost_estimated,
  coalesce(ledger.amount, 0) as moved,
  coalesce(refunds.amount, 0) as refunded`;

/** Makes the planner use indexes, because it has no statistics of temporary tables. */
export async function preferIndexes(sql: Sql): Promise<void> {
  await sql.query('set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off');
}

export async function listReportedOrders(
  sql: Sql,
  { provider, environment }: { readonly provider: string; readonly environment: Environment },
  after: bigint,
  limit: number,
): Promise<ComparedOrder[]> {
  return await sql.query<ComparedOrder>(
    `select
       t.id,
       t.reference,
       t.deliveries,
       t.reversed,
       t.pending,
       t.n,
       t.at,
       t.words,
       t.provider_id,
       t.product as reported_product,
       t.network as reported_network,
       t.recipient as reported_recipient,
       t.item as reported_item,
       t.amount as reported_amount,
       t.amount_currency,
       t.cost as reported_cost,
       t.all_costs,
       t.currency,
       ${ourColumns('a')},
       coalesce(charges.amount, 0) as charged
     from (
       select *
       from reported_orders
       where id > $3
       order by id
       limit $4
     ) t
     left join lateral (
       select x.merchant_id, x.purchase_id, x.number, x.started_at
       from attempts x
       where x.reference = t.reference
       and x.provider = $1
       order by x.started_at
       limit 1
       offset 0
     ) a on true
     ${ours('a')}
     left join lateral (
       select sum(f.amount)::bigint as amount
       from float_movements f
       where f.provider = $1
       and f.environment = $2
       and f.reference = any(array['order:' || t.reference, 'order:' || t.reference || ':more'])
       and f.kind = 'charge'
       offset 0
     ) charges on true
     order by t.id`,
    [provider, environment, after, limit],
  );
}

export type UnreportedOrder = OurOrder & { readonly reference: string; readonly provider_id: null };

/**
 * Lists orders that were sent in a span of time, are delivered or pending, and were not reported.
 * Orders of a purchase that was sent elsewhere afterwards are skipped.
 */
export async function listUnreportedOrders(
  sql: Sql,
  { provider, environment }: { readonly provider: string; readonly environment: Environment },
  from: Date,
  to: Date,
): Promise<UnreportedOrder[]> {
  return await sql.query<UnreportedOrder>(
    `select
       a.reference,
       null as provider_id,
       ${ourColumns('a')},
       0::bigint as charged
     from (
       -- The attempts first, by their time: without statistics the planner begins with purchases.
       select x.merchant_id, x.purchase_id, x.number, x.reference, x.started_at
       from attempts x
       where x.started_at >= $3
       and x.started_at < $4
       and x.provider = $1
       offset 0
     ) a
     ${ours('a')}
     where v.id is not null
     and o.status is distinct from 'failed'
     and later.provider is null
     and not exists (
       select 1
       from reported_orders t
       where t.reference = a.reference
     )
     order by a.started_at, a.reference`,
    [provider, environment, from, to],
  );
}

export type PendingAtProvider = {
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly purchase_id: string;
  readonly purchase: string;
  readonly reference: string;
  readonly started_at: Date;
  readonly charge: bigint;
  readonly delivered: boolean;
};

/** Lists pending purchases that were sent to a provider, oldest first. */
export async function listPendingAt(
  sql: Sql,
  { provider, environment }: { readonly provider: string; readonly environment: Environment },
  limit: number,
): Promise<PendingAtProvider[]> {
  return await sql.query<PendingAtProvider>(
    `select
       p.merchant_id,
       m.code as merchant_code,
       p.purchase_id,
       v.reference as purchase,
       a.reference,
       a.started_at,
       p.charge,
       coalesce(p.delivers, false) as delivered
     from pending_purchases p
     join merchants m on m.id = p.merchant_id
     join lateral (
       select x.reference
       from purchases x
       where x.merchant_id = p.merchant_id
       and x.environment = p.environment
       and x.id = p.purchase_id
       offset 0
     ) v on true
     join lateral (
       select x.reference, x.provider, x.started_at
       from attempts x
       where x.merchant_id = p.merchant_id
       and x.purchase_id = p.purchase_id
       order by x.number desc
       limit 1
       offset 0
     ) a on true
     where p.step = 'query'
     and p.environment = $2
     and a.provider = $1
     order by a.started_at
     limit $3`,
    [provider, environment, limit],
  );
}
