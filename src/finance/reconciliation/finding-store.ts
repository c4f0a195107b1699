/** SQL of findings: orders that providers list and that are unknown here. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { FindingVerdict, ListedOrder, OpenReason } from './finding.ts';

/** An order at a provider, by our reference there. */
export type OrderName = { readonly provider: string; readonly reference: string };

export type Finding = OrderName & { readonly at: Date; readonly listed: ListedOrder };

/** Finds the references that were settled before. A failed order may be listed for ever. */
export async function findSettled(
  sql: Sql,
  provider: string,
  references: readonly string[],
): Promise<ReadonlyMap<string, FindingVerdict>> {
  const rows = await sql.query<{ reference: string; verdict: FindingVerdict }>(
    `select d.reference, d.verdict
     from reconciliation_differences d
     join reconciliation_runs r on r.id = d.run_id
     where d.reference = any($2::text[])
     and d.verdict in ('entered', 'attempt', 'dismissed')
     and r.party = $1`,
    [provider, references],
  );
  return new Map(rows.map((row) => [row.reference, row.verdict]));
}

/** Lists open findings of the runs since a moment, or of one order. */
export async function listOpenFindings(
  sql: Sql,
  of: { readonly since: Date } | OrderName,
): Promise<readonly Finding[]> {
  const [since, provider, reference] =
    'since' in of ? [of.since, null, null] : [null, of.provider, of.reference];
  return await sql.query<Finding>(
    `select r.party as provider, d.reference, d.at, d.listed
     from reconciliation_differences d
     join reconciliation_runs r on r.id = d.run_id
     where d.verdict = 'open'
     and ($1::timestamptz is null or r.at >= $1)
     and ($2::text is null or (r.party, d.reference) = ($2, $3))
     order by d.at`,
    [since, provider, reference],
  );
}

export async function countOpenFindings(sql: Sql, since: Date): Promise<number> {
  const [row] = await sql.query<{ count: bigint }>(
    `select count(distinct (r.party, d.reference)) as count
     from reconciliation_differences d
     join reconciliation_runs r on r.id = d.run_id
     where d.verdict = 'open'
     and r.at >= $1`,
    [since],
  );
  return Number(row?.count ?? 0n);
}

const named = `
  exists (
    select
    from reconciliation_runs r
    where r.id = d.run_id
    and r.party = $1
  )
  and d.reference = $2
  and d.verdict = 'open'`;

/**
 * Locks a finding. `gone`: it was settled meanwhile; `known`: its attempt was stored meanwhile.
 * Findings are locked before the wallet.
 */
export async function lockFinding(
  tx: Tx,
  { provider, reference }: OrderName,
): Promise<'open' | 'gone' | 'known'> {
  const rows = await tx.query<{ is_known: boolean }>(
    `select exists (
       select
       from attempts
       where reference = $2
       and provider = $1
     ) as is_known
     from reconciliation_differences d
     where ${named}
     order by d.run_id
     for update`,
    [provider, reference],
  );
  if (rows.length === 0) return 'gone';
  return rows.some(({ is_known: isKnown }) => isKnown) ? 'known' : 'open';
}

export type FindingChange = {
  readonly verdict: FindingVerdict;
  readonly reason?: OpenReason | undefined;
  readonly merchantId?: number | undefined;
  readonly purchaseId?: string | undefined;
};

export async function updateFinding(
  tx: Tx,
  { provider, reference }: OrderName,
  { verdict, reason, merchantId, purchaseId }: FindingChange,
): Promise<void> {
  await tx.query(
    `update reconciliation_differences d
     set verdict = $3, reason = $4, merchant_id = coalesce($5, merchant_id), purchase_id = coalesce($6, purchase_id)
     where ${named}`,
    [provider, reference, verdict, reason ?? null, merchantId ?? null, purchaseId ?? null],
  );
}

/** Lists pending live purchases of merchants. */
export async function listPendingPurchases(
  sql: Sql,
  merchantIds: readonly number[],
): Promise<readonly { readonly merchant_id: number; readonly id: string; readonly reference: string }[]> {
  return await sql.query(
    `select p.merchant_id, p.purchase_id as id, v.reference
     from pending_purchases p
     cross join lateral (
       select reference
       from purchases
       where merchant_id = p.merchant_id
       and environment = p.environment
       and id = p.purchase_id
     ) as v
     where p.environment = 'live'
     and p.merchant_id = any($1::integer[])`,
    [merchantIds],
  );
}

