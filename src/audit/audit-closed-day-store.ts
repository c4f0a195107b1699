/**
 * Checks of closed days: the frozen figures are unchanged, days follow each other without a gap,
 * and the transfers of a day equal those at its close.
 */
import type { Sql } from '../db/database.ts';
import type { Slice } from './audit-slice-store.ts';
import type { AuditCheck } from './audit-store.ts';

export const closedDayChecks: readonly AuditCheck[] = [
  {
    name: 'closed-days',
    description:
      'Closed days follow each other, each with the hash of the day before and an entry in the audit log',
    over: 'moment',
    at: 'coordinator',
    differences: `
      select coalesce(d.environment, e.environment) as environment, coalesce(d.day, e.day)::text as day,
        encode(d.hash, 'hex') as hash, e.hash as closed_with
      from closed_days d
      left join closed_days before
        on before.environment = d.environment
        and before.day = d.day - 1
      left join audit_log_chain link on link.position = d.audit_position
      full join (
        select split_part(subject, ':', 2) as environment, split_part(subject, ':', 3)::date as day, after->>'hash' as hash
        from audit_log
        where action = 'day.close'
      ) as e
        on e.environment = d.environment
        and e.day = d.day
      where d.day is null
      or d.hash <> closed_day_hash(d)
      or e.hash is distinct from encode(d.hash, 'hex')
      or d.previous_hash <> coalesce(before.hash, decode(repeat('00', 32), 'hex'))
      or d.audit_hash <> coalesce(link.hash, decode(repeat('00', 32), 'hex'))`,
  },
  {
    name: 'closed-day-figures',
    description: 'The figures of a closed day are the frozen ones',
    over: 'closed day',
    differences: `
      select d.environment, d.day::text as day, encode(d.figures_hash, 'hex') as frozen
      from closed_days d
      join checked_day c
        on c.environment = d.environment
        and c.day = d.day
      where d.figures_hash <> day_figures_hash(d.environment, d.day, d.pending)`,
  },
  {
    name: 'closed-day-transfers',
    description: 'The transfers of a closed day add up to the balances that it was closed with',
    over: 'closed day',
    differences: `
      select c.environment, c.day::text as day, account_id, frozen.moved as frozen, day_moved.moved as transfers
      from (
        select account_id, sum(balance) as moved
        from (
          select b.account_id, b.balance
          from closed_balances b
          join checked_day c
            on c.environment = b.environment
            and c.day = b.day
          union all
          select b.account_id, -b.balance
          from closed_balances b
          join checked_day c
            on c.environment = b.environment
            and c.day - 1 = b.day
        ) as both_days
        group by account_id
      ) as frozen
      full join day_moved using (account_id)
      cross join checked_day c
      where coalesce(frozen.moved, 0) <> coalesce(day_moved.moved, 0)`,
  },
];

export type CheckedDay = {
  readonly environment: string;
  readonly day: string;
  /** The start of its transfers; null for the first closed day, which has all earlier ones. */
  readonly begins: Date | null;
  /** The start of the search: no transfer is older than the first merchant. */
  readonly looked_from: Date;
  readonly ends: Date;
};

/** Lists all closed days, in order. */
export async function listClosedDays(sql: Sql): Promise<CheckedDay[]> {
  return await sql.query<CheckedDay>(
    `select
       d.environment,
       d.day::text as day,
       b.begins,
       coalesce(b.begins, (select min(created_at) - interval '1 day' from merchants), d.closed_at) as looked_from,
       ((d.day + 1)::timestamp - interval '1 hour') at time zone 'UTC' as ends
     from closed_days d
     cross join lateral (
       select
         case
           when exists (select from closed_days where environment = d.environment and day < d.day)
             then (d.day::timestamp - interval '1 hour') at time zone 'UTC'
         end as begins
     ) as b
     order by d.environment, d.day`,
  );
}

export type MovedRow = { readonly account_id: bigint; readonly moved: string };

/** Sums the movements of the transfers of a time span in the day. */
export async function sumMovedWithin(
  sql: Sql,
  { environment }: CheckedDay,
  from: Date | null,
  to: Date,
): Promise<MovedRow[]> {
  return await sql.query<MovedRow>(
    `with moved as materialized (
       select t.debit_account_id, t.credit_account_id, t.amount
       from transfers t
       join accounts a on a.id = t.debit_account_id
       where t.created_at >= coalesce($2::timestamptz, '-infinity')
       and t.created_at < $3
       and a.environment = $1
     )
     select account_id, sum(delta)::text as moved
     from (
       select debit_account_id as account_id, -amount as delta
       from moved
       union all
       select credit_account_id, amount
       from moved
     ) as legs
     group by account_id`,
    [environment, from, to],
  );
}

export function closedDaySlice({ environment, day }: CheckedDay, moved: ReadonlyMap<bigint, bigint>): Slice {
  return {
    tables: [
      'checked_day as (select $1::text as environment, $2::date as day)',
      'day_moved as (select * from json_to_recordset($3) as t(account_id bigint, moved numeric))',
    ],
    values: [
      environment,
      day,
      JSON.stringify([...moved].map(([id, amount]) => ({ account_id: String(id), moved: String(amount) }))),
    ],
  };
}
