/** The SQL of what providers listed that is not known here, and of what is. */
import type { Sql, Tx } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { leastId } from '../kernel/ids.ts';

/** Of the references, those that are known here as attempts at the provider. */
export async function findKnownReferences(
  sql: Sql,
  provider: string,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ reference: string }>(
    `select a.reference
     from unnest($2::text[]) as w(reference)
     cross join lateral (
       select reference
       from attempts
       where reference = w.reference
       and provider = $1
       limit 1
     ) as a`,
    [provider, references],
  );
  return new Set(rows.map((row) => row.reference));
}

export type PendingPurchase = {
  readonly merchant_id: number;
  readonly vend_id: string;
  readonly reference: string;
};

/** Live purchases that are not final, in slices by their key. */
export async function listPendingPurchases(
  sql: Sql,
  after: PendingPurchase | undefined,
  limit: number,
): Promise<readonly PendingPurchase[]> {
  return await sql.query<PendingPurchase>(
    `select p.merchant_id, p.vend_id, v.reference
     from pending_vends p
     cross join lateral (
       select reference
       from vends
       where merchant_id = p.merchant_id
       and environment = p.environment
       and id = p.vend_id
     ) as v
     where p.environment = 'live'
     and (p.merchant_id, p.vend_id) > ($1, $2::uuid)
     order by p.merchant_id, p.vend_id
     limit $3`,
    [after?.merchant_id ?? -1, after?.vend_id ?? leastId, limit],
  );
}

/**
 * Those of whom live purchases are, or were, bought: by routes, by what is pending, by the books.
 */
export async function listNeededProviders(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ provider: string }>(
    `select provider
     from routes
     where environment = 'live'
     union
     select a.provider
     from pending_vends p
     join attempts a
       on a.merchant_id = p.merchant_id
       and a.vend_id = p.vend_id
     where p.environment = 'live'
     union
     select provider
     from reconciled_providers
     where fence_id = (
       select id
       from restore_fences
       where lifted_at is null
     )
     order by provider`,
  );
  return rows.map((row) => row.provider);
}

export type FoundVerdict = 'entered' | 'attempt' | 'left' | 'dismissed';

export type FoundOrderRow = {
  readonly provider: string;
  readonly reference: string;
  readonly verdict: FoundVerdict;
  readonly reason: string;
  readonly merchant_id: number | null;
  readonly vend_id: string | null;
  readonly listed: Readonly<Record<string, unknown>>;
};

/**
 * What a run finds of an order takes the place of what the run before found, but for what is done.
 */
export async function upsertFoundOrder(tx: Tx, fenceId: string, order: FoundOrderRow): Promise<void> {
  await tx.query(
    `insert into found_orders (fence_id, provider, reference, verdict, reason, merchant_id, vend_id, listed)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (provider, reference) do update
     set
       fence_id = excluded.fence_id, verdict = excluded.verdict, reason = excluded.reason,
       merchant_id = excluded.merchant_id, vend_id = excluded.vend_id, listed = excluded.listed, at = now()
     where found_orders.verdict = 'left'`,
    [
      ...[fenceId, order.provider, order.reference, order.verdict, order.reason],
      ...[order.merchant_id, order.vend_id, JSON.stringify(order.listed)],
    ],
  );
}

/** Of the references, those that an earlier run left. */
export async function findLeftAmong(
  sql: Sql,
  provider: string,
  references: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ reference: string }>(
    `select reference
     from found_orders
     where provider = $1
     and reference = any($2::text[])
     and verdict = 'left'`,
    [provider, references],
  );
  return rows.map((row) => row.reference);
}

/** Of the references, what is left to nobody any more. */
export async function deleteLeft(tx: Tx, provider: string, references: readonly string[]): Promise<void> {
  await tx.query(
    `delete from found_orders
     where provider = $1
     and reference = any($2::text[])
     and verdict = 'left'`,
    [provider, references],
  );
}

export async function findLeftOrder(
  sql: Sql,
  provider: string,
  reference: string,
): Promise<FoundOrderRow | undefined> {
  const [row] = await sql.query<FoundOrderRow>(
    `select provider, reference, verdict, reason, merchant_id, vend_id, listed
     from found_orders
     where provider = $1
     and reference = $2
     and verdict = 'left'`,
    [provider, reference],
  );
  return row;
}

/** In order; `after` is the last of the page before. */
export async function listFoundOrders(
  sql: Sql,
  filter: {
    readonly verdict: FoundVerdict | undefined;
    readonly after: { readonly provider: string; readonly reference: string } | undefined;
    readonly limit: number;
  },
): Promise<readonly (FoundOrderRow & { readonly merchant: string | null })[]> {
  return await sql.query(
    `select f.provider, f.reference, f.verdict, f.reason, f.merchant_id, f.vend_id, f.listed, m.code as merchant
     from found_orders f
     left join merchants m on m.id = f.merchant_id
     where ($1::text is null or f.verdict = $1)
     and (f.provider, f.reference) > ($2, $3)
     order by f.provider, f.reference
     limit $4`,
    [filter.verdict ?? null, filter.after?.provider ?? '', filter.after?.reference ?? '', filter.limit],
  );
}

