/**
 * SQL of deliveries. `accept_purchases` inserts the rows and `resolve_purchases` makes them due
 * (migrations/functions).
 */

import { type Environment, environments } from '../../core/environment.ts';
import type { Queries, Sql, Tx } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, findExpired, settleItem } from '../../db/queue/queue-store.ts';
import { insertEvent, type NewEvent } from '../events/event-store.ts';
import type { DeliveryState } from './decide-delivery.ts';
import type { DeliveryChannel, SealedDestination } from './destination.ts';

type ClaimRow = {
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly purchase_id: string;
  readonly channel: DeliveryChannel;
  readonly destination: string;
};

/** Longer than a try can last, so that the lease expires only when its process is dead or stuck. */
export const DELIVERY_LEASE_MS = 180_000;

/** Not repeatable: a dead process may have sent its claimed items. */
const deliveries = defineQueue<ClaimRow, 'merchant_id' | 'purchase_id'>({
  table: 'deliveries',
  key: ['merchant_id', 'purchase_id'],
  columns: ['environment', 'channel', 'destination'],
  lane: 'environment',
  repeatable: false,
  deletes: false,
  claimed: { state: 'sending' },
  changedAt: 'updated_at',
});

/** A delivery that this process has claimed for one try. */
export type ClaimedDelivery = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  readonly channel: DeliveryChannel;
  /** Sealed. */
  readonly destination: string;
  /** Includes this try. */
  readonly tries: number;
  readonly leaseId: string;
};

function toDelivery(row: Claimed<ClaimRow>): ClaimedDelivery {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    purchaseId: row.purchase_id,
    channel: row.channel,
    destination: row.destination,
    tries: row.tries,
    leaseId: row.lease_id,
  };
}

/**
 * Claims due deliveries of one environment, or both, for `leaseMs` and marks them as `sending`. The
 * mark is committed when this resolves, before the first byte leaves.
 */
export async function claimDeliveries(
  sql: Sql,
  {
    environment,
    ...options
  }: { readonly limit: number; readonly leaseMs: number; readonly environment?: Environment },
): Promise<ClaimedDelivery[]> {
  const lanes = environment === undefined ? environments : [environment];
  return (await claimDue(sql, deliveries, { ...options, lanes })).map(toDelivery);
}

/** Moves the due times of a merchant's test deliveries forward and returns how many it moved. */
export async function moveTestDeliveries(tx: Tx, merchantId: number, advanceS: number): Promise<number> {
  const rows = await tx.query(
    `update deliveries
     set due_at = greatest(due_at - $2 * interval '1 second', now())
     where merchant_id = $1
     and environment = 'test'
     and state = 'due'
     and due_at > now()
     returning 1`,
    [merchantId, advanceS],
  );
  return rows.length;
}

export type SettledDelivery = {
  readonly state: DeliveryState;
  /** The time to the next try, for `due`. */
  readonly pauseMs: number | undefined;
  readonly code: string;
  readonly note: string;
  readonly messageId: string | undefined;
  readonly alarm: string | undefined;
};

/** The states that raise a `delivery.failed` event for the merchant. */
const failureStates: readonly DeliveryState[] = ['refused', 'unknown', 'given_up'];

type HeldDelivery = Pick<
  ClaimedDelivery,
  'merchantId' | 'environment' | 'purchaseId' | 'channel' | 'leaseId'
>;

/**
 * Stores the outcome of a try, with the merchant's event if it failed. False when the try is no
 * longer the current one. With `expired`, also false when the process of the try has stored its
 * outcome.
 */
export async function settleDelivery(
  database: Pick<Queries, 'transaction'>,
  delivery: HeldDelivery,
  settled: SettledDelivery,
  options: { readonly expired?: boolean } = {},
): Promise<boolean> {
  return await database.transaction(async (tx) => {
    if (!(await storeSettled(tx, delivery, settled, options))) return false;
    if (failureStates.includes(settled.state))
      await insertEvent(tx, delivery, failureEvent(delivery, settled));
    return true;
  });
}

/** Builds the event of a failed try. Its id is the lease, so repeated settlements store it once. */
function failureEvent(
  { purchaseId, channel, leaseId }: HeldDelivery,
  { state, code }: SettledDelivery,
): NewEvent {
  return { id: leaseId, type: 'delivery.failed', purchaseId, facts: { channel, state, code } };
}

async function storeSettled(
  sql: Sql,
  { merchantId, purchaseId, leaseId }: HeldDelivery,
  { state, pauseMs, code, note, messageId, alarm }: SettledDelivery,
  options: { readonly expired?: boolean },
): Promise<boolean> {
  const held = { merchant_id: merchantId, purchase_id: purchaseId, lease_id: leaseId };
  // An expired try has no answer of the carrier: the message id of an earlier try stays.
  const answered = options.expired === true ? {} : { message_id: messageId ?? null };
  return await settleItem(
    sql,
    deliveries,
    held,
    {
      pauseMs,
      set: { state, code, note, ...answered },
      alarm: alarm === undefined ? undefined : { kind: 'delivery', merchantId, purchaseId, message: alarm },
    },
    options,
  );
}

/** Finds claimed deliveries whose process is dead. They may have been sent. */
export async function findExpiredDeliveries(sql: Sql, limit: number): Promise<ClaimedDelivery[]> {
  return (await findExpired(sql, deliveries, limit)).map(toDelivery);
}

