/** The SQL that measures each account's last 30 days. */
import { LONG_UNKNOWN_MS, MEASURED_DAYS } from '../../catalog/measures/measure.ts';
import type { Environment } from '../../core/environment.ts';
import type { Tx } from '../../db/database.ts';

export type MeasuredFloat = {
  readonly provider: string;
  readonly environment: Environment;
  /** In kobo; null if it is unknown. */
  readonly left: bigint | null;
  readonly hours: number | null;
};

/** Returns false if another process measures, or measured less than `freshMs` ago. */
export async function claimMeasuring(tx: Tx, freshMs: number): Promise<boolean> {
  const [row] = await tx.query<{ mine: boolean }>(
    `select
       pg_try_advisory_xact_lock(hashtext('oja.provider_measures'))
       and not exists (
         select
         from provider_measures
         where measured_at > now() - $1 * interval '1 millisecond'
         and measured_at <= now()
       ) as mine`,
    [freshMs],
  );
  return row?.mine === true;
}

/** The maximum number of pending purchases that are counted. More would not change a grade. */
const PENDING_MAX = 10_000;

/**
 * Replaces all measures.
 *
 * An answer is contradicted when the provider reported success and failure of one attempt, or a
 * reconciled statement contradicts the books. Only purchases with such an alarm or difference are
 * read.
 */
export async function replaceMeasures(tx: Tx, floats: readonly MeasuredFloat[]): Promise<void> {
  await tx.query('delete from provider_measures');
  await tx.query(
    `with done as (
       select
         environment, provider, product, network,
         sum(delivered) as delivered,
         sum(delivered + refused) as answers,
         sum(refused) as refusals,
         sum(long_unknown) as long_unknown,
         sum(final_ms) as final_ms,
         sum(face_value) as face_value,
         sum(cost) as cost
       from provider_days
       where day > lagos_day(now()) - $1::integer
       group by environment, provider, product, network
     ),
     pending as (
       select p.environment, p.provider, v.product, v.network, count(*) as long_unknown
       from (
         select merchant_id, environment, purchase_id, provider
         from pending_purchases
         where step = 'query'
         and provider <> ''
         and created_at < now() - $2 * interval '1 millisecond'
         limit $3
       ) p
       join purchases v
         on v.merchant_id = p.merchant_id
         and v.environment = p.environment
         and v.id = p.purchase_id
       group by p.environment, p.provider, v.product, v.network
     ),
     doubted as (
       select distinct merchant_id, purchase_id
       from alarms
       where at > now() - $1 * interval '1 day'
       and kind in ('contradiction', 'stale')
       and purchase_id is not null
     ),
     said as (
       select
         a.merchant_id, a.purchase_id, a.provider,
         min(s.at) filter (where s.kind = 'success') as delivered_at,
         min(s.at) filter (
           where s.kind = 'failed'
           -- "Not found" is a refusal if it ended the purchase, or if it retracts a delivery.
           or (s.kind = 'not_found' and o.status = 'failed' and s.at = o.at)
           or (s.kind = 'not_found' and o.status = 'success' and s.at > o.at)
         ) as refused_at
       from doubted d
       join attempts a
         on a.merchant_id = d.merchant_id
         and a.purchase_id = d.purchase_id
       join provider_answers s
         on s.merchant_id = a.merchant_id
         and s.purchase_id = a.purchase_id
         and s.attempt = a.number
         and s.source in ('purchase', 'query', 'callback')
       left join purchase_outcomes o
         on o.merchant_id = a.merchant_id
         and o.purchase_id = a.purchase_id
       group by a.merchant_id, a.purchase_id, a.number, a.provider
     ),
     lies as (
       select merchant_id, purchase_id, provider, refused_at < delivered_at as is_refusal
       from said
       where delivered_at is not null
       and refused_at is not null
       union
       select f.merchant_id, f.purchase_id, r.party, f.kind = 'delivered_there_failed_here'
       from reconciliation_differences f
       join reconciliation_runs r on r.id = f.run_id
       where r.at > now() - $1 * interval '1 day'
       and f.kind in ('delivered_there_failed_here', 'failed_there_success_here')
       and f.purchase_id is not null
     ),
     contradicted as (
       select v.environment, l.provider, v.product, v.network, count(*) as contradicted,
         count(*) filter (where l.is_refusal) as delivered_refusals
       from (
         select merchant_id, purchase_id, provider, bool_or(is_refusal) as is_refusal
         from lies
         group by merchant_id, purchase_id, provider
       ) l
       cross join (values ('live'), ('test')) as e(environment)
       join purchases v
         on v.merchant_id = l.merchant_id
         and v.environment = e.environment
         and v.id = l.purchase_id
       group by v.environment, l.provider, v.product, v.network
     ),
     differing as (
       select a.provider, count(distinct d.day) as days
       from alarms a
       cross join lateral generate_series(
         greatest(lagos_day(a.at), lagos_day(now()) - $1::integer + 1)::timestamp,
         lagos_day(coalesce(a.ended_at, now()))::timestamp,
         interval '1 day'
       ) as d(day)
       -- Without a merchant, like the index, because purchases have many alarms.
       where a.merchant_id is null
       and a.kind = 'float_differs'
       and a.provider is not null
       and coalesce(a.ended_at, now()) > now() - $1 * interval '1 day'
       group by a.provider
     ),
     places as (
       select environment, provider, product, network from done
       union
       select environment, provider, product, network from pending
       union
       select environment, provider, product, network from contradicted
     )
     insert into provider_measures (
       environment, provider, product, network, delivered, answers, refusals, long_unknown, final_ms, face_value, cost,
       contradicted, delivered_refusals, differing_days, float_left, float_hours
     )
     select
       environment, provider, product, network,
       coalesce(done.delivered, 0),
       coalesce(done.answers, 0),
       coalesce(done.refusals, 0),
       coalesce(done.long_unknown, 0) + coalesce(pending.long_unknown, 0),
       coalesce(done.final_ms, 0),
       coalesce(done.face_value, 0),
       coalesce(done.cost, 0),
       coalesce(contradicted.contradicted, 0),
       coalesce(contradicted.delivered_refusals, 0),
       coalesce(differing.days, 0),
       f.float_left,
       f.float_hours
     from places
     left join done using (environment, provider, product, network)
     left join pending using (environment, provider, product, network)
     left join contradicted using (environment, provider, product, network)
     left join differing using (provider)
     left join unnest($4::text[], $5::text[], $6::bigint[], $7::float8[])
       as f(provider, environment, float_left, float_hours) using (provider, environment)`,
    [
      MEASURED_DAYS,
      LONG_UNKNOWN_MS,
      PENDING_MAX,
      floats.map(({ provider }) => provider),
      floats.map(({ environment }) => environment),
      floats.map(({ left }) => left),
      floats.map(({ hours }) => hours),
    ],
  );
}

/** Deletes days that are no longer measured. */
export async function forgetOldDays(tx: Tx): Promise<void> {
  await tx.query('delete from provider_days where day <= lagos_day(now()) - $1::integer', [MEASURED_DAYS]);
}
