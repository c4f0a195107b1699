/**
 * The SQL of deliveries. Rows are made by `accept_purchases` and become due in `resolve_purchases`
 * (migrations/functions); everything after that is here.
 */

import type { Environment } from '../../core/environment.ts';
import type { Queries, Sql, Tx } from '../../db/database.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, findExpired, settleItem } from '../../db/queue/queue-store.ts';
import { insertEvent, type NewEvent } from '../events/event-store.ts';
import type { DeliveryState } from './decide-delivery.ts';
import type { DeliveryChannel } from './destination.ts';

type ClaimRow = {
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly purchase_id: string;
  readonly channel: DeliveryChannel;
  readonly destination: string;
};

/**
 * Longer than a whole try can last, so that the lease runs out only when its process is dead or
 * stuck.
 */
export const DELIVERY_LEASE_MS = 180_000;

/** Not repeatable: a dead process may have sent what it had claimed. */
const deliveries = defineQueue<ClaimRow, 'merchant_id' | 'purchase_id'>({
  table: 'deliveries',
  key: ['merchant_id', 'purchase_id'],
  columns: ['environment', 'channel', 'destination'],
  repeatable: false,
  deletes: false,
  claimed: { state: 'sending' },
  changedAt: 'updated_at',
});

/** A delivery that this process may now try, once. */
export type ClaimedDelivery = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  readonly channel: DeliveryChannel;
  /** Sealed. */
  readonly destination: string;
  /** This one included. */
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
 * Marks what is due as being sent, for `leaseMs`. The mark is committed when this resolves: before
 * the first byte leaves.
 */
export async function claimDeliveries(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number },
): Promise<ClaimedDelivery[]> {
  return (await claimDue(sql, deliveries, options)).map(toDelivery);
}

/** Those of a merchant's test orders become due so much sooner; gives how many. */
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
  /** Of `due`: until the next try. */
  readonly pauseMs: number | undefined;
  readonly code: string;
  readonly note: string;
  readonly messageId: string | undefined;
  readonly alarm: string | undefined;
};

/** The merchant is told of a delivery that ends so. */
const troubles: readonly DeliveryState[] = ['refused', 'unknown', 'given_up'];

type HeldDelivery = Pick<
  ClaimedDelivery,
  'merchantId' | 'environment' | 'purchaseId' | 'channel' | 'leaseId'
>;

/**
 * Stores what became of a try, and the event that tells the merchant where it did not arrive. False
 * when that try is not the present one any more. With `expired`, also false when the process of the
 * try has stored its result.
 */
export async function settleDelivery(
  database: Pick<Queries, 'transaction'>,
  delivery: HeldDelivery,
  settled: SettledDelivery,
  options: { readonly expired?: boolean } = {},
): Promise<boolean> {
  return await database.transaction(async (tx) => {
    if (!(await storeSettled(tx, delivery, settled, options))) return false;
    if (troubles.includes(settled.state)) await insertEvent(tx, delivery, troubleEvent(delivery, settled));
    return true;
  });
}

/** Once for a try, however often its settlement is stored. */
function troubleEvent(
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
  // The carrier said nothing of this try, so what it said of an earlier try stays.
  const said = options.expired === true ? {} : { message_id: messageId ?? null };
  return await settleItem(
    sql,
    deliveries,
    held,
    {
      pauseMs,
      set: { state, code, note, ...said },
      alarm: alarm === undefined ? undefined : { kind: 'delivery', merchantId, purchaseId, message: alarm },
    },
    options,
  );
}

/** Deliveries whose process is dead. It may have sent them. */
export async function findExpiredDeliveries(sql: Sql, limit: number): Promise<ClaimedDelivery[]> {
  return (await findExpired(sql, deliveries, limit)).map(toDelivery);
}

/** A delivery as support sees it. */
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
  /** The same in microseconds, which a Date has no room for. */
  readonly changed_us: string;
};

/** A place in a list of deliveries. */
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

/** Newest change first. Of states that are no good end: those have an index in this order. */
export async function listDeliveries(
  sql: Sql,
  filter: {
    readonly states: readonly DeliveryState[];
    /** The delivery after which the list goes on. */
    readonly after?: DeliveryPlace | undefined;
    readonly limit: number;
  },
): Promise<DeliveryRow[]> {
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

/** Undefined where the purchase asked for no delivery. */
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

/** Locks the row, so that nobody claims or settles the delivery meanwhile. */
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

/** For metrics: deliveries that have not ended, and those that a person should look at. */
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
