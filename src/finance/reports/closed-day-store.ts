/** SQL of closed days: their frozen figures, and later entries. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Row, Sql, Tx } from '../../db/database.ts';
import { collectRows } from '../../db/in-each-cell.ts';
import type { Moment } from '../../db/one-moment.ts';
import { balanceAt } from './ledger-store.ts';
import { collectPending, pendingAtEnd } from './report-store.ts';
import { readCheckpoint } from './roll-up-store.ts';

export type ClosedDay = {
  readonly environment: Environment;
  readonly day: string;
  readonly closed_at: Date;
  readonly closed_by: string;
  readonly closed_principal: string;
  readonly pending: readonly PendingSum[];
  readonly audit_position: bigint;
  /** Hexadecimal, like the other hashes. */
  readonly audit_hash: string;
  readonly figures_hash: string;
  readonly previous_hash: string;
  readonly hash: string;
};

/** The purchases that were pending at the end of the day. Whole numbers as text. */
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

/** Lists closed days, newest first. */
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

export type WrongBalance = {
  readonly account: string;
  readonly currency: Currency;
  /** The sum of its transfers. */
  readonly sold: bigint;
  readonly booked: bigint;
};

const fresh = 'select debit_account_id, credit_account_id, amount from transfers where created_at >= $1';
const held = `
  select account_id, posted as amount
  from wallets
  union all
  select account_id, delta
  from house_deltas`;

/**
 * Finds an account whose transfers do not add up to its balance. The roll-up must be locked. One
 * statement reads everything at one moment.
 */
export async function findWrongBalance(tx: Tx): Promise<WrongBalance | undefined> {
  return await findWrong(tx, fresh, `${held} union all select account_id, balance from house_balances`, [
    await readCheckpoint(tx),
  ]);
}

/** The same for cells on other servers. */
export async function findWrongBalanceOfCells({
  coordinator,
  cells,
}: Moment): Promise<WrongBalance | undefined> {
  const checkpoint = await readCheckpoint(coordinator);
  const sums = `
    select debit_account_id, credit_account_id, sum(amount)::bigint as amount
    from (${fresh}) as t
    group by debit_account_id, credit_account_id`;
  return await findWrong(
    coordinator,
    'select * from json_to_recordset($1) as t(debit_account_id bigint, credit_account_id bigint, amount bigint)',
    `select *
     from json_to_recordset($2) as t(account_id bigint, amount bigint)
     union all
     select account_id, balance
     from house_balances
     union all
     select account_id, delta
     from house_deltas`,
    [await collectRows(cells, sums, [checkpoint]), await collectRows(cells, held)],
  );
}

async function findWrong(
  sql: Sql,
  fresh: string,
  amounts: string,
  values: readonly unknown[],
): Promise<WrongBalance | undefined> {
  const [row] = await sql.query<WrongBalance>(
    `with fresh as materialized (${fresh}),
     moved as (
       select account_id, sum(delta) as balance
       from (
         select account_id, balance as delta
         from report_balances
         union all
         select debit_account_id, -amount
         from fresh
         union all
         select credit_account_id, amount
         from fresh
       ) as parts
       group by account_id
     ),
     standing as (
       select account_id, sum(amount) as balance
       from (${amounts}) as parts
       group by account_id
     )
     select
       a.code as account,
       a.currency,
       coalesce(m.balance, 0)::bigint as sold,
       coalesce(s.balance, 0)::bigint as booked
     from standing s
     full join moved m on m.account_id = s.account_id
     join accounts a on a.id = coalesce(s.account_id, m.account_id)
     where coalesce(s.balance, 0) <> coalesce(m.balance, 0)
     limit 1`,
    values,
  );
  return row;
}

/** Reads the pending totals at the end of a past day, by currency in its order. */
export async function readPendingThen(tx: Tx, environment: Environment, day: string): Promise<PendingSum[]> {
  const checkpoint = await readCheckpoint(tx);
  const days = { environment, from: day, to: day };
  const ofCells = tx.cells && [await collectPending(tx.cells, days, checkpoint)];
  return await tx.query<PendingSum & Row>(
    `with days as (select $1::text as environment, $2::date as first, $2::date as last)
     select
       currency,
       sum(count)::text as count,
       sum(held)::text as held,
       sum(over_30s)::text as over_30s,
       sum(over_24h)::text as over_24h
     from (${pendingAtEnd('$3', ofCells && '$4')}) as p
     group by currency
     order by currency collate "C"`,
    [environment, day, checkpoint, ...(ofCells ?? [])],
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

/** Inserts a closed day, whose balances must be stored before. */
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

/** Returns whether the figures and the hash of a day are unchanged. */
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
  /** The day of the booking. */
  readonly day: string;
  readonly kind: 'success' | 'failed' | 'refund' | 'provider_refund';
  readonly merchant: string;
  readonly currency: Currency;
  readonly count: bigint;
  readonly amount: bigint;
};

/**
 * Lists later bookings that belong to purchases of this day: purchases that became final later (the
 * charge of successes, the returned hold of failures), and refunds of its sales.
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
     ) as l
     left join merchants m on m.id = l.merchant_id
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4`,
    [environment, day],
  );
}
