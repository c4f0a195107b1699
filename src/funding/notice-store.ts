/** SQL of notices: hints that there may be a payment to read back. One row a payment, however often it is told. */
import type { Sql } from '../db/database.ts';

export type NoticeRow = {
  readonly id: bigint;
  readonly provider: string;
  readonly reference: string;
  /** This one counted. */
  readonly tries: number;
  readonly received_at: Date;
};

/** What a claimed notice is kept from others for; longer than reading it back can take. */
const NOTICE_LEASE_MS = 60_000;

/**
 * Takes hints in. A payment that is deposited stays so; one that is put off for long, or was given up, is looked at now.
 * Gives how many are to be looked at because of this.
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
     set due_at = now(), tries = 0, outcome = null
     where n.outcome = 'not_paid'
     or (n.outcome is null and n.due_at > now() + $4 * interval '1 ms')
     or (n.outcome = 'ignored' and excluded.source = 'notice')
     returning 1`,
    [provider, [...new Set(references)].sort(), source, NOTICE_LEASE_MS],
  );
  return rows.length;
}

export async function claimNotices(
  sql: Sql,
  providers: readonly string[],
  limit: number,
): Promise<NoticeRow[]> {
  return await sql.query<NoticeRow>(
    `update bank_notices
     set due_at = now() + $3 * interval '1 ms', tries = tries + 1
     where id in (
       select id
       from bank_notices
       where due_at <= now()
       and provider = any($1::text[])
       order by due_at
       limit $2
       for update skip locked
     )
     returning id, provider, reference, tries, received_at`,
    [providers, limit, NOTICE_LEASE_MS],
  );
}

export async function settleNotice(
  sql: Sql,
  id: bigint,
  outcome: 'deposited' | 'ignored' | 'not_paid',
): Promise<void> {
  await sql.query(
    `update bank_notices
     set outcome = $2, due_at = null
     where id = $1`,
    [id, outcome],
  );
}

export async function putOffNotice(sql: Sql, id: bigint, dueMs: number): Promise<void> {
  await sql.query(
    `update bank_notices
     set due_at = now() + $2 * interval '1 ms'
     where id = $1
     and outcome is null`,
    [id, dueMs],
  );
}
