/** Stores notices: hints that there may be a payment to read back. A payment has one row. */
import type { Sql } from '../db/database.ts';
import { type Claimed, defineQueue, type Held } from '../db/queue/leased-queue.ts';
import { claimDue, type ItemAlarm, settleItem } from '../db/queue/queue-store.ts';
import { aside } from '../db/queue/work-all.ts';

type NoticeRow = {
  readonly id: bigint;
  readonly provider: string;
  readonly reference: string;
  /** The time of the last notice, or when a sweep found the payment. */
  readonly received_at: Date;
  /** The time from which it must be read back. */
  readonly open_since: Date;
};

export type ClaimedNotice = Claimed<NoticeRow>;
export type HeldNotice = Held<NoticeRow, 'id'>;

/** The lease of a notice: longer than reading it back can take. */
const NOTICE_LEASE_MS = 60_000;

/** Repeatable, because crediting a payment twice has no effect. */
const notices = defineQueue<NoticeRow, 'id'>({
  table: 'bank_notices',
  key: ['id'],
  columns: ['provider', 'reference', 'received_at', 'open_since'],
  lane: 'provider',
  repeatable: true,
  deletes: false,
});

/** A notice that is due within this time is not changed. */
const SOON_MS = 60_000;

/**
 * Adds notices. A deposited payment is not changed. One that was postponed for long or given up
 * becomes due now; a given-up one gets another day. Returns the number of notices that became due.
 */
export async function insertNotices(
  sql: Sql,
  provider: string,
  references: readonly string[],
  source: 'notice' | 'sweep',
): Promise<number> {
  const rows = await sql.query(
    `insert into bank_notices as n (provider, reference, source)
     select $1, reference, $3
     from unnest($2::text[]) as r(reference)
     on conflict (provider, reference) do update
     set
       due_at = now(),
       lease_id = null,
       tries = 0,
       outcome = null,
       received_at = case when n.outcome is null then n.received_at else now() end,
       open_since = case when n.outcome is null then n.open_since else now() end,
       alarmed_at = case when n.outcome is null then n.alarmed_at end
     where n.outcome = 'not_paid'
     or (n.outcome is null and n.lease_id is null and n.due_at > now() + $4 * interval '1 ms')
     or (n.outcome = 'ignored' and excluded.source = 'notice')
     returning 1`,
    [provider, [...new Set(references)].sort(), source, SOON_MS],
  );
  return rows.length;
}

export async function claimNotices(
  sql: Sql,
  providers: readonly string[],
  limit: number,
): Promise<ClaimedNotice[]> {
  return await claimDue(sql, notices, { limit, leaseMs: NOTICE_LEASE_MS, lanes: providers });
}

/** Settles a notice, until another one comes for the payment. */
export async function settleNotice(
  sql: Sql,
  notice: HeldNotice,
  outcome: 'deposited' | 'ignored' | 'not_paid',
  alarm?: ItemAlarm,
): Promise<void> {
  await settleItem(sql, notices, notice, { set: { outcome }, alarm });
}

/** Quarantines a notice whose payment cannot be read or credited. */
export async function quarantineNotice(sql: Sql, notice: ClaimedNotice): Promise<void> {
  const message = `the payment ${notice.reference} of ${notice.provider} cannot be processed; the log has the error`;
  await settleItem(sql, notices, notice, aside({ message }));
}

/** Postpones a notice. Raises the alarm once until the notice is settled. */
export async function postponeNotice(
  sql: Sql,
  notice: HeldNotice,
  pauseMs: number,
  alarm?: ItemAlarm,
): Promise<void> {
  await settleItem(sql, notices, notice, { pauseMs, alarm });
}
