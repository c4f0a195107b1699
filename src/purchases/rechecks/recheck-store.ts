/** The SQL of rechecks: how far the successes of each provider were queried again. */

import { leastId } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { type DeliveredRow, type PurchaseInHand, readDelivered } from '../state/purchase-in-hand.ts';

type LookItem = { readonly provider: string };

/** Idempotent: a query that runs twice changes nothing. */
const successRechecks = defineQueue<LookItem, 'provider'>({
  table: 'success_rechecks',
  key: ['provider'],
  columns: [],
  lane: 'provider',
  repeatable: true,
  deletes: false,
  // Its pauses are shorter.
});

/** The recheck of one provider, which this process holds by its lease. */
export type Look = Claimed<LookItem>;

/**
 * Begins with the successes of yesterday if a provider has no state yet, but not before the first
 * merchant.
 */
export async function openLooks(sql: Sql, providers: readonly string[]): Promise<void> {
  await sql.query(
    `insert into success_rechecks (provider, last_at, due_at)
     select
       name,
       greatest(now() - interval '2 days', least(now() - interval '1 day', first.created_at)),
       now()
     from unnest($1::text[]) as name
     cross join (
       select min(created_at) as created_at
       from merchants
     ) as first
     on conflict (provider) do nothing`,
    [providers],
  );
}

export async function claimLooks(sql: Sql, providers: readonly string[], leaseMs: number): Promise<Look[]> {
  return await claimDue(sql, successRechecks, { limit: providers.length, leaseMs, lanes: providers });
}

/** Successes before this time are due, as the database writes a time. */
export async function findLookUntil(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ until: string }>("select (now() - interval '1 day')::text as until");
  return row?.until ?? '';
}

export type LookedAt = {
  readonly purchase: PurchaseInHand;
  /** As the database writes a time: it must not be rounded. */
  readonly successAt: string;
};

/** The next successes, in their order. None if the next minute has none. */
export async function readLooks(
  sql: Sql,
  { provider }: Look,
  options: { readonly until: string; readonly limit: number; readonly takenAtMs: number },
): Promise<LookedAt[]> {
  const rows = await sql.query<DeliveredRow & { success_at: string }>(
    { name: 'read_success_rechecks', text: 'select * from read_success_rechecks($1, $2, $3)' },
    [provider, options.until, options.limit],
  );
  return rows.map((row) => ({
    purchase: readDelivered(row, { queries: 0, takenAtMs: options.takenAtMs }),
    successAt: row.success_at,
  }));
}

/**
 * Stores the success after which the recheck continues. Returns false if another process has it by
 * now.
 */
export async function moveLook(
  sql: Sql,
  { provider, lease_id: leaseId }: Look,
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
     and lease_id = $2
     returning provider`,
    [provider, leaseId, successAt, purchase.merchantId, purchase.purchaseId, leaseMs],
  );
  return rows.length > 0;
}

/** Skips a minute without further successes. Returns whether there is time left before `until`. */
export async function passMinute(
  sql: Sql,
  { provider, lease_id: leaseId }: Look,
  until: string,
): Promise<boolean> {
  const [row] = await sql.query<{ more: boolean }>(
    `update success_rechecks
     set
       last_at = greatest(last_at, least(last_at + interval '1 minute', $3::timestamptz)),
       last_merchant_id = 0,
       last_purchase_id = $4
     where provider = $1
     and lease_id = $2
     returning last_at < $3::timestamptz as more`,
    [provider, leaseId, until, leastId],
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

/** An alarm about it is open: it was found by a process that died. */
export async function isContradicted(sql: Sql, { merchantId, purchaseId }: PurchaseInHand): Promise<boolean> {
  const rows = await sql.query(
    `select id
     from alarms
     where merchant_id = $1
     and purchase_id = $2
     and kind = 'contradiction'
     and acknowledged_at is null`,
    [merchantId, purchaseId],
  );
  return rows.length > 0;
}
