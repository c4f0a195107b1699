/** The SQL that reads a pending vend to ask about it, without taking it from anybody. */
import type { Sql } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { VendMode } from '../vend/vend.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';
import type { Evidence } from '../vend/vend-policy.ts';
import { findMoves, grownOlder, unmoved } from './test-clock-store.ts';

type VendKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
};

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
  mode: VendMode;
  route: string;
  refused: readonly string[];
  details: VendDetails | null;
  provider: string;
  reference: string;
  attempt_age_ms: bigint;
};

/**
 * A pending vend that may have been sent, as the worker would have it in hand: to ask is harmless,
 * and what the answer decides passes `resolve_vends` like any other.
 */
export async function findAskableVend(
  sql: Sql,
  key: VendKey,
  takenAtMs: number,
): Promise<VendInHand | undefined> {
  const [row] = await sql.query<PendingRow>(
    {
      name: 'find_askable_vend',
      text: `
        select
          p.wallet_id, p.charge, p.attempts, p.queries, p.not_found, p.flagged_at is not null as flagged,
          evidence_of(p) as evidence,
          (extract(epoch from now() - p.created_at) * 1000)::bigint as age_ms,
          v.product, v.network, v.recipient, v.face_value, v.mode, v.route, v.details, a.provider, a.reference,
          (extract(epoch from now() - a.started_at) * 1000)::bigint as attempt_age_ms,
          array(
            select distinct t.provider
            from provider_answers said
            join attempts t
              on t.merchant_id = said.merchant_id
              and t.vend_id = said.vend_id
              and t.number = said.attempt
            where said.merchant_id = p.merchant_id
            and said.vend_id = p.vend_id
            and said.kind = 'failed'
            and said.attempt < p.attempts
          ) as refused
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
  if (row === undefined) return undefined;
  const vend = toVendInHand(key, row, takenAtMs);
  const [moved = unmoved] = await findMoves(sql, [vend]);
  return grownOlder(vend, moved);
}

function toVendInHand(key: VendKey, row: PendingRow, takenAtMs: number): VendInHand {
  return {
    ...key,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    mode: row.mode,
    route: row.route.split(','),
    refused: row.refused,
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
