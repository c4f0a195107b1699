/** The SQL of closed days: what is frozen of each, and what came later. */
import type { Row, Sql, Tx } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import type { Currency } from '../kernel/money.ts';
import { balanceAt } from './ledger-store.ts';
import { pendingNow, pendingThen } from './report-store.ts';

export type ClosedDay = {
  readonly environment: Environment;
  readonly day: string;
  readonly closed_at: Date;
  readonly closed_by: string;
  readonly closed_principal: string;
  readonly pending: readonly PendingSum[];
  readonly audit_position: bigint;
  /** Small letters and digits, as the other two. */
  readonly audit_hash: string;
  readonly figures_hash: string;
  readonly previous_hash: string;
  readonly hash: string;
};

/** What was pending at the end of the day. Whole numbers as text. */
export type PendingSum = {
  readonly currency: Currency;
  readonly count: string;
  readonly held: string;
  readonly over_30s: string;
  readonly over_24h: string;
};

const columns = `environment, day::text as day, closed_at, closed_by, closed_principal, pending, audit_position,
       encode(audit_hash, 'hex') as audit_hash, encode(figures_hash, 'hex') as figures_hash,
       encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash`;

export async function findClosedDay(
  sql: Sql,
  environment: Environment,
  day: string,
): Promise<ClosedDay | undefined> {
  const [row] = await sql.query<ClosedDay>(
    `select ${columns} from closed_days where environment = $1 and day = $2::date`,
    [environment, day],
  );
  return row;
}

/** The newest first. */
export async function listClosedDays(
  sql: Sql,
  environment: Environment,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ClosedDay[]> {
  return await sql.query<ClosedDay>(
    `select ${columns}
     from closed_days
     where environment = $1
     and day < coalesce($2::date, 'infinity')
     order by closed_days.day desc
     limit $3`,
    [environment, page.before ?? null, page.limit],
  );
}

/** The database's own. */
export async function readClock(sql: Sql): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>('select clock_timestamp() as at');
  if (row === undefined) throw new Error('the database has a time');
  return row.at;
}

const sumOfPending = `select
         currency,
         sum(count)::text as count,
         sum(held)::text as held,
         sum(over_30s)::text as over_30s,
         sum(over_24h)::text as over_24h`;

/** What stood at the moment of a round: pending purchases, and the balances of the ledger. */
export type Standing = {
  readonly pending: readonly PendingSum[];
  /** JSON: account and balance of those that are not zero. */
  readonly balances: string;
};

/** For beginRound, whose own value is the first. */
export function countStanding(
  environment: Environment,
  day: string,
): { readonly text: string; readonly values: readonly unknown[] } {
  return {
    text: `, days as (select $2::text as environment, $3::date as first, $3::date as last),
     open as (
       ${sumOfPending}
       from (${pendingNow}) as p
       group by currency
     ),
     standing as (
       select account_id, posted as balance
       from wallets
       union all
       select account_id, sum(amount)
       from (
         select account_id, balance as amount
         from house_balances
         union all
         select account_id, delta
         from house_deltas
       ) as parts
       group by account_id
     )
     select
       (select coalesce(json_agg(open), '[]') from open) as pending,
       (
         select coalesce(json_agg(json_build_array(account_id::text, balance::text)), '[]')::text
         from standing
         where balance <> 0
       ) as balances`,
    values: [environment, day],
  };
}

export type WrongBalance = {
  readonly account: string;
  readonly currency: Currency;
  /** Of the transfers that are added up. */
  readonly sold: bigint;
  readonly booked: bigint;
};

/** An account whose transfers, as they are added up, are not its balance of the same moment. */
export async function findWrongBalance(tx: Tx, balances: string): Promise<WrongBalance | undefined> {
  const [row] = await tx.query<WrongBalance>(
    `with standing as materialized (
       select (pair->>0)::bigint as account_id, (pair->>1)::bigint as balance
       from json_array_elements($1::json) as pair
     )
     select a.code as account, a.currency, coalesce(b.balance, 0) as sold, coalesce(s.balance, 0) as booked
     from standing s
     full join report_balances b on b.account_id = s.account_id
     join accounts a on a.id = coalesce(s.account_id, b.account_id)
     where coalesce(s.balance, 0) <> coalesce(b.balance, 0)
     limit 1`,
    [balances],
  );
  return row;
}

/** Of what is added up: what was pending at the end of a day, and is not any more. */
export async function readPendingThen(tx: Tx, environment: Environment, day: string): Promise<PendingSum[]> {
  return await tx.query<PendingSum & Row>(
    `with days as (select $1::text as environment, $2::date as first, $2::date as last)
     ${sumOfPending}
     from (${pendingThen}) as p
     group by currency`,
    [environment, day],
  );
}

