/** SQL of endpoints, as merchants and operators see and change them. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { cellOf } from '../../db/in-each-cell.ts';
import type { FeedOwner } from '../events/event.ts';
import { feedStart, KEPT_DAYS, readFeedStart } from '../events/event-store.ts';
import type { EndpointRow, EndpointTerms } from './endpoint.ts';

const columns = `
  e.id, e.merchant_id, m.code as merchant_code, e.environment, e.url, e.description, e.types, e.with_goods, e.version, e.secret,
  e.old_secret_ends_at, e.state, e.reason, e.disabled_at, e.failures, e.failing_since, e.created_at`;

export async function insertEndpoint(
  tx: Tx,
  { merchantId, environment }: FeedOwner,
  endpoint: EndpointTerms & {
    readonly id: string;
    readonly version: string;
    /** Sealed. */
    readonly secret: string;
    readonly position: bigint;
  },
): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (
       id, merchant_id, environment, url, description, types, with_goods, version, secret, position
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      endpoint.id,
      merchantId,
      environment,
      endpoint.url,
      endpoint.description,
      endpoint.types,
      endpoint.withGoods,
      endpoint.version,
      endpoint.secret,
      endpoint.position,
    ],
  );
}

export async function countEndpoints(sql: Sql, { merchantId, environment }: FeedOwner): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from webhook_endpoints
     where merchant_id = $1
     and environment = $2`,
    [merchantId, environment],
  );
  return row?.count ?? 0;
}

/** Lists all endpoints of an owner, oldest first. There are few. */
export async function listEndpointsOf(
  sql: Sql,
  { merchantId, environment }: FeedOwner,
): Promise<EndpointRow[]> {
  return await sql.query<EndpointRow>(
    `select ${columns}
     from webhook_endpoints e
     join merchants m on m.id = e.merchant_id
     where e.merchant_id = $1
     and e.environment = $2
     order by e.id`,
    [merchantId, environment],
  );
}

/** Lists endpoints of all merchants or of one, by id after `after`. */
export async function listEndpoints(
  sql: Sql,
  filter: {
    readonly merchantId: number | undefined;
    readonly environment: Environment | undefined;
    /** Only endpoints that fail or are disabled. */
    readonly isTroubled: boolean;
    /** A part of the URL or the whole id, in any letter case. */
    readonly find?: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<EndpointRow[]> {
  return await sql.query<EndpointRow>(
    `select ${columns}
     from webhook_endpoints e
     join merchants m on m.id = e.merchant_id
     where ($1::integer is null or e.merchant_id = $1)
     and ($2::text is null or e.environment = $2)
     and (not $3::boolean or e.state = 'disabled' or e.failing_since is not null)
     and ($4::uuid is null or e.id > $4)
     and ($6::text is null or strpos(lower(e.url), lower($6)) > 0 or e.id::text = lower($6))
     order by e.id
     limit $5`,
    [
      filter.merchantId ?? null,
      filter.environment ?? null,
      filter.isTroubled,
      filter.after ?? null,
      filter.limit,
      filter.find ?? null,
    ],
  );
}

export async function findEndpoint(sql: Sql, id: string): Promise<EndpointRow | undefined> {
  const [row] = await sql.query<EndpointRow>(
    `select ${columns}
     from webhook_endpoints e
     join merchants m on m.id = e.merchant_id
     where e.id = $1`,
    [id],
  );
  return row;
}

/**
 * Locks an endpoint against other changes. A round of deliveries waits for the lock before it
 * stores its results. A lock of a cell on another server needs the merchant.
 */
export async function lockEndpoint(
  tx: Tx,
  id: string,
  merchantId?: number | undefined,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(
    `select ${columns}
     from webhook_endpoints e
     join merchants m on m.id = e.merchant_id
     where e.id = $1
     ${merchantId === undefined ? '' : 'and e.merchant_id = $2'}
     for update of e`,
    [id, ...(merchantId === undefined ? [] : [merchantId])],
  );
  return row;
}

/** An endpoint, and whose it is. */
export type EndpointKey = Pick<EndpointRow, 'id' | 'merchant_id'>;

/**
 * Changes an endpoint. With another address or other goods, a process that has claimed it ends
 * after its present round, and stores none of its results.
 */
export async function updateTerms(
  tx: Tx,
  { id, merchant_id: merchantId }: EndpointKey,
  terms: EndpointTerms,
): Promise<void> {
  await tx.query(
    `update webhook_endpoints
     set
       url = $2, types = $3, description = $4, with_goods = $5,
       lease_id = case when url = $2 and with_goods = $5 then lease_id end,
       due_at = case when due_at is null or (url = $2 and with_goods = $5) then due_at else now() end
     where id = $1
     and merchant_id = $6`,
    [id, terms.url, terms.types, terms.description, terms.withGoods, merchantId],
  );
}

/**
 * Enables an endpoint and forgets earlier failures. It continues at its position, or at the
 * beginning of the feed if that is later.
 */
export async function markEnabled(tx: Tx, { id, merchant_id: merchantId }: EndpointKey): Promise<void> {
  const start = tx.cells && (await readFeedStart(await cellOf(tx, merchantId)));
  await tx.query(
    `update webhook_endpoints
     set
       state = 'enabled', reason = null, disabled_at = null, failures = 0, failing_since = null, lane = 'well', alarmed_at = null,
       due_at = now(), lease_id = null,
       position = greatest(position, ${start === undefined ? feedStart('$2') : '$2::bigint'})
     where id = $1
     and merchant_id = $3`,
    [id, start ?? KEPT_DAYS, merchantId],
  );
}

/** Disables an endpoint. A process that has claimed it can store no further results. */
export async function markDisabled(
  tx: Tx,
  { id, merchant_id: merchantId }: EndpointKey,
  reason: string,
): Promise<void> {
  await tx.query(
    `update webhook_endpoints
     set state = 'disabled', reason = $2, disabled_at = now(), due_at = null, lease_id = null
     where id = $1
     and merchant_id = $3`,
    [id, reason, merchantId],
  );
}

/** Deletes an endpoint. Its deliveries are kept. */
export async function deleteEndpoint(tx: Tx, { id, merchant_id: merchantId }: EndpointKey): Promise<void> {
  await tx.query(
    `with gone as (
       delete from webhook_endpoints
       where id = $1
       and merchant_id = $2
     )
     update webhook_deliveries
     set state = 'failed', due_at = null, note = 'the endpoint was deleted'
     where endpoint_id = $1
     and merchant_id = $2
     and due_at is not null`,
    [id, merchantId],
  );
}

export type StoredSecrets = {
  /** Sealed. */
  readonly secret: string;
  /** Sealed by secrets.ts; null when no old secret signs. */
  readonly old: string | null;
};

/** Finds the secrets of a locked endpoint. */
export async function findSecrets(
  tx: Tx,
  { id, merchant_id: merchantId }: EndpointKey,
): Promise<StoredSecrets | undefined> {
  const [row] = await tx.query<StoredSecrets>(
    `select secret, case when old_secret_ends_at > now() then old_secret end as old
     from webhook_endpoints
     where id = $1
     and merchant_id = $2`,
    [id, merchantId],
  );
  return row;
}

/**
 * Replaces the secrets. All old secrets sign until the overlap ends. Without an overlap, a process
 * that has claimed the endpoint ends after its present round.
 */
export async function updateSecrets(
  tx: Tx,
  { id, merchant_id: merchantId }: EndpointKey,
  { secret, old }: StoredSecrets,
  overlapMs: number,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ ends_at: Date | null }>(
    `update webhook_endpoints
     set
       old_secret = $3,
       old_secret_ends_at = now() + case when $3::text is not null then $4::bigint * interval '1 millisecond' end,
       secret = $2,
       lease_id = case when $3::text is not null then lease_id end,
       due_at = case when $3::text is not null or due_at is null then due_at else now() end
     where id = $1
     and merchant_id = $5
     returning old_secret_ends_at as ends_at`,
    [id, secret, old, overlapMs, merchantId],
  );
  return row?.ends_at ?? undefined;
}

/** Counts endpoints by state, for "needs attention". */
export async function countEndpointsByState(
  sql: Sql,
): Promise<{ readonly state: 'enabled' | 'failing' | 'disabled'; readonly count: number }[]> {
  return await sql.query(
    `select case when state = 'enabled' and failing_since is not null then 'failing' else state end as state, count(*)::integer as count
     from webhook_endpoints
     group by 1`,
  );
}
