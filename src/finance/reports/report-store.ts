/** SQL of a report: the sums of some days, by the chosen columns. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import { collectRows } from '../../db/in-each-cell.ts';
import { readCheckpoint } from './roll-up-store.ts';

export const reportColumns = ['product', 'network', 'kind', 'provider', 'merchant'] as const;
export type ReportColumn = (typeof reportColumns)[number];

/** The column of each report column in the tables of the roll-up. */
const stored: Readonly<Record<ReportColumn, string>> = {
  product: 'product',
  network: 'network',
  kind: 'plan_kind',
  provider: 'provider',
  merchant: 'merchant_id',
};

/** Days in Lagos, such as 2026-11-21, both inclusive. */
export type Days = {
  readonly environment: Environment;
  readonly from: string;
  readonly to: string;
};

/** Whole numbers as text: milliseconds, or null if none was measured. */
export type Percentiles = {
  readonly count: string;
  readonly p50: string | null;
  readonly p95: string | null;
  readonly p99: string | null;
};

export type ReportRow = {
  /** Null for columns that were not chosen. */
  readonly product: string | null;
  readonly network: string | null;
  /** The kind of data plans or of airtime. Empty for products without kinds. */
  readonly kind: string | null;
  readonly provider: string | null;
  readonly merchant: string | null;
  readonly currency: Currency;
  readonly successes: bigint;
  readonly failures: bigint;
  readonly refused: bigint;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly cost: bigint;
  readonly estimated_cost: bigint;
  readonly losses: bigint;
  readonly loss: bigint;
  readonly refunds: bigint;
  readonly refunded: bigint;
  readonly provider_refunds: bigint;
  readonly provider_refunded: bigint;
  /** At the end of the last day, or now if it is not over. */
  readonly pending: bigint;
  readonly pending_held: bigint;
  readonly pending_30s: bigint;
  readonly pending_24h: bigint;
  /** Counts of purchases that became final in these days. */
  readonly took_30s: bigint;
  readonly took_24h: bigint;
  readonly refunded_30s: bigint;
  readonly latency: Percentiles;
  readonly final: Percentiles;
  readonly refund: Percentiles;
};

/**
 * Reads a report in the order of the columns. `after` has the values of the last row of the page
 * before. Without columns it has one row for each currency: the totals.
 */
export async function readReport(
  sql: Sql,
  { environment, from, to }: Days,
  columns: readonly ReportColumn[],
  page: { readonly after: readonly string[] | undefined; readonly limit: number },
): Promise<ReportRow[]> {
  const keys = [...columns.map((column) => stored[column]), 'currency'];
  const key = keys.join(', ');
  const checkpoint = await readCheckpoint(sql);
  const values: unknown[] = [environment, from, to, page.limit, checkpoint];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const order = [...columns.map(shownAs), 'k.currency'];
  const past =
    page.after === undefined ? '' : `where (${order.join(', ')}) > (${page.after.map(bind).join(', ')})`;
  const ofCells = sql.cells && bind(await collectPending(sql.cells, { environment, from, to }, checkpoint));
  return await sql.query<ReportRow>(
    `with ${parts(key, pendingAtEnd('$5', ofCells))},
     keys as (
       ${['sold', 'returned', 'measured', 'open'].map((part) => `select ${key} from ${part}`).join(' union ')}
     )
     select
       ${reportColumns.map((column) => `${columnOf(column, columns)} as ${column}`).join(',\n       ')},
       k.currency,
       ${selected}
     from keys k
     ${['sold', 'returned', 'measured', 'open'].map((part) => `left join ${part} using (${key})`).join('\n     ')}
     ${columns.includes('merchant') ? 'join merchants m on m.id = k.merchant_id' : ''}
     ${past}
     order by ${order.join(', ')}
     limit $4`,
    values,
  );
}

function columnOf(column: ReportColumn, columns: readonly ReportColumn[]): string {
  return columns.includes(column) ? shownAs(column) : 'null';
}

function shownAs(column: ReportColumn): string {
  return column === 'merchant' ? 'm.code' : `k.${stored[column]}`;
}