export async function insertClosedBalances(tx: Tx, environment: Environment, day: string): Promise<void> {
  await tx.query(
    `insert into closed_balances (environment, day, account_id, balance)
     with ${balanceAt}
     select $1, $2::date, account_id, balance
     from balance_at`,
    [environment, day],
  );
}

/** The balances must be stored. */
export async function insertClosedDay(
  tx: Tx,
  { environment, day, closedBy, principal, pending }: NewClosedDay,
): Promise<ClosedDay> {
  await tx.query(
    `insert into closed_days (
       environment, day, closed_at, closed_by, closed_principal, pending, audit_position, audit_hash, figures_hash, previous_hash, hash
     )
     select
       n.*,
       closed_day_hash((
         n.environment, n.day, n.closed_at, n.closed_by, n.closed_principal, n.pending, n.audit_position, n.audit_hash,
         n.figures_hash, n.previous_hash, null
       )::closed_days)
     from (
       select
         $1::text as environment,
         $2::date as day,
         clock_timestamp() as closed_at,
         $3::text as closed_by,
         $4::text as closed_principal,
         $5::jsonb as pending,
         coalesce(head.position, 0) as audit_position,
         coalesce(head.hash, ${noHash}) as audit_hash,
         day_figures_hash($1, $2::date, $5::jsonb) as figures_hash,
         coalesce(before.hash, ${noHash}) as previous_hash
       from (select) as one
       left join (
         select position, hash
         from audit_log_chain
         order by position desc
         limit 1
       ) as head on true
       left join (
         select hash
         from closed_days
         where environment = $1
         order by day desc
         limit 1
       ) as before on true
     ) as n`,
    [environment, day, closedBy, principal, JSON.stringify(pending)],
  );
  const stored = await findClosedDay(tx, environment, day);
  if (stored === undefined) throw new Error('the day was stored');
  return stored;
}

const noHash = "decode(repeat('00', 32), 'hex')";

type NewClosedDay = {
  readonly environment: Environment;
  readonly day: string;
  readonly closedBy: string;
  readonly principal: string;
  readonly pending: readonly PendingSum[];
};

/** Whether the figures of a day are those that were frozen, and its hash is that of them. */
export async function isIntact(sql: Sql, environment: Environment, day: string): Promise<boolean> {
  const [row] = await sql.query<{ intact: boolean }>(
    `select
       figures_hash = day_figures_hash(environment, day, pending) and hash = closed_day_hash(d) as intact
     from closed_days d
     where environment = $1
     and day = $2::date`,
    [environment, day],
  );
  return row?.intact === true;
}

export type LaterEntry = {
  /** When it was booked. */
  readonly day: string;
  readonly kind: 'success' | 'failed' | 'refund' | 'provider_refund' | 'late_transfer';
  readonly merchant: string;
  readonly currency: Currency;
  readonly count: bigint;
  readonly amount: bigint;
};

/**
 * What was booked on a later day and belongs to purchases of this one: those that were accepted on
 * it and became final later (of successes the charge, of failures what was given back), and money
 * that was given back for its sales. And transfers that have a time of this day, and came after it
 * was closed.
 */
export async function listLater(sql: Sql, environment: Environment, day: string): Promise<LaterEntry[]> {
  return await sql.query<LaterEntry>(
    `select l.day::text as day, l.kind, coalesce(m.code, '') as merchant, l.currency, sum(l.count)::bigint as count,
       sum(l.amount)::bigint as amount
     from (
       select day, 'success' as kind, merchant_id, currency, successes as count, charge as amount
       from report_sales
       where environment = $1 and accepted_day = $2::date and day > $2::date and successes > 0 and accepted_day <> day
       union all
       select day, 'failed', merchant_id, currency, failures, held - charge
       from report_sales
       where environment = $1 and accepted_day = $2::date and day > $2::date and failures > 0 and accepted_day <> day
       union all
       select day, case kind when 'merchant' then 'refund' else 'provider_refund' end, merchant_id, currency, count, amount
       from report_refunds
       where environment = $1 and sale_day = $2::date and day > $2::date and sale_day <> day
       union all
       select t.day, 'late_transfer', t.merchant_id, a.currency, 1, t.amount
       from report_late_transfers t
       join accounts a on a.id = t.debit_account_id
       where t.environment = $1 and t.own_day = $2::date
     ) as l
     left join merchants m on m.id = l.merchant_id
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4`,
    [environment, day],
  );
}
