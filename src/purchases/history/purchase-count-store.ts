/** SQL of the counters of purchases. A count is the counter plus the deltas of batches. */
import type { Tx } from '../../db/database.ts';

/** A position in the order of the deltas. */
export type CountPlace = { readonly merchantId: number; readonly environment: string; readonly id: bigint };

export const firstCountPlace: CountPlace = { merchantId: -1, environment: '', id: 0n };

/**
 * Adds up to `limit` deltas after a position to the counters, skipping those that another process
 * is taking. Returns their number and the last position.
 */
export async function consumeCountDeltas(
  tx: Tx,
  after: CountPlace,
  limit: number,
): Promise<{ readonly consumed: number; readonly last: CountPlace | undefined }> {
  const rows = await tx.query<{
    consumed: bigint;
    merchant_id: number;
    environment: string;
    id: bigint;
  }>(
    `with due as materialized (
       select merchant_id, environment, id, tableoid, ctid
       from purchase_count_deltas
       where (merchant_id, environment, id) > ($1, $2, $3)
       order by merchant_id, environment, id
       limit $4
       for update skip locked
     ),
     taken as (
       -- By their addresses, which cannot change while they are locked. By key, a planner that last
       -- saw an empty table would compare each row with each. Partitions have the same addresses;
       -- "is true" keeps the planner from joining.
       delete from purchase_count_deltas
       where ctid = any(array(select ctid from due))
       and ((tableoid, ctid) in (select tableoid, ctid from due)) is true
       returning merchant_id, environment, network, status, count
     ),
     -- In key order: two concurrent roll-ups wait for each other, but never deadlock.
     rolled as (
       insert into purchase_counts as c (merchant_id, environment, network, status, count)
       select merchant_id, environment, network, status, sum(count)::bigint
       from taken
       group by merchant_id, environment, network, status
       order by merchant_id, environment, network, status
       on conflict (merchant_id, environment, network, status) do update
       set count = c.count + excluded.count
     )
     select count(*) over () as consumed, merchant_id, environment, id
     from due
     order by merchant_id desc, environment desc, id desc
     limit 1`,
    [after.merchantId, after.environment, after.id, limit],
  );
  const [row] = rows;
  if (row === undefined) return { consumed: 0, last: undefined };
  const { merchant_id, environment, id } = row;
  return { consumed: Number(row.consumed), last: { merchantId: merchant_id, environment, id } };
}
