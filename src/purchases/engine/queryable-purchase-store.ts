/** The SQL that reads a pending purchase to query it, without claiming it. */

import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import type { Sql } from '../../db/database.ts';
import {
  type PurchaseInHand,
  type PurchaseInHandRow,
  readPurchaseInHand,
} from '../state/purchase-in-hand.ts';
import { findMoves, grownOlder, unmoved } from './test-clock-store.ts';

type PurchaseKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
};

/**
 * A pending purchase that may have been sent, in the form that the worker uses. A query is
 * harmless, and its answer passes `resolve_purchases` like any other.
 */
export async function findQueryablePurchase(
  sql: Sql,
  key: PurchaseKey,
  takenAtMs: number,
): Promise<PurchaseInHand | undefined> {
  const [row] = await sql.query<PurchaseInHandRow>(
    {
      name: 'find_queryable_purchase',
      text: `
        select
          p.merchant_id, p.environment, p.purchase_id, p.wallet_id, p.charge, p.attempts, p.queries, p.not_found, p.flagged_at is not null as flagged,
          evidence_of(p.delivered_attempt, p.attempts, p.acknowledged) as evidence,
          (extract(epoch from now() - p.created_at) * 1000)::bigint as age_ms,
          v.product, v.network, v.recipient, v.face_value, v.mode, v.route, v.details,
          a.provider as attempt_provider, a.reference as attempt_reference,
          (extract(epoch from now() - a.started_at) * 1000)::bigint as attempt_age_ms,
          (
            select string_agg(distinct t.provider, ',')
            from provider_answers said
            join attempts t
              on t.merchant_id = said.merchant_id
              and t.purchase_id = said.purchase_id
              and t.number = said.attempt
            where said.merchant_id = p.merchant_id
            and said.purchase_id = p.purchase_id
            and said.kind = 'failed'
            and said.attempt < p.attempts
          ) as refused
        from pending_purchases p
        join purchases v
          on v.merchant_id = p.merchant_id
          and v.environment = p.environment
          and v.id = p.purchase_id
        join attempts a
          on a.merchant_id = p.merchant_id
          and a.purchase_id = p.purchase_id
          and a.number = p.attempts
        where p.merchant_id = (select $1::integer)
        and p.environment = (select $2::text)
        and p.purchase_id = $3
        and p.step = 'query'`,
    },
    [key.merchantId, key.environment, key.purchaseId],
  );
  if (row === undefined) return undefined;
  const { attempt, ...found } = readPurchaseInHand(row);
  invariant(attempt !== undefined, 'the statement joins the attempt');
  const purchase = { ...found, attempt, takenAtMs };
  const [moved = unmoved] = await findMoves(sql, [purchase]);
  return grownOlder(purchase, moved);
}
