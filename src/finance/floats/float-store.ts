/** SQL of floats: the balance in the books, pending purchases, spending by the hour, and limits. */

import type { Environment } from '../../core/environment.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type FloatLimits = {
  readonly provider: string;
  readonly hours: number | null;
  readonly amount: bigint | null;
  readonly drift: bigint | null;
  readonly pause_below: bigint | null;
};

export async function listLimits(sql: Sql): Promise<FloatLimits[]> {
  return await sql.query<FloatLimits>(`
    select provider, hours, amount, drift, pause_below
    from float_limits`);
}

/** Sets the limits of a provider and returns the earlier ones. */
export async function replaceLimits(tx: Tx, limits: FloatLimits): Promise<FloatLimits | undefined> {
  const [before] = await tx.query<FloatLimits>(
    `select provider, hours, amount, drift, pause_below
     from float_limits
     where provider = $1
     for update`,
    [limits.provider],
  );
  await tx.query(
    `insert into float_limits (provider, hours, amount, drift, pause_below)
     values ($1, $2, $3, $4, $5)
     on conflict (provider) do update
     set
       hours = excluded.hours,
       amount = excluded.amount,
       drift = excluded.drift,
       pause_below = excluded.pause_below`,
    [limits.provider, limits.hours, limits.amount, limits.drift, limits.pause_below],
  );
  return before;
}

export type Booked = {
  readonly provider: string;
  readonly environment: Environment;
  /** The balance by the books, in kobo. */
  readonly expected: bigint;
  /** A top-up was booked. Before that the books only contain the spending. */
  readonly is_opened: boolean;
};

/** Lists the float accounts of the ledger. */
export async function listBooked(sql: Sql): Promise<Booked[]> {
  return await sql.query<Booked>(`
    select
      split_part(a.code, ':', 2) as provider,
      a.environment,
      (-(coalesce(b.balance, 0) + coalesce(d.delta, 0)))::bigint as expected,
      exists (
        select 1
        from float_movements m
        where m.provider = split_part(a.code, ':', 2)
        and m.environment = a.environment
        and m.kind = 'top_up'
      ) as is_opened
    from accounts a
    left join house_balances b on b.account_id = a.id
    left join (
      select account_id, sum(delta) as delta
      from house_deltas
      group by account_id
    ) d on d.account_id = a.id
    where a.kind = 'float'
    and a.currency = 'NGN'
    order by a.code`);
}

/** The maximum number of pending purchases that are summed. Beyond that the sum is large anyway. */
const UNDER_WAY_MAX = 200_000;

/** Sums the charges of pending purchases that were sent, in kobo: their possible cost so far. */
export async function sumUnderWay(sql: Sql): Promise<Map<string, bigint>> {
  const rows = await sql.query<{ provider: string; environment: string; charge: bigint }>(
    `select provider, environment, sum(charge)::bigint as charge
     from (
       select provider, environment, charge
       from pending_purchases
       where step = 'query'
       and provider <> ''
       limit $1
     ) p
     group by provider, environment`,
    [UNDER_WAY_MAX],
  );
  return new Map(rows.map(({ provider, environment, charge }) => [`${provider} ${environment}`, charge]));
}

/** How long hours are kept. */
const KEPT_DAYS = 60;

/** Records the total cost of purchases at the start of this hour, once an hour and provider. */
export async function noteHour(sql: Sql): Promise<void> {
  await sql.query(`
    insert into float_hours (provider, environment, hour, cost)
    select provider, environment, date_trunc('hour', now()), sum(amount)::bigint
    from money_totals
    where kind = 'cost'
    group by provider, environment
    on conflict (provider, environment, hour) do nothing`);
  await sql.query(
    `delete from float_hours
     where hour < now() - $1 * interval '1 day'`,
    [KEPT_DAYS],
  );
}

export type HourRow = {
  readonly provider: string;
  readonly environment: Environment;
  readonly hour: Date;
  readonly cost: bigint;
};

/** Lists the cost of whole hours of the last days. An hour that was not recorded is skipped. */
export async function listHours(sql: Sql, days: number): Promise<HourRow[]> {
  return await sql.query<HourRow>(
    `select h.provider, h.environment, h.hour, (h.next_cost - h.cost)::bigint as cost
     from (
       select
         provider,
         environment,
         hour,
         cost,
         lead(hour) over by_hour as next_hour,
         lead(cost) over by_hour as next_cost
       from float_hours
       where hour >= date_trunc('hour', now()) - $1 * interval '1 day'
       window by_hour as (partition by provider, environment order by hour)
     ) h
     where h.next_hour = h.hour + interval '1 hour'
     order by h.provider, h.environment, h.hour`,
    [days],
  );
}
