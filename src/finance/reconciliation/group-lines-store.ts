/** SQL that groups a provider's lines into orders and movements. */
import type { Sql } from '../../db/database.ts';

/**
 * Gives lines whose reference is the provider's own id the reference of our attempt: the one that
 * the provider answered with the id. A line that no answer names gets the reference of an attempt
 * without an id if the two are the only ones with this recipient, plan or amount, and time.
 */
async function nameOrders(
  sql: Sql,
  { name, environment }: { readonly name: string; readonly environment: string },
): Promise<void> {
  await sql.query(
    `create temporary table own_attempts as
     select
       a.reference,
       a.started_at,
       v.product,
       right(regexp_replace(v.recipient, '\\D', '', 'g'), 10) as recipient,
       v.face_value,
       v.details -> 'planCodes' -> $1 ->> 'variation_code' as plan,
       (
         select said.provider_id
         from provider_answers said
         where said.merchant_id = a.merchant_id
         and said.purchase_id = a.purchase_id
         and said.attempt = a.number
         and said.provider_id is not null
         order by said.at desc
         limit 1
       ) as provider_id
     from (
       select merchant_id, purchase_id, number, reference, started_at
       from attempts
       where provider = $1
       and started_at > (select min(at) - interval '1 day' from reported_lines)
       and started_at < (select max(at) + interval '1 hour' from reported_lines)
       and exists (
         select 1
         from reported_lines
         where reference = product || ' ' || provider_id
       )
       offset 0
     ) a
     cross join lateral (
       select x.product, x.recipient, x.face_value, x.details
       from purchases x
       where x.merchant_id = a.merchant_id
       and x.environment = $2
       and x.id = a.purchase_id
       offset 0
     ) v`,
    [name, environment],
  );
  await sql.query(`
    update reported_lines l
    set reference = o.reference
    from own_attempts o
    where l.reference = l.product || ' ' || l.provider_id
    and o.product = l.product
    and o.provider_id = l.provider_id`);
  await sql.query(`
    with fitting as (
      select
        l.n,
        o.reference,
        count(*) over (partition by l.reference) as attempts,
        count(*) over (partition by o.reference) as lines
      from reported_lines l
      join own_attempts o
        on o.provider_id is null
        and o.product = l.product
        and o.recipient = right(regexp_replace(l.recipient, '\\D', '', 'g'), 10)
        and l.at between o.started_at - interval '5 minutes' and o.started_at + interval '1 hour'
        and coalesce(l.amount = o.face_value, l.item -> 'planCodes' ->> 'variation_code' = o.plan)
      where l.reference = l.product || ' ' || l.provider_id
    )
    update reported_lines l
    set reference = f.reference
    from fitting f
    where f.n = l.n
    and f.attempts = 1
    and f.lines = 1`);
}

/**
 * Groups the lines of each order. Lines under one id of the provider are one delivery, and their
 * different costs add up. Each line without an id is a delivery. A reversal cancels one delivery; a
 * reversal of less than the cost cancels none and reduces the cost.
 */
