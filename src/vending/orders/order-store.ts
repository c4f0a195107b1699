/**
 * The SQL that reads orders: what the vend's own statements leave out, so that those stay as light
 * as the other products need.
 */
import type { Sql } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';
import type { Evidence } from '../vend/vend-policy.ts';

/** What an order has besides a vend. */
export type OrderParts = {
  readonly details: VendDetails | undefined;
  /** Sealed goods, where there are any. */
  readonly sealed: string | undefined;
};

type OrderKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
};

export async function findOrderParts(sql: Sql, key: OrderKey): Promise<OrderParts> {
  const [row] = await sql.query<{ details: VendDetails | null; sealed: string | null }>(
    {
      name: 'find_order_parts',
      text: `
        select v.details, s.sealed
        from vends v
        left join sealed_goods s
          on s.merchant_id = v.merchant_id
          and s.vend_id = v.id
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3`,
    },
    [key.merchantId, key.environment, key.vendId],
  );
  return { details: row?.details ?? undefined, sealed: row?.sealed ?? undefined };
}

type PendingRow = {
  wallet_id: bigint;
  charge: bigint;
  attempts: number;
  queries: number;
  not_found: number;
  flagged: boolean;
  evidence: Evidence;
  age_ms: bigint;
  product: string;
  network: string;
  recipient: string;
  face_value: bigint;
  route: string;
  details: VendDetails | null;
  provider: string;
  reference: string;
  attempt_age_ms: bigint;
};

/**
 * A pending order that may have been sent, as the worker would have it in hand, without taking it
 * from anybody: to ask is harmless, and what the answer decides passes `resolve_vends` like any
 * other.
 */
export async function findAskableOrder(
  sql: Sql,
  key: OrderKey,
  takenAtMs: number,
): Promise<VendInHand | undefined> {
  const [row] = await sql.query<PendingRow>(
    {
      name: 'find_askable_order',
      text: `
        select
          p.wallet_id, p.charge, p.attempts, p.queries, p.not_found, p.flagged_at is not null as flagged,
          evidence_of(p) as evidence,
          (extract(epoch from now() - p.created_at) * 1000)::bigint as age_ms,
          v.product, v.network, v.recipient, v.face_value, v.route, v.details, a.provider, a.reference,
          (extract(epoch from now() - a.started_at) * 1000)::bigint as attempt_age_ms
        from pending_vends p
        join vends v
          on v.merchant_id = p.merchant_id
          and v.environment = p.environment
          and v.id = p.vend_id
        join attempts a
          on a.merchant_id = p.merchant_id
          and a.vend_id = p.vend_id
          and a.number = p.attempts
        where p.merchant_id = (select $1::integer)
        and p.environment = (select $2::text)
        and p.vend_id = $3
        and p.step = 'query'`,
    },
    [key.merchantId, key.environment, key.vendId],
  );
  return row && toVendInHand(key, row, takenAtMs);
}

function toVendInHand(key: OrderKey, row: PendingRow, takenAtMs: number): VendInHand {
  return {
    ...key,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    mode: 'order',
    route: row.route.split(','),
    refused: [],
    details: row.details ?? undefined,
    attempts: row.attempts,
    queries: row.queries,
    notFound: row.not_found,
    flagged: row.flagged,
    evidence: row.evidence,
    final: false,
    ageMs: Number(row.age_ms),
    attempt: { provider: row.provider, reference: row.reference, ageMs: Number(row.attempt_age_ms) },
    takenAtMs,
  };
}
