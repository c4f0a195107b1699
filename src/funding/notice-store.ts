/**
 * SQL of notices: hints that there may be a payment to read back. One row a payment, however often
 * it is told.
 */
import type { Sql } from '../db/database.ts';
import { type Claimed, defineQueue, type Held } from '../db/queue/leased-queue.ts';
import { claimDue, type ItemAlarm, settleItem } from '../db/queue/queue-store.ts';
import { aside } from '../db/queue/work-all.ts';

type NoticeRow = {
  readonly id: bigint;
  readonly provider: string;
  readonly reference: string;
  /** When a provider told of it last, or when it was found. */
  readonly received_at: Date;
  /** Since when it is to be read back, this time. */
  readonly open_since: Date;
};

export type ClaimedNotice = Claimed<NoticeRow>;
export type HeldNotice = Held<NoticeRow, 'id'>;

/** How long a claimed notice is this process's own: longer than reading it back can take. */
const NOTICE_LEASE_MS = 60_000;

/** Repeatable: taking a payment in twice does nothing. */
const notices = defineQueue<NoticeRow, 'id'>({
  table: 'bank_notices',
  key: ['id'],
  columns: ['provider', 'reference', 'received_at', 'open_since'],
  lane: 'provider',
  repeatable: true,
  deletes: false,
});

/** What is due sooner than this need not be made due by a hint. */
const SOON_MS = 60_000;

/**
 * Takes hints in. A payment that is deposited stays so; one that is put off for long, or was given
 * up, is looked at now. What was given up has another day, whoever tells of it. Gives how many are
 * to be looked at because of this.
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

/** It need not be looked at any more, unless it is told of again. */
export async function settleNotice(
  sql: Sql,
  notice: HeldNotice,
  outcome: 'deposited' | 'ignored' | 'not_paid',
  alarm?: ItemAlarm,
): Promise<void> {
  await settleItem(sql, notices, notice, { set: { outcome }, alarm });
}

/** Its payment cannot be read, or not be credited, whatever is wrong with it. */
export async function quarantineNotice(sql: Sql, notice: ClaimedNotice): Promise<void> {
  const message = `the payment ${notice.reference} of ${notice.provider} cannot be worked on; the log says why`;
  await settleItem(sql, notices, notice, aside({ message }));
}

/** The alarm is raised once until the notice is settled. */
export async function putOffNotice(
  sql: Sql,
  notice: HeldNotice,
  pauseMs: number,
  alarm?: ItemAlarm,
): Promise<void> {
  await settleItem(sql, notices, notice, { pauseMs, alarm });
}
