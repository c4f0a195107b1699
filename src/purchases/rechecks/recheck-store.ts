/** The SQL of rechecks: how far the successes of each provider were queried again at each age. */

import { leastId } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { type DeliveredRow, type PurchaseInHand, readDelivered } from '../state/purchase-in-hand.ts';

type LookItem = {
  readonly provider: string;
  /** The ages at which a success is queried again. */
  readonly age_minutes: number;
};

/** Idempotent: a query that runs twice changes nothing. */
const successRechecks = defineQueue<LookItem, 'provider' | 'age_minutes'>({
  table: 'success_rechecks',
  key: ['provider', 'age_minutes'],
  columns: [],
  lane: 'provider',
  repeatable: true,
  deletes: false,
  // Its pauses are shorter.
});

/** The recheck of one provider at one age, which this process holds by its lease. */
export type Look = Claimed<LookItem>;

/**
 * Begins with the successes of the last day that are due, but not before the first merchant, if a
 * provider has no state yet.
 */
export async function openLooks(
  sql: Sql,
  providers: readonly string[],
  agesMinutes: readonly number[],
): Promise<void> {
  await sql.query(
    `insert into success_rechecks (provider, age_minutes, last_at, due_at)
     select
       name,
       minutes,
       greatest(
         now() - minutes * interval '1 minute' - interval '1 day',
         least(now() - minutes * interval '1 minute', first.created_at)
       ),
       now()
     from unnest($1::text[]) as name
     cross join unnest($2::integer[]) as minutes
     cross join (
       select min(created_at) as created_at
       from merchants
     ) as first
     on conflict (provider, age_minutes) do nothing`,
    [providers, agesMinutes],
  );
}

export async function claimLooks(
  sql: Sql,
  providers: readonly string[],
  options: { readonly limit: number; readonly leaseMs: number },
): Promise<Look[]> {
  return await claimDue(sql, successRechecks, { ...options, lanes: providers });
}

/**
 * Begins a round. Skips the successes that have already reached the next age, which queries them
 * too, so that a backlog stays limited. Returns the time before which successes are due, as the
 * database writes a time. Undefined if another process has taken the recheck.
 */
export async function beginRound(
  sql: Sql,
  { provider, age_minutes: age, lease_id: leaseId }: Look,
  nextAgeMinutes: number,
): Promise<string | undefined> {
  const [row] = await sql.query<{ until: string }>(
    `update success_rechecks
     set last_at = greatest(last_at, now() - $4 * interval '1 minute')
     where provider = $1
     and age_minutes = $2
     and lease_id = $3
     returning (now() - $2::integer * interval '1 minute')::text as until`,
    [provider, age, leaseId, nextAgeMinutes],
  );
  return row?.until;
}

export type LookedAt = {
  readonly purchase: PurchaseInHand;
  /** As the database writes a time: it must not be rounded. */
  readonly successAt: string;
};

/** Lists the next due successes in order. Empty if the next minute has none. */
export async function readLooks(
  sql: Sql,
  { provider, age_minutes: age }: Look,
  options: { readonly until: string; readonly limit: number; readonly takenAtMs: number },
): Promise<LookedAt[]> {
  const rows = await sql.query<DeliveredRow & { success_at: string }>(
    { name: 'read_success_rechecks', text: 'select * from read_success_rechecks($1, $2, $3, $4)' },
    [provider, age, options.until, options.limit],
  );
  return rows.map((row) => ({
    purchase: readDelivered(row, { queries: 0, takenAtMs: options.takenAtMs }),
    successAt: row.success_at,
  }));
}

/**
 * Stores the success after which the recheck continues. Returns false if another process has
 * already stored it.
 */
export async function moveLook(
  sql: Sql,
  { provider, age_minutes: age, lease_id: leaseId }: Look,
  { purchase, successAt }: LookedAt,
  leaseMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `update success_rechecks
     set
       last_at = $3,
       last_merchant_id = $4,
       last_purchase_id = $5,
       due_at = now() + $6 * interval '1 millisecond'
     where provider = $1
     and age_minutes = $7
     and lease_id = $2
     returning provider`,
    [provider, leaseId, successAt, purchase.merchantId, purchase.purchaseId, leaseMs, age],
  );
  return rows.length > 0;
}

/** Skips a minute without further successes. Returns whether there is time left before `until`. */
export async function passMinute(
  sql: Sql,
  { provider, age_minutes: age, lease_id: leaseId }: Look,
  until: string,
): Promise<boolean> {
  const [row] = await sql.query<{ more: boolean }>(
    `update success_rechecks
     set
       last_at = greatest(last_at, least(last_at + interval '1 minute', $3::timestamptz)),
       last_merchant_id = 0,
       last_purchase_id = $4
     where provider = $1
     and age_minutes = $5
     and lease_id = $2
     returning last_at < $3::timestamptz as more`,
    [provider, leaseId, until, leastId, age],
  );
  return row?.more ?? false;
}

/**
 * Releases the recheck: it continues after the pause, in any process. `tries` are those of the next
 * success.
 */
export async function leaveLook(sql: Sql, look: Look, pauseMs: number, tries: number): Promise<void> {
  await settleItem(sql, successRechecks, look, { pauseMs, set: { tries } });
}

/** The reversal of a success was stored already, with its alarm. */
export async function isReversalStored(
  sql: Sql,
  { merchantId, purchaseId, attempts }: PurchaseInHand,
): Promise<boolean> {
  const rows = await sql.query(
    `select
     from further_answers s
     join purchase_outcomes o
       on o.merchant_id = s.merchant_id
       and o.purchase_id = s.purchase_id
     where s.merchant_id = (select $1::integer)
     and s.purchase_id = $2
     and s.attempt = $3
     and s.kind = 'failed'
     and s.at > o.at
     limit 1`,
    [merchantId, purchaseId, attempts],
  );
  return rows.length > 0;
}

/**
 * The merchant's reference of a success. Undefined if an attempt other than the current one
 * delivered it.
 */
export async function findDeliveredReference(
  sql: Sql,
  { merchantId, environment, purchaseId, attempts }: PurchaseInHand,
): Promise<string | undefined> {
  const [row] = await sql.query<{ reference: string }>(
    `select v.reference
     from purchases v
     join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     where v.merchant_id = (select $1::integer)
     and v.environment = $2
     and v.id = $3
     and o.attempt = $4`,
    [merchantId, environment, purchaseId, attempts],
  );
  return row?.reference;
}
