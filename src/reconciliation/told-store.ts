/**
 * SQL of what a provider or a bank told: its lines, in temporary tables of one connection. They go
 * with the connection, so that a process that dies leaves nothing, and a file of any length takes
 * no memory here.
 */
import type { Sql } from '../db/database.ts';
import type { StatementLine } from '../statements/statement-line.ts';

export async function makeToldTables(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table told (
      n bigint not null,
      page integer,
      state text not null,
      words text not null,
      at timestamptz not null,
      reference text,
      provider_id text,
      product text,
      recipient text,
      is_recipient_cut boolean not null,
      amount bigint,
      amount_currency text,
      cost bigint,
      currency text not null,
      balance bigint
    )`);
  await sql.query(`
    create temporary table found_differences (
      number integer not null generated always as identity,
      kind text not null,
      line bigint,
      reference text,
      provider_id text,
      merchant_id integer,
      vend_id uuid,
      at timestamptz not null,
      amount bigint not null,
      effect bigint not null,
      here text not null,
      there text not null,
      mend text,
      applied text,
      purchase text
    )`);
}

export async function insertTold(sql: Sql, lines: readonly StatementLine[]): Promise<void> {
  await sql.query(
    `insert into told (
       n, page, state, words, at, reference, provider_id, product, recipient, is_recipient_cut, amount,
       amount_currency, cost, currency, balance
     )
     select *
     from unnest(
       $1::bigint[], $2::integer[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::boolean[], $11::bigint[], $12::text[], $13::bigint[], $14::text[],
       $15::bigint[]
     )`,
    [
      lines.map(({ line }) => line),
      lines.map(({ page }) => page ?? null),
      lines.map(({ state }) => state),
      lines.map(({ words }) => words),
      lines.map(({ at }) => at),
      lines.map(({ reference }) => reference ?? null),
      lines.map(({ providerId }) => providerId ?? null),
      lines.map(({ product }) => product ?? null),
      lines.map(({ recipient }) => recipient ?? null),
      lines.map(({ isRecipientCut = false }) => isRecipientCut),
      lines.map(({ amount }) => amount ?? null),
      lines.map(({ amountCurrency }) => amountCurrency ?? null),
      lines.map(({ cost }) => cost ?? null),
      lines.map(({ currency }) => currency),
      lines.map(({ balance }) => balance ?? null),
    ],
  );
}

/**
 * Removes the lines that a list gave again on another page. Equal lines of one page are separate
 * orders or movements. Returns how many lines were removed.
 */
export async function removeRepeats(sql: Sql): Promise<number> {
  const content = `state, words, at, reference, provider_id, product, recipient, amount, amount_currency, cost,
    currency, balance`;
  const rows = await sql.query(`
    delete from told t
    using (
      select n, row_number() over (partition by ${content}, place order by n) as told_times
      from (
        select *, row_number() over (partition by ${content}, page order by n) as place
        from told
      ) placed
    ) counted
    where t.n = counted.n
    and counted.told_times > 1
    returning 1`);
  return rows.length;
}

/**
 * Removes the lines of a bank's file that are equal to another line under the same id: an id is of
 * one payment. Returns how many lines were removed.
 */
export async function removeRepeatedPayments(sql: Sql): Promise<number> {
  const rows = await sql.query(`
    delete from told t
    using (
      select n, row_number() over (
        partition by provider_id, state, words, at, amount, cost, currency order by n
      ) as told_times
      from told
      where provider_id is not null
    ) counted
    where t.n = counted.n
    and counted.told_times > 1
    returning 1`);
  return rows.length;
}

/**
 * Puts the lines of each order together. Lines under one id of the provider's are one delivery, and
 * different costs of it add up. Lines without an id are a delivery each. A reversal takes one
 * delivery back; a reversal of less than the cost takes none, and reduces what was taken.
 */
async function collapseOrders(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table told_ids as
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
      (array_agg(recipient order by n) filter (where recipient is not null))[1] as recipient,
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
      from told
      where state in ('delivered', 'pending', 'failed', 'reversed')
      and reference is not null
    ) keyed
    group by reference, key`);
  await sql.query(`
    create temporary table told_orders as
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
      (array_agg(recipient order by delivered desc, n))[1] as recipient,
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
          from told_ids
        ) with_most
      ) with_part
    ) counted
    group by reference`);
  await sql.query('create index told_orders_id on told_orders (id)');
  await sql.query('create index told_orders_reference on told_orders (reference)');
}

/**
 * Gives each movement of money a reference to book it under. An id that one line has is the
 * reference. Other lines are known by their id, if any, their time and what our balance rose by:
 * `ID/2026-11-22T13:05:00/-5000`. Equal lines are told apart by their place: `…#2`, `…#3`.
 */
