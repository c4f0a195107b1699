/** The SQL that reads the purchases that a search shows. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import type { PurchaseStatus } from '../state/purchase.ts';
import { conditionsOf, Parameters } from './search-conditions-store.ts';
import type { IdSpan, PurchaseKey, SearchFilter } from './search-filter.ts';

export type FoundPurchase = {
  readonly id: string;
  readonly merchantCode: string;
  readonly environment: Environment;
  /** The merchant's reference. */
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | null;
  readonly msisdn: string;
  readonly recipient: string;
  /** In minor units, as `charge` and `cost`. */
  readonly faceValue: bigint;
  readonly charge: bigint;
  /** Null unless it is a success. */
  readonly cost: bigint | null;
  /** Null unless it is a success. */
  readonly costEstimated: boolean | null;
  /** The refunds after the success: to the merchant, and from the provider. */
  readonly refunded: bigint;
  readonly costRefunded: bigint;
  readonly status: PurchaseStatus;
  readonly reason: OutcomeReason | null;
  readonly provider: string | null;
  /** Our reference of the last attempt at the provider. */
  readonly attemptReference: string | null;
  /** The provider's own reference, as last reported. */
  readonly providerReference: string | null;
  readonly createdAt: Date;
  readonly finalAt: Date | null;
};

const columns = {
  status: "coalesce(o.status, 'pending')",
  provider: 'coalesce(o.provider, p.provider)',
  reason: 'o.reason',
  goods: 'o.goods',
};

/**
 * Returns the purchases among the keys that match the filter, newest first. Each is read by its
 * key.
 */
export async function readFoundPurchases(
  sql: Sql,
  keys: readonly PurchaseKey[],
  filter: SearchFilter,
  span: IdSpan,
): Promise<FoundPurchase[]> {
  if (keys.length === 0) return [];
  const parameters = new Parameters();
  const merchantIds = parameters.bind(
    keys.map(({ merchantId }) => merchantId),
    'integer[]',
  );
  const environments = parameters.bind(
    keys.map(({ environment }) => environment),
    'text[]',
  );
  const ids = parameters.bind(
    keys.map(({ id }) => id),
    'uuid[]',
  );
  return await sql.query<FoundPurchase>(
    `select
       v.id,
       m.code as "merchantCode",
       v.environment,
       v.reference,
       v.product,
       v.network,
       v.plan_code as "planCode",
       v.msisdn,
       v.recipient,
       v.face_value as "faceValue",
       v.charge,
       o.cost,
       coalesce(o.cost_estimated, o.cost = coalesce((v.details->>'cost')::bigint, v.face_value)) as "costEstimated",
       coalesce(r.refunded, 0) as refunded,
       coalesce(r.cost_refunded, 0) as "costRefunded",
       ${columns.status} as status,
       o.reason,
       ${columns.provider} as provider,
       (
         select reference
         from attempts t
         where t.merchant_id = v.merchant_id
         and t.purchase_id = v.id
         order by number desc
         limit 1
       ) as "attemptReference",
       (
         select provider_id
         from provider_answers a
         where a.merchant_id = v.merchant_id
         and a.purchase_id = v.id
         and a.provider_id is not null
         order by at desc
         limit 1
       ) as "providerReference",
       v.created_at as "createdAt",
       o.at as "finalAt"
     from unnest(${merchantIds}, ${environments}, ${ids}) as k(merchant_id, environment, id)
     cross join lateral (
       select *
       from purchases
       where merchant_id = k.merchant_id
       and environment = k.environment
       and id = k.id
       limit 1
     ) as v
     join merchants m on m.id = v.merchant_id
     left join lateral (
       select *
       from purchase_outcomes
       where merchant_id = k.merchant_id
       and purchase_id = k.id
       limit 1
     ) as o on true
     left join lateral (
       select
         sum(amount) filter (where kind = 'merchant')::bigint as refunded,
         sum(amount) filter (where kind = 'provider')::bigint as cost_refunded
       from purchase_refunds
       where merchant_id = k.merchant_id
       and purchase_id = k.id
     ) as r on true
     left join lateral (
       select provider
       from pending_purchases
       where merchant_id = k.merchant_id
       and purchase_id = k.id
       limit 1
     ) as p on true
     where true
     ${conditionsOf(filter, span, columns, parameters)}
     order by v.id desc`,
    parameters.values,
  );
}
