/**
 * The SQL behind the gauges. Its cost grows neither with history nor with the number of pending
 * purchases, because monitoring must not make an incident worse.
 */

import { type Environment, environments } from '../../core/environment.ts';
import { greatestId } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';

/** The purchases of one age are counted up to this number. */
const COUNTED_MAX = 10_000;

/** The ages, youngest first, each with the seconds at which it begins. */
const ages = [
  ['under_30s', 0],
  ['30s_to_5m', 30],
  ['5m_to_1h', 300],
  ['1h_to_24h', 3_600],
  ['over_24h', 86_400],
] as const;

type PendingCount = { readonly environment: Environment; readonly age: string; readonly count: number };

/**
 * Counts pending purchases by environment and age, up to 10,000 of each age. Ids of purchases begin
 * with their time, so the ages of one merchant are ranges of the primary key.
 */
export async function countPendingByAge(sql: Sql, now: Date): Promise<PendingCount[]> {
  const found = (await inEachCell(sql, (cell) => countInCell(cell, now))).flat();
  return environments.flatMap((environment) =>
    ages.map(([age]) => {
      const same = found.filter((one) => one.environment === environment && one.age === age);
      const count = same.reduce((sum, one) => sum + one.count, 0);
      return { environment, age, count: Math.min(count, COUNTED_MAX) };
    }),
  );
}

async function countInCell(sql: Sql, now: Date): Promise<PendingCount[]> {
  return await sql.query<PendingCount>(
    `
    with recursive merchant as (
      (
        select merchant_id
        from pending_purchases
        order by merchant_id
        limit 1
      )
      union all
      select (
        select p.merchant_id
        from pending_purchases p
        where p.merchant_id > m.merchant_id
        order by p.merchant_id
        limit 1
      )
      from merchant m
      where m.merchant_id is not null
    )
    select b.age, counted.environment, counted.count
    from unnest($1::text[], $2::uuid[], $3::uuid[]) as b(age, low, high)
    cross join lateral (
      select pending.environment, count(*)::integer as count
      from (
        select own.environment
        from merchant m
        cross join lateral (
          select p.environment
          from pending_purchases p
          where p.merchant_id = m.merchant_id
          and p.purchase_id >= b.low
          and p.purchase_id < b.high
          limit $4
        ) as own
        limit $4
      ) as pending
      group by pending.environment
    ) as counted`,
    [
      ages.map(([age]) => age),
      ages.map((_, index) => firstIdAt(now, ages[index + 1]?.[1])),
      // The clocks of processes differ: a purchase from the future counts as young.
      ages.map(([, fromS], index) => (index === 0 ? greatestId : firstIdAt(now, fromS))),
      COUNTED_MAX,
    ],
  );
}

/** The lowest id that a purchase of that age can have. */
function firstIdAt(now: Date, ageS: number | undefined): string {
  const ms = ageS === undefined ? 0 : now.getTime() - ageS * 1_000;
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

export async function countOpenAlarms(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count
     from (
       select 1
       from alarms
       where acknowledged_at is null
       limit $1
     ) as open`,
    [COUNTED_MAX],
  );
  return rows[0]?.count ?? 0;
}
