/** SQL of movements without an order, as reported and as booked. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

type Of = { readonly provider: string; readonly environment: Environment };

type MovementState = 'top_up' | 'charge' | 'delivered' | 'pending' | 'reversed';

/** A line that the provider reported. */
export type ReportedMovement = {
  readonly id: bigint;
  readonly state: MovementState;
  /** The reference that the movement is booked under. */
  readonly reference: string;
  readonly provider_id: string | null;
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly booked_kind: 'top_up' | 'charge' | null;
  /**
   * The booked amount under the reference with its corrections, in naira and in the account's
   * currency if that is another. Negative for a top-up.
   */
  readonly booked: bigint | null;
  readonly booked_foreign: bigint | null;
};

export async function listReportedMovements(
  sql: Sql,
  { provider, environment }: Of,
  after: bigint,
  limit: number,
): Promise<ReportedMovement[]> {
  return await sql.query<ReportedMovement>(
    `select
       t.id, t.state, t.reference, t.provider_id, t.n, t.at, t.words, t.amount, t.currency,
       f.kind as booked_kind, f.amount as booked, f.foreign_amount as booked_foreign
     from (
       select *
       from reported_movements
       where id > $3
       order by id
       limit $4
     ) t
     left join lateral (
       select
         (array_agg(x.kind order by length(x.reference)))[1] as kind,
         sum(case x.kind when 'top_up' then -x.amount else x.amount end)::bigint as amount,
         sum(case x.kind when 'top_up' then -x.foreign_amount else x.foreign_amount end)::bigint
           as foreign_amount
       from float_movements x
       where x.provider = $1
       and x.environment = $2
       and x.reference = any(array[t.reference, t.reference || ':more'])
       offset 0
     ) f on true
     order by t.id`,
    [provider, environment, after, limit],
  );
}

export type BookedMovement = {
  readonly id: string;
  readonly kind: 'top_up' | 'charge';
  readonly amount: bigint;
  readonly reference: string | null;
  readonly moved_at: Date;
};

/**
 * Lists bookings of a period that are not reported. Bookings for orders are counted with their
 * orders.
 */
export async function listUnreportedMovements(
  sql: Sql,
  { provider, environment }: Of,
  from: Date,
  to: Date,
): Promise<BookedMovement[]> {
  return await sql.query<BookedMovement>(
    `select f.id, f.kind, f.amount, f.reference, f.moved_at
     from float_movements f
     where f.provider = $1
     and f.environment = $2
     and f.moved_at >= $3
     and f.moved_at < $4
     and (f.reference is null or f.reference not like 'order:%')
     and not exists (
       select
       from reported_movements t
       where t.reference = any(array[f.reference, regexp_replace(f.reference, ':more$', '')])
     )
     order by f.moved_at, f.id`,
    [provider, environment, from, to],
  );
}
