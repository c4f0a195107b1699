/**
 * SQL of delivering to endpoints: finds due deliveries and stores the results. An endpoint is an
 * item of a leased queue, so one process at a time sends to it.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import type { EventFacts, EventType, FeedEvent } from '../events/event.ts';

type EndpointItem = {
  readonly id: string;
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly url: string;
  readonly types: readonly EventType[];
  readonly with_goods: boolean;
  readonly secret: string;
  readonly old_secret: string | null;
  readonly old_secret_ends_at: Date | null;
  readonly position: bigint;
  readonly failures: number;
  readonly lane: EndpointLane;
};

/** Failing endpoints have separate slots, so that they delay no other. */
export type EndpointLane = 'well' | 'failing';

/** An endpoint that this process has claimed. */
export type ClaimedEndpoint = Claimed<EndpointItem>;

/** Longer than a round lasts. Each round renews the lease. */
const ENDPOINT_LEASE_MS = 60_000;

/** Repeatable: a repeated event has the same id. */
const endpoints = defineQueue<EndpointItem, 'id'>({
  table: 'webhook_endpoints',
  key: ['id'],
  columns: [
    'merchant_id',
    'environment',
    'url',
    'types',
    'with_goods',
    'secret',
    'old_secret',
    'old_secret_ends_at',
    'position',
    'failures',
    'lane',
  ],
  lane: 'lane',
  repeatable: true,
  deletes: false,
});

export async function claimEndpoints(
  sql: Sql,
  lane: EndpointLane,
  limit: number,
): Promise<ClaimedEndpoint[]> {
  return await claimDue(sql, endpoints, { limit, leaseMs: ENDPOINT_LEASE_MS, lanes: [lane] });
}

/**
 * Releases an endpoint. It is due after `pauseMs` or, without it, when it has something to send.
 */
export async function releaseEndpoint(
  sql: Sql,
  endpoint: Pick<ClaimedEndpoint, 'id' | 'lease_id'>,
  pauseMs: number | undefined,
): Promise<void> {
  await settleItem(sql, endpoints, endpoint, { pauseMs });
}

/**
 * Makes idle endpoints due that have something to send: events after their position, or a delivery
 * whose time has come. Paused endpoints are skipped. Locked rows are skipped until the next call,
 * because this call locks endpoints of all merchants and waiting could deadlock.
 */
export async function markEndpointsDue(sql: Sql): Promise<void> {
  await sql.query({
    name: 'mark_endpoints_due',
    text: `
      update webhook_endpoints
      set due_at = now()
      where id = any(array(
        select e.id
        from webhook_endpoints e
        where e.state = 'enabled'
        and e.due_at is null
        and (
          exists (
            select
            from transfers t
            where t.merchant_id = e.merchant_id
            and t.id > e.position
            limit 1
          )
          or exists (
            select
            from events v
            where v.merchant_id = e.merchant_id
            and v.environment = e.environment
            and v.position > e.position
            limit 1
          )
          or exists (
            select
            from webhook_deliveries d
            where d.endpoint_id = e.id
            and d.due_at <= now()
            limit 1
          )
        )
        for update skip locked
      ))`,
  });
}

type DueRow = {
  readonly event_id: string;
  readonly event_type: FeedEvent['type'];
  readonly purchase_id: string | null;
  readonly event_at: Date;
  readonly tries: number;
  readonly facts: EventFacts | null;
};

/** An event to send, with its number of earlier tries. */
export type DueEvent = { readonly event: FeedEvent; readonly tries: number };

/** Lists due deliveries, longest due first. */
export async function listDueDeliveries(
  sql: Sql,
  endpoint: Pick<ClaimedEndpoint, 'id'>,
  limit: number,
): Promise<DueEvent[]> {
  const rows = await sql.query<DueRow>(
    {
      name: 'list_due_webhooks',
      text: `
        select d.event_id, d.event_type, d.purchase_id, d.event_at, d.tries, e.facts
        from (
          select *
          from webhook_deliveries
          where endpoint_id = $1
          and due_at <= now()
          order by due_at
          limit $2
        ) as d
        left join events e
          on e.merchant_id = d.merchant_id
          and e.id = d.event_id
        order by d.due_at`,
    },
    [endpoint.id, limit],
  );
  return rows.map(
    ({ event_id: id, event_type: type, purchase_id: purchaseId, event_at: at, facts, tries }) => ({
      event: { id, type, purchaseId: purchaseId ?? undefined, at, facts: facts ?? undefined },
      tries,
    }),
  );
}