export async function countLeftOrders(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: bigint }>(
    `select count(*) as count from found_orders where verdict = 'left'`,
  );
  return Number(row?.count ?? 0n);
}

export type EnteringMerchantRow = {
  readonly id: number;
  readonly code: string;
  readonly wallet_id: bigint | null;
};

/** With its naira wallet of live purchases. */
export async function findEnteringMerchant(
  sql: Sql,
  merchant: { readonly id: number } | { readonly code: string },
): Promise<EnteringMerchantRow | undefined> {
  const [row] = await sql.query<EnteringMerchantRow>(
    `select m.id, m.code, (
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

/** The network of the merchant's last live purchase of the product for the recipient. */
export async function findLastNetwork(
  sql: Sql,
  of: { readonly merchantId: number; readonly product: string; readonly recipient: string },
): Promise<string | undefined> {
  const [row] = await sql.query<{ network: string }>(
    `select network
     from (
       select id, network, product
       from vends
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

/** Further attempts of a purchase that was just entered, or of one that is pending. */
export async function insertFoundAttempts(
  tx: Tx,
  vend: { readonly merchantId: number; readonly vendId: string },
  attempts: readonly { readonly provider: string; readonly reference: string; readonly isOver: boolean }[],
): Promise<number> {
  const [row] = await tx.query<{ last: number }>(
    `with last as (
       select coalesce(max(number), 0)::smallint as number
       from attempts
       where merchant_id = $1
       and vend_id = $2
     ),
     stored as (
       insert into attempts (merchant_id, vend_id, number, provider, reference, reason)
       select $1, $2, last.number + f.place, f.provider, f.reference, 'found in the list of the provider after a restore'
       from unnest($3::text[], $4::text[]) with ordinality as f(provider, reference, place)
       cross join last
       returning number
     ),
     -- What its provider lists as failed was told by it.
     said as (
       insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message)
       select $1, $2, last.number + f.place, 'gateway', 'failed', 'listed', 'listed as failed after a restore'
       from unnest($5::boolean[]) with ordinality as f(is_over, place)
       cross join last
       where f.is_over
     )
     select max(number)::integer as last from stored`,
    [
      vend.merchantId,
      vend.vendId,
      attempts.map(({ provider }) => provider),
      attempts.map(({ reference }) => reference),
      attempts.map(({ isOver }) => isOver),
    ],
  );
  return row?.last ?? 0;
}

/**
 * From now on the attempt is the one that counts, and its provider is asked about it. False where
 * the purchase is not pending any more.
 */
export async function makeAttemptCount(
  tx: Tx,
  vend: { readonly merchantId: number; readonly vendId: string },
  attempt: { readonly number: number; readonly provider: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update pending_vends
     set
       attempts = $3, provider = $4, step = 'query', due_at = now(), owner = null, queries = 0,
       not_found = 0, acknowledged = false
     where merchant_id = $1
     and vend_id = $2
     returning vend_id`,
    [vend.merchantId, vend.vendId, attempt.number, attempt.provider],
  );
  return rows.length > 0;
}

export type StandingVend = {
  readonly environment: Environment;
  readonly reference: string;
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** By a reconciliation, or it has recorded attempts of it before. */
  readonly is_entered: boolean;
};

export async function findStanding(
  tx: Tx,
  vend: { readonly merchantId: number; readonly vendId: string },
): Promise<StandingVend | undefined> {
  const [row] = await tx.query<StandingVend>(
    `select v.environment, v.reference, o.status, exists (
       select
       from found_orders f
       where f.merchant_id = v.merchant_id
       and f.vend_id = v.id
       and f.verdict in ('entered', 'attempt')
     ) as is_entered
     from vends v
     left join vend_outcomes o
       on o.merchant_id = v.merchant_id
       and o.vend_id = v.id
     where v.merchant_id = $1
     and v.environment = 'live'
     and v.id = $2`,
    [vend.merchantId, vend.vendId],
  );
  return row;
}

/** Of the references, those that were dealt with by an earlier run. */
export async function findDealtWith(
  sql: Sql,
  provider: string,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ reference: string }>(
    `select reference
     from found_orders
     where provider = $1
     and reference = any($2::text[])
     and verdict <> 'left'`,
    [provider, references],
  );
  return new Set(rows.map((row) => row.reference));
}

/** A merchant's live purchases since a moment, by id, which goes up with time. */
export async function listPurchasesSince(
  sql: Sql,
  merchantId: number,
  afterId: string,
  limit: number,
): Promise<readonly { readonly id: string; readonly reference: string }[]> {
  return await sql.query(
    `select id, reference
     from vends
     where merchant_id = (select $1::integer)
     and environment = 'live'
     and id > $2
     order by id
     limit $3`,
    [merchantId, afterId, limit],
  );
}