async function collapseMovements(
  sql: Sql,
  { name, environment }: { readonly name: string; readonly environment: string },
): Promise<void> {
  await sql.query(`
    create temporary table told_movements (
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
    `insert into told_movements (id, state, provider_id, reference, n, at, words, amount, currency)
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
             when times = 1 and not is_taken then provider_id
             else concat(
               provider_id || '/',
               to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
               case when state in ('top_up', 'reversed') then '/+' else '/-' end,
               amount
             )
           end as base
         from (
           select
             case when t.state = 'payment' then 'top_up' else t.state end as state,
             t.reference,
             t.provider_id,
             t.n,
             t.at,
             t.words,
             coalesce(t.cost, t.amount, 0) as amount,
             t.currency,
             count(*) over (partition by t.provider_id) as times,
             -- A booking from long before the line is another movement under the same id.
             t.provider_id is null or exists (
               select
               from float_movements f
               where f.provider = $1
               and f.environment = $2
               and f.reference = t.provider_id
               and f.moved_at < t.at - interval '2 days'
             ) as is_taken
           from told t
         ) lines
         where state in ('top_up', 'charge')
         or (reference is null and state in ('delivered', 'pending', 'reversed'))
       ) based
       where amount <> 0
     ) placed`,
    [name, environment],
  );
  await sql.query('create index told_movements_id on told_movements (id)');
  await sql.query('create index told_movements_reference on told_movements (reference)');
}

export async function collapseTold(
  sql: Sql,
  party: { readonly name: string; readonly environment: string },
): Promise<void> {
  await collapseOrders(sql);
  await collapseMovements(sql, party);
  for (const table of ['told_orders', 'told_movements']) await sql.query(`analyze ${table}`);
}

/** Lines that are compared with no record of ours, by the reason. */
export type Explained = Readonly<Record<string, number>>;

const NOTHING_MOVED = `case
  when state = 'unrelated' then 'unrelated'
  when reference is not null and state not in ('top_up', 'charge', 'payment') then null
  when state = 'failed' or coalesce(cost, amount, 0) = 0 then 'moved_nothing'
end`;

const NO_PAYMENT = `case
  when state = 'unrelated' then 'unrelated'
  when state in ('pending', 'failed') then 'not_paid'
  when state not in ('payment', 'reversed') then 'no_payment'
  when currency <> all($1) then 'other_currency'
end`;

async function explain(sql: Sql, reason: string, values: readonly unknown[]): Promise<Explained> {
  const rows = await sql.query<{ reason: string; lines: bigint }>(
    `select reason, count(*) as lines
     from (
       select ${reason} as reason
       from told
     ) lines
     where reason is not null
     group by reason
     order by reason`,
    [...values],
  );
  return Object.fromEntries(rows.map(({ reason, lines }) => [reason, Number(lines)]));
}

export async function explainLines(
  sql: Sql,
  party: { readonly kind: 'provider' | 'bank'; readonly currencies: readonly string[] },
): Promise<Explained> {
  return party.kind === 'bank'
    ? await explain(sql, NO_PAYMENT, [party.currencies])
    : await explain(sql, NOTHING_MOVED, []);
}

export async function hasOtherCurrency(sql: Sql): Promise<boolean> {
  const rows = await sql.query("select 1 from told where currency <> 'NGN' limit 1");
  return rows.length > 0;
}

/** What left an account by the lines of its statement, less what came; and the fees of payments. */
export async function sumLines(sql: Sql): Promise<{ readonly gross: bigint; readonly fees: bigint }> {
  const [row] = await sql.query<{ gross: bigint; fees: bigint }>(`
    select
      coalesce(sum(case
        when state in ('payment', 'top_up') then -amount
        when state in ('charge', 'reversed') then amount
        when state = 'delivered' then coalesce(cost, amount)
      end), 0)::bigint as gross,
      coalesce(sum(cost) filter (where state = 'payment'), 0)::bigint as fees
    from told`);
  return row ?? { gross: 0n, fees: 0n };
}

export async function countCutRecipients(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: bigint }>(
    'select count(*) as count from told where is_recipient_cut',
  );
  return Number(row?.count ?? 0n);
}

export type FoundDifference = {
  readonly kind: string;
  readonly line: bigint | null;
  readonly reference: string | null;
  readonly provider_id: string | null;
  readonly merchant_id: number | null;
  readonly vend_id: string | null;
  readonly at: Date;
  readonly amount: bigint;
  readonly effect: bigint;
  readonly here: string;
  readonly there: string;
  readonly mend: string | null;
  /** The merchant's reference of the purchase, for what is done about it. */
  readonly purchase: string | null;
};

export type NumberedDifference = FoundDifference & { readonly number: number };

export async function insertDifferences(sql: Sql, found: readonly FoundDifference[]): Promise<void> {
  if (found.length === 0) return;
  await sql.query(
    `insert into found_differences (
       kind, line, reference, provider_id, merchant_id, vend_id, at, amount, effect, here, there, mend,
       purchase
     )
     select *
     from unnest(
       $1::text[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::uuid[], $7::timestamptz[],
       $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[]
     )`,
    [
      found.map(({ kind }) => kind),
      found.map(({ line }) => line),
      found.map(({ reference }) => reference),
      found.map(({ provider_id: id }) => id),
      found.map(({ merchant_id: id }) => id),
      found.map(({ vend_id: id }) => id),
      found.map(({ at }) => at),
      found.map(({ amount }) => amount),
      found.map(({ effect }) => effect),
      found.map(({ here }) => here),
      found.map(({ there }) => there),
      found.map(({ mend }) => mend),
      found.map(({ purchase }) => purchase),
    ],
  );
}

export async function sumEffects(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ sum: bigint }>(
    'select coalesce(sum(effect), 0)::bigint as sum from found_differences',
  );
  return row?.sum ?? 0n;
}

export async function listFound(sql: Sql, after: number, limit: number): Promise<NumberedDifference[]> {
  return await sql.query<NumberedDifference>(
    `select
       number, kind, line, reference, provider_id, merchant_id, vend_id, at, amount, effect, here, there,
       mend, purchase
     from found_differences
     where number > $1
     order by number
     limit $2`,
    [after, limit],
  );
}

export async function markApplied(sql: Sql, number: number, applied: string): Promise<void> {
  await sql.query('update found_differences set applied = $2 where number = $1', [number, applied]);
}

/** Whether the provider says that it gave the money back, and not only that it failed. */
export async function isToldReversed(sql: Sql, reference: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1
     from told_orders
     where reference = $1
     and reversed
     and deliveries < 1`,
    [reference],
  );
  return rows.length > 0;
}
