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
      state text not null,
      words text not null,
      at timestamptz not null,
      reference text,
      provider_id text,
      product text,
      recipient text,
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
       n, state, words, at, reference, provider_id, product, recipient, amount, amount_currency, cost,
       currency, balance
     )
     select *
     from unnest(
       $1::bigint[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::bigint[], $10::text[], $11::bigint[], $12::text[], $13::bigint[]
     )`,
    [
      lines.map(({ line }) => line),
      lines.map(({ state }) => state),
      lines.map(({ words }) => words),
      lines.map(({ at }) => at),
      lines.map(({ reference }) => reference ?? null),
      lines.map(({ providerId }) => providerId ?? null),
      lines.map(({ product }) => product ?? null),
      lines.map(({ recipient }) => recipient ?? null),
      lines.map(({ amount }) => amount ?? null),
      lines.map(({ amountCurrency }) => amountCurrency ?? null),
      lines.map(({ cost }) => cost ?? null),
      lines.map(({ currency }) => currency),
      lines.map(({ balance }) => balance ?? null),
    ],
  );
}

/**
 * Puts the lines of each order together. Lines of one id of the provider's are one delivery,
 * however often they were told; a reversal under an id of its own takes one delivery back. One of
 * less than the order had cost takes back no delivery, and its money is less that was taken.
 */
export async function collapseTold(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table told_ids as
    select
      reference,
      coalesce(provider_id, '') as provider_id,
      bool_or(state = 'delivered') as delivered,
      bool_or(state = 'reversed') as reversed,
      bool_or(state = 'pending') as pending,
      count(*) as lines,
      min(n) as n,
      min(at) as at,
      (array_agg(words order by at desc, n desc))[1] as words,
      (array_agg(recipient order by n) filter (where recipient is not null))[1] as recipient,
      (array_agg(amount order by n) filter (where amount is not null))[1] as amount,
      (array_agg(amount_currency order by n) filter (where amount_currency is not null))[1] as amount_currency,
      (array_agg(cost order by state = 'reversed', n) filter (where cost is not null))[1] as cost,
      (array_agg(coalesce(cost, amount) order by n) filter (where state = 'reversed'))[1] as back,
      min(currency) as currency
    from told
    where state in ('delivered', 'pending', 'failed', 'reversed')
    and reference is not null
    group by reference, coalesce(provider_id, '')`);
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
      (array_agg(nullif(provider_id, '') order by delivered desc, n))[1] as provider_id,
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
  await sql.query(`
    create temporary table told_movements as
    select
      row_number() over (order by min(n)) as id,
      state,
      provider_id,
      coalesce(provider_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || '/' || coalesce(cost, amount)) as reference,
      min(n) as n,
      at,
      min(words) as words,
      coalesce(cost, amount, 0) as amount,
      currency
    from told
    where state in ('top_up', 'charge', 'payment')
    or (reference is null and state in ('delivered', 'pending', 'reversed'))
    group by state, provider_id, at, coalesce(cost, amount), coalesce(cost, amount, 0), currency`);
  await sql.query('create index told_movements_id on told_movements (id)');
  await sql.query('create index told_movements_reference on told_movements (reference)');
  for (const table of ['told_orders', 'told_movements']) await sql.query(`analyze ${table}`);
}

export type ToldEnds = {
  readonly lines: bigint;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
};

export async function findEnds(sql: Sql): Promise<ToldEnds> {
  const [row] = await sql.query<ToldEnds>(
    'select count(*) as lines, min(at) as first_at, max(at) as last_at from told',
  );
  return row ?? { lines: 0n, first_at: null, last_at: null };
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
