/** SQL of the timeline of a purchase, for support: one purchase at a time. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import type { PurchaseDetails } from '../state/purchase-details.ts';

export type FoundPurchase = {
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly environment: Environment;
  readonly id: string;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly plan_code: string | null;
  readonly msisdn: string;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly details: PurchaseDetails | null;
  readonly mode: string;
  readonly route: string;
  readonly credential_id: string;
  readonly created_at: Date;
};

export type AttemptRow = {
  readonly number: number;
  readonly provider: string;
  readonly reference: string;
  readonly reason: string;
  readonly started_at: Date;
};

export type AnswerRow = {
  readonly attempt: number;
  readonly source: string;
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly provider_id: string | null;
  readonly latency_ms: number | null;
  readonly at: Date;
};

export type OutcomeRow = {
  readonly status: 'success' | 'failed';
  readonly reason: OutcomeReason;
  /** The text of the network or the biller. */
  readonly telco_message: string | null;
  /** The names of the goods, such as `token`. The timeline never has their values. */
  readonly goods: readonly string[];
  readonly provider: string | null;
  readonly cost: bigint | null;
  /** Null for a failed purchase, and when it was never stored. */
  readonly cost_estimated: boolean | null;
  readonly at: Date;
};

/** Goods that were missing after the outcome. */
export type PendingFulfilmentRow = {
  readonly owed_since: Date | null;
  /** When the provider is queried for them next. */
  readonly due_at: Date | null;
  readonly queries: number | null;
  readonly arrived_at: Date | null;
  readonly goods: readonly string[];
};

export type PendingRow = {
  readonly step: 'send' | 'query';
  readonly due_at: Date | null;
  readonly owner: string | null;
  readonly queries: number;
  readonly flagged_at: Date | null;
};

export type PurchaseTransferRow = {
  readonly code: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount: bigint;
  readonly created_at: Date;
};

/** A refund, to the merchant or from the provider. */
export type RefundRow = {
  readonly id: string;
  readonly kind: 'merchant' | 'provider';
  readonly amount: bigint;
  readonly reason: string;
  readonly by: string;
  readonly principal: string;
  readonly at: Date;
};

/** The evidence of our balance about an attempt, in kobo. */
export type BalanceEvidenceRow = {
  readonly attempt: number;
  readonly verdict: 'moved' | 'unmoved' | 'undecided';
  readonly why: string;
  readonly before_amount: bigint | null;
  readonly before_at: Date | null;
  readonly after_amount: bigint | null;
  readonly after_at: Date | null;
  /** The amounts that other purchases and movements explain. */
  readonly others: bigint | null;
  readonly cost: bigint | null;
  readonly beside: number | null;
  readonly at: Date;
};

export type PurchaseAlarmRow = {
  readonly id: bigint;
  readonly kind: string;
  readonly message: string;
  readonly at: Date;
  readonly acknowledged_at: Date | null;
};

/**
 * Finds purchases by the merchant's reference or by our id, of all or of some merchants and
 * environments. The keys of purchases begin with the merchant, so each merchant is looked up in the
 * index. The cost grows with the number of merchants, not of purchases.
 */
export async function findPurchasesAnywhere(
  sql: Sql,
  wanted: {
    readonly reference: string;
    /** The same text if it is a UUID. */
    readonly id: string | undefined;
    readonly merchantCode: string | undefined;
    readonly environment: Environment | undefined;
  },
): Promise<FoundPurchase[]> {
  return await sql.query<FoundPurchase>(
    `select
       v.merchant_id,
       m.code as merchant_code,
       v.environment,
       v.id,
       v.reference,
       v.product,
       v.network,
       v.plan_code,
       v.msisdn,
       v.face_value,
       v.charge,
       v.details,
       v.mode,
       v.route,
       coalesce(
         (
           select c.key_id
           from credentials c
           where c.merchant_id = v.merchant_id
           and c.id = v.credential_id
         ),
         'restore'
       ) as credential_id,
       v.created_at
     from merchants m
     cross join (values ('live'), ('test')) as e(environment)
     cross join lateral (
       (
         select *
         from purchases
         where merchant_id = m.id
         and environment = e.environment
         and reference = $1
         limit 1
       )
       union
       (
         select *
         from purchases
         where merchant_id = m.id
         and environment = e.environment
         and id = $2::uuid
         limit 1
       )
     ) v
     where ($3::text is null or lower(m.code) = lower($3))
     and ($4::text is null or e.environment = $4)
     order by v.created_at
     limit 20`,
    [wanted.reference, wanted.id ?? null, wanted.merchantCode ?? null, wanted.environment ?? null],
  );
}