/** A delivery as operators see it. */
export type DeliveryRow = {
  readonly merchant_code: string;
  readonly environment: Environment;
  readonly purchase_id: string;
  readonly reference: string;
  readonly channel: DeliveryChannel;
  /** The destination, masked. */
  readonly hint: string;
  readonly state: DeliveryState;
  readonly due_at: Date | null;
  readonly tries: number;
  readonly code: string | null;
  readonly note: string | null;
  readonly message_id: string | null;
  readonly updated_at: Date;
  /** `updated_at` in microseconds, which a Date cannot hold. */
  readonly changed_us: string;
};

/** A position in the list of deliveries. */
export type DeliveryPlace = Pick<DeliveryRow, 'changed_us' | 'purchase_id'>;

function timeOf(microseconds: string): string {
  return `(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond')`;
}

const deliveryColumns = `
  m.code as merchant_code, d.environment, d.purchase_id, v.reference, d.channel, d.hint, d.state, d.due_at, d.tries, d.code, d.note,
  d.message_id, d.updated_at, (extract(epoch from d.updated_at) * 1000000)::bigint::text as changed_us`;

const deliveryTables = `
  deliveries d
  join merchants m on m.id = d.merchant_id
  join purchases v
    on v.merchant_id = d.merchant_id
    and v.environment = d.environment
    and v.id = d.purchase_id`;

type DeliveryFilter = {
  readonly states: readonly DeliveryState[];
  /** The last delivery of the page before. */
  readonly after?: DeliveryPlace | undefined;
  readonly limit: number;
};

/** Lists unfinished and failed deliveries, newest change first. */
export async function listDeliveries(sql: Sql, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const [first = [], ...others] = await inEachCell(sql, (cell) => listInCell(cell, filter));
  if (others.length === 0) return first;
  return [first, ...others].flat().sort(byNewestChange).slice(0, filter.limit);
}

function byNewestChange(one: DeliveryPlace, other: DeliveryPlace): number {
  const changed = BigInt(other.changed_us) - BigInt(one.changed_us);
  if (changed !== 0n) return changed > 0n ? 1 : -1;
  return one.purchase_id < other.purchase_id ? 1 : -1;
}

/** These states have an index in this order. */
async function listInCell(sql: Sql, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  return await sql.query<DeliveryRow>(
    `select ${deliveryColumns}
     from (
       select newest.*
       from unnest($1::text[]) as wanted(state)
       cross join lateral (
         select *
         from deliveries
         where state = wanted.state
         and state not in ('sent', 'cancelled')
         and ($3::bigint is null or (updated_at, purchase_id) < (${timeOf('$3')}, $4::uuid))
         order by updated_at desc, purchase_id desc
         limit $2
       ) as newest
       order by newest.updated_at desc, newest.purchase_id desc
       limit $2
     ) as d
     join merchants m on m.id = d.merchant_id
     join purchases v
       on v.merchant_id = d.merchant_id
       and v.environment = d.environment
       and v.id = d.purchase_id
     order by d.updated_at desc, d.purchase_id desc`,
    [filter.states, filter.limit, filter.after?.changed_us ?? null, filter.after?.purchase_id ?? null],
  );
}

/** Finds the delivery of a purchase; undefined if the purchase has none. */
export async function findDelivery(
  sql: Sql,
  purchase: { readonly merchant_id: number; readonly id: string },
): Promise<DeliveryRow | undefined> {
  const [row] = await sql.query<DeliveryRow>(
    `select ${deliveryColumns}
     from ${deliveryTables}
     where d.merchant_id = $1
     and d.purchase_id = $2`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}

/** Locks a delivery, so that no process claims or settles it meanwhile. */
export async function lockDelivery(
  tx: Tx,
  purchase: { readonly merchant_id: number; readonly id: string },
): Promise<{ readonly state: DeliveryState; readonly tries: number } | undefined> {
  const [row] = await tx.query<{ state: DeliveryState; tries: number }>(
    `select state, tries
     from deliveries
     where merchant_id = $1
     and purchase_id = $2
     for update`,
    [purchase.merchant_id, purchase.id],
  );
  return row;
}

/**
 * Makes a message to a new destination due, for a purchase that is no order of cards. It replaces
 * the last message of the purchase. False while that one is being sent.
 */
export async function upsertDelivery(
  tx: Tx,
  purchase: { readonly merchant_id: number; readonly environment: Environment; readonly id: string },
  { channel, sealed, hint }: SealedDestination,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into deliveries as d (merchant_id, environment, purchase_id, channel, destination, hint, state, due_at)
     values ($1, $2, $3, $4, $5, $6, 'due', now())
     on conflict (merchant_id, purchase_id) do update
     set channel = excluded.channel, destination = excluded.destination, hint = excluded.hint, state = 'due',
       due_at = now(), lease_id = null, tries = 0, code = null, note = null, message_id = null, alarmed_at = null, updated_at = now()
     where d.state not in ('waiting', 'sending')
     returning 1`,
    [purchase.merchant_id, purchase.environment, purchase.id, channel, sealed, hint],
  );
  return rows.length > 0;
}

export async function makeDeliveryDue(
  tx: Tx,
  purchase: { readonly merchant_id: number; readonly id: string },
): Promise<void> {
  await tx.query(
    `update deliveries
     set state = 'due', due_at = now(), lease_id = null, alarmed_at = null, updated_at = now()
     where merchant_id = $1
     and purchase_id = $2`,
    [purchase.merchant_id, purchase.id],
  );
}

/** Counts deliveries that have not ended or failed, for metrics. */
export async function countOpenDeliveries(
  sql: Sql,
): Promise<{ readonly channel: DeliveryChannel; readonly state: DeliveryState; readonly count: number }[]> {
  return await sql.query(
    `select channel, state, count(*)::integer as count
     from deliveries
     where state not in ('sent', 'cancelled')
     group by channel, state`,
  );
}
