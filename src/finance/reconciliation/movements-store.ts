/** SQL of money that moved there without an order of ours, beside what is booked of it. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

type Of = { readonly provider: string; readonly environment: Environment };

type MovementState = 'top_up' | 'charge' | 'delivered' | 'pending' | 'reversed';

/** A line of the provider's. */
export type ReportedMovement = {
  readonly id: bigint;
  readonly state: MovementState;
  /** What the movement is booked under. */
  readonly reference: string;
  readonly provider_id: string | null;
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly booked_kind: 'top_up' | 'charge' | null;
  /**
   * What left by the books under the reference, in naira, and in the currency of the account there
   * where that is another: below zero for a top-up. With what was booked later to correct it.
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

/** Booked in a time, and not reported; those for orders are counted with their orders. */
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
