/** SQL of the ledger's sums: balances at the end of a day, and movements by code. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import type { Days } from './report-store.ts';

/**
 * Credits less debits of each account at the end of day $2, as `balance_at`: the frozen balance of
 * a closed day, else the current balance less later movements.
 */
export const balanceAt = `moved_since as (
       select account_id, sum(delta) as delta
       from (
         select debit_account_id as account_id, -amount as delta
         from report_ledger
         where environment = $1
         and day > $2::date
         union all
         select credit_account_id, amount
         from report_ledger
         where environment = $1
         and day > $2::date
       ) as legs
       where not exists (select from closed_days where environment = $1 and day = $2::date)
       group by account_id
     ),
     balance_at as (
       select account_id, balance
       from closed_balances
       where environment = $1
       and day = $2::date
       union all
       select b.account_id, (b.balance - coalesce(s.delta, 0))::bigint
       from report_balances b
       join accounts a on a.id = b.account_id and a.environment = $1
       left join moved_since s on s.account_id = b.account_id
       where not exists (select from closed_days where environment = $1 and day = $2::date)
     )`;

export type BalanceSum = {
  readonly kind: string;
  /** Empty for wallets, which are summed together. */
  readonly name: string;
  readonly currency: Currency;
  /** The sums of positive and of negative balances. */
  readonly above: bigint;
  readonly below: bigint;
  /** The number of accounts with a negative balance. */
  readonly accounts_below: bigint;
};

export async function sumBalances(sql: Sql, environment: Environment, day: string): Promise<BalanceSum[]> {
  return await sql.query<BalanceSum>(
    `with ${balanceAt}
     select
       a.kind,
       case when a.kind = 'wallet' then '' else split_part(a.code, ':', 2) end as name,
       a.currency,
       coalesce(sum(b.balance) filter (where b.balance > 0), 0)::bigint as above,
       coalesce(sum(b.balance) filter (where b.balance < 0), 0)::bigint as below,
       count(*) filter (where b.balance < 0) as accounts_below
     from balance_at b
     join accounts a on a.id = b.account_id
     group by 1, 2, 3
     order by 3, 1, 2`,
    [environment, day],
  );
}

export type AccountBalance = {
  readonly id: bigint;
  readonly code: string;
  readonly kind: string;
  readonly currency: Currency;
  /** The merchant of a wallet. */
  readonly merchant: string | null;
  /** Credits less debits. */
  readonly balance: bigint;
};

/** Lists the accounts that ever moved, by code. */
export async function listBalancesAt(
  sql: Sql,
  environment: Environment,
  day: string,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<AccountBalance[]> {
  return await sql.query<AccountBalance>(
    `with ${balanceAt}
     select a.id, a.code, a.kind, a.currency, m.code as merchant, b.balance
     from balance_at b
     join accounts a on a.id = b.account_id
     left join merchants m on m.id = a.merchant_id
     where $3::text is null or a.code > $3
     order by a.code
     limit $4`,
    [environment, day, page.after ?? null, page.limit],
  );
}

export type MovedSum = {
  readonly code: string;
  readonly debit_kind: string;
  readonly credit_kind: string;
  readonly currency: Currency;
  readonly count: bigint;
  readonly amount: bigint;
};

/** Sums the movements of these days, by code. */
export async function sumMoved(sql: Sql, { environment, from, to }: Days): Promise<MovedSum[]> {
  return await sql.query<MovedSum>(
    `select
       l.code,
       d.kind as debit_kind,
       c.kind as credit_kind,
       d.currency,
       sum(l.count)::bigint as count,
       sum(l.amount)::bigint as amount
     from report_ledger l
     join accounts d on d.id = l.debit_account_id
     join accounts c on c.id = l.credit_account_id
     where l.environment = $1
     and l.day between $2::date and $3::date
     group by 1, 2, 3, 4
     order by 4, 1, 2, 3`,
    [environment, from, to],
  );
}