const sums = [
  'successes',
  'failures',
  'refused',
  'face_value',
  'charge',
  'cost',
  'estimated_cost',
  'losses',
  'loss',
] as const;

const refundSums = ['refunds', 'refunded', 'provider_refunds', 'provider_refunded'] as const;
const openSums = ['pending', 'pending_held', 'pending_30s', 'pending_24h'] as const;
const timeSums = ['took_30s', 'took_24h', 'refunded_30s'] as const;

const selected = [
  ...[...sums, ...refundSums, ...openSums, ...timeSums].map(
    (name) => `coalesce(${name}, 0)::bigint as ${name}`,
  ),
  ...['latency', 'final', 'refund'].map(
    (measure) =>
      `json_build_object('count', coalesce(${measure}_count, 0)::text, ${['p50', 'p95', 'p99']
        .map((name) => `'${name}', ${measure}_${name}::text`)
        .join(', ')}) as ${measure}`,
  ),
].join(',\n       ');

/** Builds the sums, each grouped by the key. */
function parts(key: string, pending: string): string {
  return `days as (select $1::text as environment, $2::date as first, $3::date as last),
     sold as (
       select ${key}, ${sums.map((name) => `sum(${name}) as ${name}`).join(', ')}
       from report_sales
       where environment = $1
       and day between $2 and $3
       group by ${key}
     ),
     returned as (
       select
         ${key},
         sum(count) filter (where kind = 'merchant') as refunds,
         sum(amount) filter (where kind = 'merchant') as refunded,
         sum(count) filter (where kind = 'provider') as provider_refunds,
         sum(amount) filter (where kind = 'provider') as provider_refunded
       from report_refunds
       where environment = $1
       and day between $2 and $3
       group by ${key}
     ),
     ${measuredParts(key)},
     still_pending as (${pending}),
     open as (
       select
         ${key},
         sum(count) as pending,
         sum(held) as pending_held,
         sum(over_30s) as pending_30s,
         sum(over_24h) as pending_24h
       from still_pending
       group by ${key}
     )`;
}

/**
 * Builds the percentiles: the upper bound of the class that contains the share, or the longest time
 * if that is shorter.
 */
function measuredParts(key: string): string {
  const of = (measure: string): string =>
    [
      `max(total) filter (where measure = '${measure}') as ${measure}_count`,
      ...[50, 95, 99].map(
        (share) =>
          `min(least(ends_at, longest)) filter (where measure = '${measure}' and reached * 100 >= total * ${share}) as ${measure}_p${share}`,
      ),
    ].join(',\n         ');
  return `classes as (
       select ${key}, measure, class, sum(count) as count, max(longest_ms) as longest_ms
       from report_times
       where environment = $1
       and day between $2 and $3
       group by ${key}, measure, class
     ),
     reaching as (
       select
         *,
         (report_time_bounds())[class + 1] as ends_at,
         sum(count) over (partition by ${key}, measure order by class) as reached,
         sum(count) over (partition by ${key}, measure) as total,
         max(longest_ms) over (partition by ${key}, measure) as longest
       from classes
     ),
     measured as (
       select
         ${key},
         ${['latency', 'final', 'refund'].map(of).join(',\n         ')},
         sum(count) filter (where measure = 'final' and (ends_at is null or ends_at > 30000)) as took_30s,
         sum(count) filter (where measure = 'final' and ends_at is null) as took_24h,
         sum(count) filter (where measure = 'refund' and ends_at <= 30000) as refunded_30s
       from reaching
       group by ${key}
     )`;
}

const endOfDays = `least(((days.last + 1)::timestamp - interval '1 hour') at time zone 'UTC', now())`;

/**
 * Purchases that are pending now and were pending at the end of the last day; for today, all
 * pending ones.
 */
