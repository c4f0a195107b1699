/**
 * SQL of unresolved purchases: the state of one, which processes can query it, and the answers
 * about it.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

export type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};

export type Standing = {
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  readonly step: 'send' | 'query' | null;
  /** When it is queried next. */
  readonly due_at: Date | null;
  /** The provider of the current attempt. Null if none was made. */
  readonly provider: string | null;
};

export async function findStanding(sql: Sql, purchase: PurchaseKey): Promise<Standing | undefined> {
  const [row] = await sql.query<Standing>(
    `select o.status, p.step, p.due_at, a.provider
     from purchases v
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     left join pending_purchases p
       on p.merchant_id = v.merchant_id
       and p.purchase_id = v.id
     left join attempts a
       on a.merchant_id = v.merchant_id
       and a.purchase_id = v.id
       and a.number = p.attempts
     where v.merchant_id = (select $1::integer)
     and v.environment = $2
     and v.id = $3`,
    [purchase.merchantId, purchase.environment, purchase.purchaseId],
  );
  return row;
}

/** Whether a live process queries purchases of the provider. */
export async function isAskedByGateway(sql: Sql, provider: string, deadAfterMs: number): Promise<boolean> {
  const rows = await sql.query(
    `select
     from gateways
     where role in ('worker', 'all')
     and (providers = '{}' or $1 = any(providers))
     and seen_at between now() - $2 * interval '1 millisecond' and now() + $2 * interval '1 millisecond'
     limit 1`,
    [provider, deadAfterMs],
  );
  return rows.length > 0;
}

/**
 * Makes it due at once, unless a process has claimed it. A wait that ends early does not count as a
 * wait.
 */
export async function makePurchaseDue(sql: Sql, { merchantId, purchaseId }: PurchaseKey): Promise<void> {
  await sql.query(
    `update pending_purchases
     set due_at = now(), queries = queries - 1
     where merchant_id = $1
     and purchase_id = $2
     and owner is null
     and due_at > now()`,
    [merchantId, purchaseId],
  );
}

export type SaidAnswer = {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly provider: string | null;
  readonly at: Date;
};

/** The number of answers, for `findAnswerAfter`. */
export async function countAnswers(sql: Sql, { merchantId, purchaseId }: PurchaseKey): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from provider_answers
     where merchant_id = $1
     and purchase_id = $2`,
    [merchantId, purchaseId],
  );
  return row?.count ?? 0;
}

/** Returns the newest answer if there are more than `count`. */
export async function findAnswerAfter(
  sql: Sql,
  { merchantId, purchaseId }: PurchaseKey,
  count: number,
): Promise<SaidAnswer | undefined> {
  const [row] = await sql.query<SaidAnswer>(
    `select s.kind, s.code, s.message, a.provider, s.at
     from provider_answers s
     left join attempts a
       on a.merchant_id = s.merchant_id
       and a.purchase_id = s.purchase_id
       and a.number = s.attempt
     where s.merchant_id = (select $1::integer)
     and s.purchase_id = $2
     order by s.at desc
     limit greatest(
       (
         select count(*) - $3
         from provider_answers
         where merchant_id = $1
         and purchase_id = $2
       ),
       0
     )`,
    [merchantId, purchaseId, count],
  );
  return row;
}

/** The reports of providers about a purchase, however they came. */
export type ProvidersWord = {
  /** A provider reported a delivery, of any attempt. */
  readonly delivered: string | null;
  /** The last definite answer to the current attempt that is not a success. */
  readonly refused: 'failed' | 'not_found' | null;
};

export async function readProvidersWord(
  sql: Sql,
  { merchantId, purchaseId }: PurchaseKey,
  attempt: number | null,
): Promise<ProvidersWord> {
  const [row] = await sql.query<ProvidersWord>(
    `select
       (
         select a.provider
         from provider_answers s
         join attempts a
           on a.merchant_id = s.merchant_id
           and a.purchase_id = s.purchase_id
           and a.number = s.attempt
         where s.merchant_id = (select $1::integer)
         and s.purchase_id = $2
         and s.kind = 'success'
         and s.source <> 'operator'
         limit 1
       ) as delivered,
       (
         select s.kind
         from provider_answers s
         where s.merchant_id = (select $1::integer)
         and s.purchase_id = $2
         and s.attempt = $3
         and s.kind in ('failed', 'not_found')
         and s.source <> 'operator'
         order by s.at desc
         limit 1
       ) as refused`,
    [merchantId, purchaseId, attempt],
  );
  return row ?? { delivered: null, refused: null };
}

/**
 * Clears the reports of providers before a purchase is failed against them. The answers themselves
 * stay.
 */
export async function overrideEvidence(sql: Sql, { merchantId, purchaseId }: PurchaseKey): Promise<void> {
  await sql.query(
    `update pending_purchases
     set delivered_attempt = null, acknowledged = false, contradicted_at = null
     where merchant_id = $1
     and purchase_id = $2`,
    [merchantId, purchaseId],
  );
}