/** Lists a merchant's live purchases by id, which increases with time. */
export async function listPurchasesSince(
  sql: Sql,
  merchantId: number,
  afterId: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly reference: string }[]> {
  return await sql.query(
    `select id, reference
     from purchases
     where merchant_id = (select $1::integer)
     and environment = 'live'
     and id > $2
     order by id
     limit $3`,
    [merchantId, afterId, limit],
  );
}

export type EnteringMerchantRow = {
  readonly id: number;
  readonly code: string;
  readonly price_list: string | null;
  readonly wallet_id: bigint | null;
};

/** Finds a merchant with its live naira wallet. */
export async function findEnteringMerchant(
  sql: Sql,
  merchant: { readonly id: number } | { readonly code: string },
): Promise<EnteringMerchantRow | undefined> {
  const [row] = await sql.query<EnteringMerchantRow>(
    `select m.id, m.code, m.price_list, (
       select account_id
       from wallet_owners
       where merchant_id = m.id
       and environment = 'live'
       and currency = 'NGN'
     ) as wallet_id
     from merchants m
     where m.id = $1
     or m.code = $2`,
    ['id' in merchant ? merchant.id : null, 'code' in merchant ? merchant.code : null],
  );
  return row;
}

/** Finds the network of the merchant's last live purchase of the product for the recipient. */
export async function findLastNetwork(
  sql: Sql,
  of: { readonly merchantId: number; readonly product: string; readonly recipient: string },
): Promise<string | undefined> {
  const [row] = await sql.query<{ network: string }>(
    `select network
     from (
       select id, network, product
       from purchases
       where merchant_id = $1
       and environment = 'live'
       and recipient = $2
       order by id desc
       limit 100
     ) as v
     where product = $3
     order by id desc
     limit 1`,
    [of.merchantId, of.recipient, of.product],
  );
  return row?.network;
}

/** Inserts found orders as further attempts of a purchase, and returns the number of the last. */
export async function insertFoundAttempts(
  tx: Tx,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
  attempts: readonly { readonly provider: string; readonly reference: string; readonly isOver: boolean }[],
): Promise<number> {
  const [row] = await tx.query<{ last: number }>(
    `with last as (
       select coalesce(max(number), 0)::smallint as number
       from attempts
       where merchant_id = (select $1::integer)
       and purchase_id = $2
     ),
     stored as (
       insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       select $1, $2, last.number + f.place, f.provider, f.reference, 'found in the list of the provider after a restore'
       from unnest($3::text[], $4::text[]) with ordinality as f(provider, reference, place)
       cross join last
       returning number
     ),
     -- An order that is listed as failed has that answer.
     answered as (
       insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
       select $1, $2, last.number + f.place, 'gateway', 'failed', 'listed', 'listed as failed after a restore'
       from unnest($5::boolean[]) with ordinality as f(is_over, place)
       cross join last
       where f.is_over
     )
     select max(number)::integer as last from stored`,
    [
      purchase.merchantId,
      purchase.purchaseId,
      attempts.map(({ provider }) => provider),
      attempts.map(({ reference }) => reference),
      attempts.map(({ isOver }) => isOver),
    ],
  );
  return row?.last ?? 0;
}

/**
 * Makes an attempt the current one, whose provider is queried. False if the purchase is no longer
 * pending.
 */
export async function makeAttemptCurrent(
  tx: Tx,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
  attempt: { readonly number: number; readonly provider: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update pending_purchases
     set
       attempts = $3, provider = $4, step = 'query', due_at = now(), owner = null, queries = 0,
       not_found = 0, acknowledged = false
     where merchant_id = $1
     and purchase_id = $2
     returning purchase_id`,
    [purchase.merchantId, purchase.purchaseId, attempt.number, attempt.provider],
  );
  return rows.length > 0;
}

export type KnownPurchase = {
  readonly environment: Environment;
  readonly reference: string;
  /** Null while pending. */
  readonly status: 'success' | 'failed' | null;
  /** The purchase was entered from a finding, or attempts of it were recorded before. */
  readonly is_entered: boolean;
};

export async function findKnownPurchase(
  tx: Tx,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
): Promise<KnownPurchase | undefined> {
  const [row] = await tx.query<KnownPurchase>(
    `select v.environment, v.reference, o.status, exists (
       select
       from reconciliation_differences d
       where d.merchant_id = v.merchant_id
       and d.purchase_id = v.id
       and d.verdict in ('entered', 'attempt')
     ) as is_entered
     from purchases v
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     where v.merchant_id = $1
     and v.environment = 'live'
     and v.id = $2`,
    [purchase.merchantId, purchase.purchaseId],
  );
  return row;
}