const pendingNow = `select
         p.merchant_id,
         v.product,
         v.network,
         plan_kind_of(v.product, v.details) as plan_kind,
         coalesce(nullif(p.provider, ''), 'none') as provider,
         coalesce(a.currency, 'NGN') as currency,
         1::bigint as count,
         p.charge as held,
         (v.created_at < ended.at - interval '30 seconds')::integer as over_30s,
         (v.created_at < ended.at - interval '24 hours')::integer as over_24h
       from days
       cross join lateral (select ${endOfDays} as at) as ended
       join pending_purchases p on p.environment = days.environment
       join purchases v
         on v.merchant_id = p.merchant_id
         and v.environment = p.environment
         and v.id = p.purchase_id
       left join accounts a on a.id = v.wallet_id
       where v.created_at < ended.at
       or ended.at = now()`;

/** Purchases that were pending at the end of the last day and became final later. */
const pendingThen = `select
         s.merchant_id,
         s.product,
         s.network,
         s.plan_kind,
         s.provider,
         s.currency,
         s.successes + s.failures - s.refused as count,
         s.held,
         case when s.accepted_day < days.last then s.successes + s.failures - s.refused else s.waited end as over_30s,
         case when s.accepted_day < days.last then s.successes + s.failures - s.refused else 0 end as over_24h
       from report_sales s
       join days on days.environment = s.environment
       where s.day > days.last
       and s.accepted_day <= days.last
       and s.accepted_day <> s.day`;

/**
 * The same for outcomes that are not rolled up yet. The checkpoint is a parameter, so that the plan
 * fits it.
 */
const pendingUntil = (checkpoint: string): string => `select
         o.merchant_id,
         v.product,
         v.network,
         plan_kind_of(v.product, v.details) as plan_kind,
         coalesce(o.provider, 'none') as provider,
         coalesce(a.currency, 'NGN') as currency,
         1::bigint as count,
         v.charge as held,
         (v.created_at < ended.at - interval '30 seconds')::integer as over_30s,
         (v.created_at < ended.at - interval '24 hours')::integer as over_24h
       from days
       cross join lateral (select ${endOfDays} as at) as ended
       join purchase_outcomes o
         on o.at >= ${checkpoint}::timestamptz
         and o.at >= ended.at
         and o.environment = days.environment
       join purchases v
         on v.merchant_id = o.merchant_id
         and v.environment = o.environment
         and v.id = o.purchase_id
       left join accounts a on a.id = v.wallet_id
       where v.created_at < ended.at
       -- A failure without a provider was refused at once.
       and not (o.status = 'failed' and o.provider is null)
       and ended.at < now()`;

/**
 * Builds the rows of purchases that were pending at the end of the last day of `days`; for today,
 * all pending ones. `ofCells`: the parameter with those of `collectPending`, if the cells are on
 * other servers.
 */
export function pendingAtEnd(checkpoint: string, ofCells?: string): string {
  if (ofCells === undefined) return [pendingNow, pendingThen, pendingUntil(checkpoint)].join(' union all ');
  // The parameter of the checkpoint needs a type.
  const collected = `select * from json_to_recordset(${ofCells}) as t(${columnsOfPending}) where ${checkpoint}::timestamptz is not null`;
  return [collected, pendingThen].join(' union all ');
}

const columnsOfPending =
  'merchant_id integer, product text, network text, plan_kind text, provider text, currency text, count bigint, held bigint, over_30s bigint, over_24h bigint';

/**
 * Sums what the cells have pending at the end of the last day, as JSON for `pendingAtEnd`. The
 * checkpoint was read before, so no purchase is also in the roll-up.
 */
export async function collectPending(
  cells: readonly Sql[],
  { environment, from, to }: Days,
  checkpoint: Date,
): Promise<string> {
  const key = 'merchant_id, product, network, plan_kind, provider, currency';
  return await collectRows(
    cells,
    `select
       ${key},
       sum(count)::bigint as count,
       sum(held)::bigint as held,
       sum(over_30s)::bigint as over_30s,
       sum(over_24h)::bigint as over_24h
     from (${pendingNow} union all ${pendingUntil('$4')}) as p
     group by ${key}`,
    [environment, from, to, checkpoint],
    ['days as (select $1::text as environment, $2::date as first, $3::date as last)'],
  );
}