type PurchaseKey = { readonly merchant_id: number; readonly id: string };

export async function listAttempts(sql: Sql, purchase: PurchaseKey): Promise<AttemptRow[]> {
  return await sql.query<AttemptRow>(
    `select number, provider, reference, reason, started_at
     from attempts
     where merchant_id = (select $1::integer)
     and purchase_id = $2
     order by number`,
    [purchase.merchant_id, purchase.id],
  );
}

export async function listAnswers(sql: Sql, purchase: PurchaseKey): Promise<AnswerRow[]> {
  return await sql.query<AnswerRow>(
    `select attempt, source, kind, code, message, provider_id, latency_ms, at
     from provider_answers
     where merchant_id = $1
     and purchase_id = $2
     order by at`,
    [purchase.merchant_id, purchase.id],
  );
}

export async function findOutcome(sql: Sql, purchase: PurchaseKey): Promise<OutcomeRow | undefined> {
  const [row] = await sql.query<OutcomeRow>(
    `select
       status,
       reason,
       telco_message,
       array(select jsonb_object_keys(goods) order by 1) as goods,
       provider,
       cost,
       cost_estimated,
       at
     from purchase_outcomes
     where merchant_id = $1
     and purchase_id = $2`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}

/** Undefined if no goods came late. */
export async function findPendingFulfilment(
  sql: Sql,
  purchase: PurchaseKey,
): Promise<PendingFulfilmentRow | undefined> {
  const [row] = await sql.query<PendingFulfilmentRow>(
    `select
       l.created_at as owed_since,
       l.due_at,
       l.tries as queries,
       g.at as arrived_at,
       array(select jsonb_object_keys(g.goods) order by 1) as goods
     from (
       select *
       from pending_fulfilments
       where merchant_id = $1
       and purchase_id = $2
     ) l
     full join (
       select *
       from purchase_goods
       where merchant_id = $1
       and purchase_id = $2
     ) g on true`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}

export async function findPending(sql: Sql, purchase: PurchaseKey): Promise<PendingRow | undefined> {
  const [row] = await sql.query<PendingRow>(
    `select step, due_at, owner, greatest(queries, 0) as queries, flagged_at
     from pending_purchases
     where merchant_id = $1
     and purchase_id = $2`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}

export async function listPurchaseTransfers(sql: Sql, purchase: PurchaseKey): Promise<PurchaseTransferRow[]> {
  return await sql.query<PurchaseTransferRow>(
    `select t.code, d.code as debit, c.code as credit, t.amount, t.created_at
     from transfers t
     join accounts d on d.id = t.debit_account_id
     join accounts c on c.id = t.credit_account_id
     where t.merchant_id = $1
     and t.subject_id in (
       select $2::uuid
       union all
       select s.subject_id
       from voucher_redemptions r
       cross join lateral (values (r.redeem_id), (r.settle_id)) as s(subject_id)
       where r.merchant_id = $1
       and r.purchase_id = $2
       union all
       select refund_id
       from purchase_refunds
       where merchant_id = $1
       and purchase_id = $2
     )
     order by t.id`,
    [purchase.merchant_id, purchase.id],
  );
}

export async function listRefunds(sql: Sql, purchase: PurchaseKey): Promise<RefundRow[]> {
  return await sql.query<RefundRow>(
    `select refund_id as id, kind, amount, reason, refunded_by as by, refunded_principal as principal, at
     from purchase_refunds
     where merchant_id = $1
     and purchase_id = $2
     order by refund_id`,
    [purchase.merchant_id, purchase.id],
  );
}

export async function listBalanceEvidence(sql: Sql, purchase: PurchaseKey): Promise<BalanceEvidenceRow[]> {
  return await sql.query<BalanceEvidenceRow>(
    `select
       attempt, verdict, why, before_amount, before_at, after_amount, after_at, others, cost, beside, at
     from balance_evidence
     where merchant_id = $1
     and purchase_id = $2
     order by attempt`,
    [purchase.merchant_id, purchase.id],
  );
}

export async function listPurchaseAlarms(sql: Sql, purchase: PurchaseKey): Promise<PurchaseAlarmRow[]> {
  return await sql.query<PurchaseAlarmRow>(
    `select id, kind, message, at, acknowledged_at
     from alarms
     where merchant_id = $1
     and purchase_id = $2
     order by id`,
    [purchase.merchant_id, purchase.id],
  );
}