async function groupOrders(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table reported_ids as
    select
      reference,
      key,
      min(provider_id) as provider_id,
      bool_or(state = 'delivered') as delivered,
      bool_or(state = 'reversed') as reversed,
      bool_or(state = 'pending') as pending,
      min(n) as n,
      min(at) as at,
      (array_agg(words order by at desc, n desc))[1] as words,
      (array_agg(product order by n) filter (where product is not null))[1] as product,
      (array_agg(network order by n) filter (where network is not null))[1] as network,
      (array_agg(recipient order by n) filter (where recipient is not null))[1] as recipient,
      (array_agg(item order by n) filter (where item is not null))[1] as item,
      (array_agg(amount order by n) filter (where amount is not null))[1] as amount,
      (array_agg(amount_currency order by n) filter (where amount_currency is not null))[1] as amount_currency,
      coalesce(
        sum(distinct cost) filter (where state = 'delivered'),
        (array_agg(cost order by state = 'reversed', n) filter (where cost is not null))[1]
      )::bigint as cost,
      (array_agg(coalesce(cost, amount) order by n) filter (where state = 'reversed'))[1] as back,
      min(currency) as currency
    from (
      select
        *,
        coalesce(
          'id ' || provider_id,
          'line ' || row_number() over (
            partition by reference, state, provider_id is null order by coalesce(cost, amount) desc, n
          )
        ) as key
      from reported_lines
      where state in ('delivered', 'pending', 'failed', 'reversed')
      and reference is not null
    ) keyed
    group by reference, key`);
  await sql.query(`
    create temporary table reported_orders as
    select
      row_number() over (order by min(n)) as id,
      reference,
      (count(*) filter (where counts)
        - count(*) filter (where reversed and not partly and not delivered))::integer as deliveries,
      bool_or(reversed and not partly) as reversed,
      bool_or(pending and not delivered and not reversed) as pending,
      min(n) as n,
      min(at) as at,
      (array_agg(words order by delivered desc, n))[1] as words,
      (array_agg(provider_id order by delivered desc, n))[1] as provider_id,
      (array_agg(product order by delivered desc, n))[1] as product,
      (array_agg(network order by delivered desc, n))[1] as network,
      (array_agg(recipient order by delivered desc, n))[1] as recipient,
      (array_agg(item order by delivered desc, n))[1] as item,
      (array_agg(amount order by delivered desc, n))[1] as amount,
      (array_agg(amount_currency order by delivered desc, n))[1] as amount_currency,
      (array_agg(cost order by delivered desc, n))[1] as cost,
      (sum(cost) filter (where counts)
        - coalesce(sum(coalesce(back, most)) filter (where reversed and (partly or not delivered)), 0)
      )::bigint as all_costs,
      min(currency) as currency
    from (
      select *, delivered and (not reversed or partly) as counts
      from (
        select
          *,
          reversed and coalesce(back < case when delivered then cost else most end, false) as partly
        from (
          select *, max(cost) filter (where delivered) over (partition by reference) as most
          from reported_ids
        ) with_most
      ) with_part
    ) counted
    group by reference`);
  await sql.query('create index reported_orders_id on reported_orders (id)');
  await sql.query('create index reported_orders_reference on reported_orders (reference)');
}

/**
 * Gives each movement a reference to book it under. An id that only one line has is the reference.
 * Other lines get their id, if any, their time and the change of our balance:
 * `ID/2026-11-22T13:05:00/-5000`. Equal lines are numbered: `…#2`, `…#3`.
 */
async function groupMovements(
  sql: Sql,
  { name, environment }: { readonly name: string; readonly environment: string },
): Promise<void> {
  await sql.query(`
    create temporary table reported_movements (
      id bigint not null,
      state text not null,
      provider_id text,
      reference text not null,
      n bigint not null,
      at timestamptz not null,
      words text not null,
      amount bigint not null,
      currency text not null
    )`);
  await sql.query(
    `insert into reported_movements (id, state, provider_id, reference, n, at, words, amount, currency)
     select
       row_number() over (order by n) as id,
       state,
       provider_id,
       base || case when place = 1 then '' else '#' || place end as reference,
       n,
       at,
       words,
       amount,
       currency
     from (
       select *, row_number() over (partition by base order by n) as place
       from (
         select
           *,
           case
             -- An earlier booking under the same id is another movement.
             when times = 1 and provider_id is not null and not exists (
               select
               from float_movements f
               where f.provider = $1
               and f.environment = $2
               and f.reference = lines.provider_id
               and f.moved_at < lines.at - interval '2 days'
             ) then provider_id
             else concat(
               provider_id || '/',
               to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
               case when state in ('top_up', 'reversed') then '/+' else '/-' end,
               amount
             )
           end as base
         from (
           select
             case when state = 'payment' then 'top_up' else state end as state,
             reference,
             provider_id,
             n,
             at,
             words,
             coalesce(cost, amount, 0) as amount,
             currency,
             count(*) over (partition by provider_id) as times
           from reported_lines
         ) lines
         where state in ('top_up', 'charge')
         or (reference is null and state in ('delivered', 'pending', 'reversed'))
       ) based
       where amount <> 0
     ) placed`,
    [name, environment],
  );
  await sql.query('create index reported_movements_id on reported_movements (id)');
  await sql.query('create index reported_movements_reference on reported_movements (reference)');
}

export async function groupReportedLines(
  sql: Sql,
  party: { readonly name: string; readonly environment: string },
): Promise<void> {
  await nameOrders(sql, party);
  await groupOrders(sql);
  await groupMovements(sql, party);
  for (const table of ['reported_orders', 'reported_movements']) await sql.query(`analyze ${table}`);
}
