/** SQL of the payments that a bank reported and of the deposits in the books. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

/**
 * Groups lines by the bank's id: one row a payment, with the amount that the bank took back.
 * `amount` is null where no line states the payment itself.
 */
export async function groupPayments(sql: Sql, currencies: readonly string[]): Promise<void> {
  await sql.query(`
    create temporary table reported_payments (
      id bigint not null,
      provider_id text not null,
      reference text,
      n bigint not null,
      at timestamptz not null,
      words text not null,
      amount bigint,
      taken_back bigint not null,
      fee bigint
    )`);
  await sql.query(
    `insert into reported_payments (id, provider_id, reference, n, at, words, amount, taken_back, fee)
     select
       row_number() over (order by n), provider_id, reference, n, at, words, paid,
       least(coalesce(paid, back), back), fee
     from (
       select
         provider_id,
         (array_agg(reference order by n) filter (where reference is not null))[1] as reference,
         min(n) as n,
         min(at) as at,
         (array_agg(words order by at desc, n desc))[1] as words,
         sum(amount) filter (where state = 'payment')::bigint as paid,
         coalesce(sum(coalesce(amount, cost)) filter (where state = 'reversed'), 0)::bigint as back,
         sum(cost) filter (where state = 'payment')::bigint as fee
       from reported_lines
       where state in ('payment', 'reversed')
       and provider_id is not null
       and currency = any($1)
       group by provider_id
     ) payments`,
    [currencies],
  );
  await sql.query('create index reported_payments_id on reported_payments (id)');
  await sql.query('create index reported_payments_reference on reported_payments (provider_id)');
  await sql.query('create index reported_lines_provider_id on reported_lines (provider_id)');
  await sql.query('create index reported_lines_n on reported_lines (n)');
  await sql.query('analyze reported_payments; analyze reported_lines');
}

export type ComparedPayment = {
  readonly id: bigint;
  readonly provider_id: string;
  /** The reference in the lines besides the bank's id. */
  readonly reference: string | null;
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  /** Zero if only a reversal is known. */
  readonly amount: bigint;
  /** The part of the amount that the bank took back. */
  readonly taken_back: bigint;
  readonly fee: bigint | null;
  readonly deposit_id: string | null;
  readonly gross: bigint | null;
  readonly settled: bigint | null;
  readonly merchant_id: number | null;
  readonly merchant_code: string | null;
  /** Our fee on the deposit. */
  readonly deposit_fee: bigint | null;
  /**
   * The amounts by which the merchant's wallet was corrected for reversals: credits whose key is
   * the id of the deposit, or begins with it and a colon.
   */
  readonly corrections: readonly string[] | null;
};

type Of = { readonly bank: string; readonly environment: Environment };

export async function listReportedPayments(
  sql: Sql,
  { bank, environment }: Of,
  after: bigint,
  limit: number,
): Promise<ComparedPayment[]> {
  return await sql.query<ComparedPayment>(
    `select
       t.id, t.provider_id, t.reference, t.n, t.at, t.words,
       -- A line of what was taken back does not state the payment, which was at least as much.
       coalesce(t.amount, case when d.id is null then 0 else greatest(t.taken_back, d.gross) end) as amount,
       t.taken_back, t.fee,
       d.id as deposit_id, d.gross, d.settled, m.id as merchant_id, m.code as merchant_code,
       coalesce(a.fee, d.fee) as deposit_fee, k.corrections
     from (
       select *
       from reported_payments
       where id > $3
       order by id
       limit $4
     ) t
     left join deposits d
       on d.provider = $1
       and d.provider_reference = t.provider_id
       and d.environment = $2
     left join deposit_assignments a on a.deposit_id = d.id
     left join merchants m on m.id = coalesce(d.merchant_id, a.merchant_id)
     cross join lateral (
       select array_agg(o.input ->> 'amount') as corrections
       from operation_keys o
       where o.operation = 'wallet.credit'
       and o.key between d.id::text and d.id::text || ':zzzz'
       and (o.key = d.id::text or starts_with(o.key, d.id::text || ':'))
     ) k
     order by t.id`,
    [bank, environment, after, limit],
  );
}

export type UnnamedPayment = {
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  readonly state: 'payment' | 'reversed';
  readonly amount: bigint;
};

/** Lists payments without an id, in the order of the lines. */
export async function listUnnamedPayments(
  sql: Sql,
  currencies: readonly string[],
  after: bigint,
  limit: number,
): Promise<UnnamedPayment[]> {
  return await sql.query<UnnamedPayment>(
    `select n, at, words, state, coalesce(amount, cost) as amount
     from reported_lines
     where state in ('payment', 'reversed')
     and provider_id is null
     and currency = any($1)
     and n > $2
     order by n
     limit $3`,
    [currencies, after, limit],
  );
}

export type UnreportedDeposit = {
  readonly id: string;
  readonly provider_reference: string;
  readonly gross: bigint;
  readonly paid_at: Date;
  readonly merchant_id: number | null;
  /** Other reports of the bank about it than a payment. */
  readonly words: string | null;
};

export async function listUnreportedDeposits(
  sql: Sql,
  { bank, environment }: Of,
  from: Date,
  to: Date,
  after: string,
  limit: number,
): Promise<UnreportedDeposit[]> {
  return await sql.query<UnreportedDeposit>(
    `select d.id, d.provider_reference, d.gross, d.paid_at, d.merchant_id, line.words
     from deposits d
     left join lateral (
       select x.words
       from reported_lines x
       where x.provider_id = d.provider_reference
       order by x.n desc
       limit 1
       offset 0
     ) line on true
     where d.provider = $1
     and d.environment = $2
     and d.paid_at >= $3
     and d.paid_at < $4
     and d.id > $5
     and not exists (
       select
       from reported_payments t
       where t.provider_id = d.provider_reference
     )
     order by d.id
     limit $6`,
    [bank, environment, from, to, after, limit],
  );
}
