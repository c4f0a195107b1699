/**
 * The SQL that finds single purchases. The cost of each statement does not grow with history.
 * Merchants are compared through a subquery, `(select $1::integer)`. Otherwise the planner assumes
 * that a merchant who came after the last analysis has almost no rows. Every index then looks
 * equally good, and it may choose one that reads all of the merchant's purchases. It treats a value
 * that it cannot see as a typical one.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { Goods } from '../../providers/provider.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import { readOverCap } from '../state/outcome-reason.ts';
import type { Purchase, PurchaseStatus } from '../state/purchase.ts';

export type PurchaseRow = {
  id: string;
  merchant_id: number;
  merchant_name: string;
  environment: Environment;
  reference: string;
  product: string;
  network: string;
  plan_code: string | null;
  msisdn: string;
  face_value: bigint;
  charge: bigint;
  title: string | null;
  sent_plan: string | null;
  quantity: number | null;
  created_at: Date;
  status: PurchaseStatus | null;
  reason: OutcomeReason | null;
  telco_message: string | null;
  goods: Goods | null;
  pending_fulfilments: Goods | null;
  final_at: Date | null;
  refunded: bigint | null;
};

export const purchaseColumns = `
    v.id, v.merchant_id, m.name as merchant_name, v.environment, v.reference, v.product, v.network, v.plan_code, v.msisdn, v.face_value,
    v.charge, v.details->>'title' as title, v.details->>'sentPlan' as sent_plan, (v.details->'item'->>'quantity')::integer as quantity, v.created_at, o.status, o.reason, o.telco_message, o.goods, g.goods as pending_fulfilments,
    coalesce(g.at, o.at) as final_at,
    case
      when o.status = 'success' then (
        select sum(r.amount)::bigint
        from purchase_refunds r
        where r.merchant_id = v.merchant_id
        and r.purchase_id = v.id
        and r.kind = 'merchant'
      )
    end as refunded`;

const joins = `
  join merchants m on m.id = v.merchant_id
  left join purchase_outcomes o
    on o.merchant_id = v.merchant_id
    and o.purchase_id = v.id
  left join purchase_goods g
    on g.merchant_id = v.merchant_id
    and g.purchase_id = v.id`;

export type PurchaseOwner = { readonly merchantId: number; readonly environment: Environment };

export async function findPurchaseByReference(
  sql: Sql,
  owner: PurchaseOwner,
  reference: string,
): Promise<Purchase | undefined> {
  const rows = await sql.query<PurchaseRow>(
    {
      name: 'find_purchase_by_reference',
      text: `
        select ${purchaseColumns}
        from purchases v ${joins}
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.reference = $3`,
    },
    [owner.merchantId, owner.environment, reference],
  );
  return rows[0] && toPurchase(rows[0]);
}

export async function findPurchaseById(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  id: string,
): Promise<Purchase | undefined> {
  const rows = await sql.query<PurchaseRow>(
    {
      name: 'find_purchase_by_id',
      text: `
        select ${purchaseColumns}
        from purchases v ${joins}
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3`,
    },
    [merchantId, environment, id],
  );
  return rows[0] && toPurchase(rows[0]);
}

/**
 * Finds a few purchases of one merchant, in no particular order. Purchases that do not exist are
 * left out.
 */
export async function findPurchasesByIds(
  sql: Sql,
  owner: PurchaseOwner,
  ids: readonly string[],
): Promise<Purchase[]> {
  const rows = await sql.query<PurchaseRow>(
    {
      name: 'find_purchases_by_ids',
      text: `
        select shown.*
        from unnest($3::uuid[]) as wanted(id)
        cross join lateral (
          select ${purchaseColumns}
          from purchases v ${joins}
          where v.merchant_id = (select $1::integer)
          and v.environment = (select $2::text)
          and v.id = wanted.id
          -- Each by its key, however many the planner expects.
          limit 1
        ) as shown`,
    },
    [owner.merchantId, owner.environment, ids],
  );
  return rows.map(toPurchase);
}

export type ReferenceKey = PurchaseOwner & { readonly reference: string };

/** The purchase that used a reference first. */
export type FirstUse = { readonly id: string; readonly status: PurchaseStatus };

/** For each reference in order. Undefined if it is free. */
export async function findFirstUses(
  sql: Sql,
  keys: readonly ReferenceKey[],
): Promise<(FirstUse | undefined)[]> {
  const rows = await sql.query<FirstUse & { ordinal: bigint }>(
    {
      name: 'find_first_uses',
      text: `
        select k.ordinal, v.id, coalesce(o.status, 'pending') as status
        from unnest($1::integer[], $2::text[], $3::text[]) with ordinality as k(merchant_id, environment, reference, ordinal)
        join purchases v
          on v.merchant_id = k.merchant_id
          and v.environment = k.environment
          and v.reference = k.reference
        left join purchase_outcomes o
          on o.merchant_id = v.merchant_id
          and o.purchase_id = v.id`,
    },
    [keys.map((key) => key.merchantId), keys.map((key) => key.environment), keys.map((key) => key.reference)],
  );
  const uses: (FirstUse | undefined)[] = keys.map(() => undefined);
  for (const { ordinal, id, status } of rows) uses[Number(ordinal) - 1] = { id, status };
  return uses;
}

/** Which of the given purchases are final. */
export async function findFinalPurchases(
  sql: Sql,
  purchases: readonly { readonly merchantId: number; readonly purchaseId: string }[],
): Promise<string[]> {
  const rows = await sql.query<{ purchase_id: string }>(
    {
      name: 'find_final_purchases',
      text: `
        select o.purchase_id
        from unnest($1::integer[], $2::uuid[]) as w(merchant_id, purchase_id)
        join purchase_outcomes o
          on o.merchant_id = w.merchant_id
          and o.purchase_id = w.purchase_id`,
    },
    [purchases.map((purchase) => purchase.merchantId), purchases.map((purchase) => purchase.purchaseId)],
  );
  return rows.map((row) => row.purchase_id);
}

export function toPurchase(row: PurchaseRow): Purchase {
  const overCap = readOverCap(row.goods);
  return {
    id: row.id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    environment: row.environment,
    reference: row.reference,
    product: row.product,
    network: row.network,
    planCode: row.plan_code ?? undefined,
    sentPlan: row.sent_plan ?? undefined,
    msisdn: row.msisdn,
    faceValue: row.face_value,
    charge: row.charge,
    status: row.status ?? 'pending',
    reason: row.reason ?? undefined,
    telcoMessage: row.telco_message ?? undefined,
    goods: overCap === undefined ? { ...row.goods, ...row.pending_fulfilments } : {},
    overCap,
    title: row.title ?? undefined,
    quantity: row.quantity ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.final_at ?? row.created_at,
    refunded: row.refunded ?? undefined,
  };
}
