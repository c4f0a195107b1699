/** SQL of a bank's payments as told, beside the deposits of the books. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';

/** One row a payment, however often it was told. */
export async function collapsePayments(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table told_payments as
    select
      row_number() over (order by min(n)) as id,
      provider_id,
      min(n) as n,
      min(at) as at,
      (array_agg(words order by n))[1] as words,
      (array_agg(amount order by n))[1] as amount,
      (array_agg(cost order by n) filter (where cost is not null))[1] as fee
    from told
    where state = 'payment'
    and provider_id is not null
    group by provider_id`);
  await sql.query('create index told_payments_id on told_payments (id)');
  await sql.query('create index told_payments_reference on told_payments (provider_id)');
  await sql.query('analyze told_payments');
}

export type ComparedPayment = {
  readonly id: bigint;
  readonly provider_id: string;
  readonly n: bigint;
  readonly at: Date;
  readonly words: string;
  readonly amount: bigint;
  readonly fee: bigint | null;
  readonly deposit_id: string | null;
  readonly gross: bigint | null;
  readonly settled: bigint | null;
  readonly merchant_id: number | null;
};

type Of = { readonly bank: string; readonly environment: Environment };

export async function listComparedPayments(
  sql: Sql,
  { bank, environment }: Of,
  after: bigint,
  limit: number,
): Promise<ComparedPayment[]> {
  return await sql.query<ComparedPayment>(
    `select
       t.id, t.provider_id, t.n, t.at, t.words, t.amount, t.fee, d.id as deposit_id, d.gross, d.settled,
       coalesce(d.merchant_id, a.merchant_id) as merchant_id
     from (
       select *
       from told_payments
       where id > $3
       order by id
       limit $4
     ) t
     left join deposits d
       on d.provider = $1
       and d.provider_reference = t.provider_id
       and d.environment = $2
     left join deposit_assignments a on a.deposit_id = d.id
     order by t.id`,
    [bank, environment, after, limit],
  );
}

export type UntoldDeposit = {
  readonly id: string;
  readonly provider_reference: string;
  readonly gross: bigint;
  readonly paid_at: Date;
  readonly merchant_id: number | null;
};

export async function listUntoldDeposits(
  sql: Sql,
  { bank, environment }: Of,
  from: Date,
  to: Date,
  after: string,
  limit: number,
): Promise<UntoldDeposit[]> {
  return await sql.query<UntoldDeposit>(
    `select d.id, d.provider_reference, d.gross, d.paid_at, d.merchant_id
     from deposits d
     where d.provider = $1
     and d.environment = $2
     and d.paid_at >= $3
     and d.paid_at < $4
     and d.id > $5
     and not exists (
       select 1
       from told_payments t
       where t.provider_id = d.provider_reference
     )
     order by d.id
     limit $6`,
    [bank, environment, from, to, after, limit],
  );
}
