/**
 * SQL of recent outcomes by provider. It reads counts of slots, which are few, whatever the volume
 * of sales.
 */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

export type RecentRow = {
  readonly environment: Environment;
  readonly provider: string;
  /** Null if a row is the whole provider. */
  readonly product: string | null;
  readonly network: string | null;
  readonly hour_successes: bigint;
  readonly hour_failures: bigint;
  readonly day_successes: bigint;
  readonly day_failures: bigint;
  /** In milliseconds, over the day; null if no answer was measured. */
  readonly latency_p95: bigint | null;
};

/** The length of a slot of recent_outcomes. */
export const SLOT_MS = 300_000;

/**
 * Reads counts by environment, provider and, with `byRoute`, product and network. `hourFrom` and
 * `dayFrom` are starts of slots.
 */
export async function readRecent(
  sql: Sql,
  {
    dayFrom,
    hourFrom,
    provider,
    byRoute,
  }: {
    readonly dayFrom: Date;
    readonly hourFrom: Date;
    /** Only this provider. */
    readonly provider: string | undefined;
    readonly byRoute: boolean;
  },
): Promise<RecentRow[]> {
  const place = byRoute ? 'product, network' : 'null::text as product, null::text as network';
  return await sql.query<RecentRow>(
    `with counted as (
       select
         environment, provider, ${place}, delivered, latency_class,
         sum(count)::bigint as day,
         coalesce(sum(count) filter (where slot >= $2), 0)::bigint as hour,
         max(longest_ms) as longest_ms
       from recent_outcomes
       where slot >= $1
       and ($3::text is null or provider = $3)
       group by 1, 2, 3, 4, 5, 6
     ),
     reaching as (
       select
         environment, provider, product, network,
         (report_time_bounds())[latency_class + 1] as ends_at,
         sum(sum(day)) over classes as reached,
         sum(sum(day)) over whole as total,
         max(max(longest_ms)) over whole as longest_ms
       from counted
       where latency_class >= 0
       group by environment, provider, product, network, latency_class
       window
         whole as (partition by environment, provider, product, network),
         classes as (whole order by latency_class)
     ),
     timed as (
       select environment, provider, product, network, min(least(ends_at, longest_ms)) as latency_p95
       from reaching
       where reached * 100 >= total * 95
       group by 1, 2, 3, 4
     ),
     ended as (
       select
         environment, provider, product, network,
         coalesce(sum(hour) filter (where delivered), 0)::bigint as hour_successes,
         coalesce(sum(hour) filter (where not delivered), 0)::bigint as hour_failures,
         coalesce(sum(day) filter (where delivered), 0)::bigint as day_successes,
         coalesce(sum(day) filter (where not delivered), 0)::bigint as day_failures
       from counted
       group by 1, 2, 3, 4
     )
     select e.*, t.latency_p95
     from ended e
     left join timed t
       on t.environment = e.environment
       and t.provider = e.provider
       and t.product is not distinct from e.product
       and t.network is not distinct from e.network
     order by e.environment, e.provider, e.product, e.network`,
    [dayFrom, hourFrom, provider ?? null],
  );
}