/** The outcome of a try, as stored. */
export type StoredTry = {
  readonly deliveryId: string;
  readonly event: FeedEvent;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly pauseMs: number | undefined;
  readonly status: number | undefined;
  readonly note: string | undefined;
  readonly answer: string | undefined;
  readonly durationMs: number;
};

/**
 * Renews the lease of an endpoint and locks it; undefined if this process has lost the endpoint.
 */
export async function renewEndpoint(
  tx: Tx,
  { id, lease_id: leaseId }: Pick<ClaimedEndpoint, 'id' | 'lease_id'>,
): Promise<{ readonly failing_since: Date | null } | undefined> {
  const [row] = await tx.query<{ failing_since: Date | null }>(
    `update webhook_endpoints
     set due_at = now() + $3 * interval '1 millisecond'
     where id = $1
     and lease_id = $2
     and due_at is not null
     returning failing_since`,
    [id, leaseId, ENDPOINT_LEASE_MS],
  );
  return row;
}

/** Stores tries. The first try of an event inserts its delivery. */
export async function storeTries(
  tx: Tx,
  { id: endpointId, merchant_id: merchantId, environment }: ClaimedEndpoint,
  tries: readonly StoredTry[],
): Promise<void> {
  await tx.query(
    {
      name: 'store_webhook_tries',
      text: `
        insert into webhook_deliveries (
          merchant_id, environment, endpoint_id, id, event_id, event_type, purchase_id, event_at, state, due_at, tries, http_status, note,
          answer, duration_ms, tried_at
        )
        select
          $1, $2, $3, t.id, t.event_id, t.event_type, t.purchase_id, t.event_at, t.state,
          case when t.state = 'waiting' then now() + t.pause_ms * interval '1 millisecond' end,
          1, t.http_status, t.note, t.answer, t.duration_ms, now()
        from unnest(
          $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::timestamptz[], $9::text[], $10::bigint[], $11::integer[], $12::text[],
          $13::text[], $14::integer[]
        ) as t(id, event_id, event_type, purchase_id, event_at, state, pause_ms, http_status, note, answer, duration_ms)
        on conflict (endpoint_id, event_id, merchant_id) do update
        set
          state = excluded.state,
          due_at = excluded.due_at,
          tries = webhook_deliveries.tries + 1,
          http_status = excluded.http_status,
          note = excluded.note,
          answer = excluded.answer,
          duration_ms = excluded.duration_ms,
          tried_at = excluded.tried_at`,
    },
    [
      merchantId,
      environment,
      endpointId,
      tries.map(({ deliveryId }) => deliveryId),
      tries.map(({ event }) => event.id),
      tries.map(({ event }) => event.type),
      tries.map(({ event }) => event.purchaseId ?? null),
      tries.map(({ event }) => event.at),
      tries.map(({ state }) => state),
      tries.map(({ pauseMs }) => pauseMs ?? null),
      tries.map(({ status }) => status ?? null),
      tries.map(({ note }) => note ?? null),
      tries.map(({ answer }) => answer ?? null),
      tries.map(({ durationMs }) => durationMs),
    ],
  );
}

/**
 * Stores the health of an endpoint after a round, and the feed position up to which it was tried.
 */
export async function storeProgress(
  tx: Tx,
  id: string,
  {
    position,
    failures,
    failed,
  }: { readonly position: bigint; readonly failures: number; readonly failed: boolean },
): Promise<{ readonly isOld: boolean; readonly isAlarmed: boolean; readonly failingSince: Date | null }> {
  const [row] = await tx.query<{ old: boolean; alarmed: boolean; failing_since: Date | null }>(
    `update webhook_endpoints
     set
       position = greatest(position, $2),
       failures = $3,
       failing_since = case when $4 then coalesce(failing_since, now()) end,
       lane = case when $4 then 'failing' else 'well' end,
       alarmed_at = case when $4 then alarmed_at end
     where id = $1
     returning
       failing_since < now() - interval '5 days' as old,
       alarmed_at is not null or failing_since > now() - interval '1 day' as alarmed,
       failing_since`,
    [id, position, failures, failed],
  );
  return {
    isOld: row?.old ?? false,
    isAlarmed: row?.alarmed ?? true,
    failingSince: row?.failing_since ?? null,
  };
}

/** Marks that an alarm was raised about the endpoint. */
export async function markAlarmed(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `update webhook_endpoints
     set alarmed_at = now()
     where id = $1`,
    [id],
  );
}
