/** Stores deposits, each once, and the assignments of deposits that were in suspense. */

import type { Environment } from '../core/environment.ts';
import type { Currency } from '../core/money.ts';
import type { Sql, Tx } from '../db/database.ts';

export type NewDeposit = {
  readonly id: string;
  readonly provider: string;
  readonly providerReference: string;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly paidTo: string;
  readonly merchantId: number | undefined;
  readonly gross: bigint;
  readonly fee: bigint;
  readonly settled: bigint | undefined;
  readonly paidAt: Date;
};

/**
 * Adds a deposit. Returns false when the payment is stored already. Waits for another transaction
 * that is storing it.
 */
export async function insertDeposit(tx: Tx, deposit: NewDeposit): Promise<boolean> {
  const rows = await tx.query(
    `insert into deposits
       (id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, settled, paid_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (provider, provider_reference) do nothing
     returning 1`,
    [
      deposit.id,
      deposit.provider,
      deposit.providerReference,
      deposit.environment,
      deposit.currency,
      deposit.paidTo,
      deposit.merchantId ?? null,
      deposit.gross,
      deposit.fee,
      deposit.settled ?? null,
      deposit.paidAt,
    ],
  );
  return rows.length > 0;
}

export type DepositRow = {
  readonly id: string;
  readonly provider: string;
  readonly provider_reference: string;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly paid_to: string;
  /** The credited merchant; null in suspense. */
  readonly merchant_code: string | null;
  readonly gross: bigint;
  readonly fee: bigint;
  readonly settled: bigint | null;
  readonly paid_at: Date;
  readonly created_at: Date;
  readonly assigned_at: Date | null;
};

const columns = `
  d.id,
  d.provider,
  d.provider_reference,
  d.environment,
  d.currency,
  d.paid_to,
  m.code as merchant_code,
  d.gross,
  coalesce(a.fee, d.fee) as fee,
  d.settled,
  d.paid_at,
  d.created_at,
  a.assigned_at`;

const source = `
  deposits d
  left join deposit_assignments a on a.deposit_id = d.id
  left join merchants m on m.id = coalesce(d.merchant_id, a.merchant_id)`;

export async function findDeposit(sql: Sql, id: string): Promise<DepositRow | undefined> {
  const [row] = await sql.query<DepositRow>(
    `select ${columns}
     from ${source}
     where d.id = $1`,
    [id],
  );
  return row;
}

/** Finds the deposit of a payment. Undefined until the payment is read back. */
export async function findDepositOf(
  sql: Sql,
  provider: string,
  reference: string,
): Promise<DepositRow | undefined> {
  const [row] = await sql.query<DepositRow>(
    `select ${columns}
     from ${source}
     where d.provider = $1
     and d.provider_reference = $2`,
    [provider, reference],
  );
  return row;
}

/** The chosen deposits. */
export type DepositChoice = {
  /** Only deposits in suspense. */
  readonly suspense: boolean;
  readonly merchantId: number | undefined;
  readonly provider: string | undefined;
  readonly environment?: Environment | undefined;
  /** The time of payment: from `from`, and before `to`. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
};

export type DepositFilter = DepositChoice & {
  /** The id of the last deposit of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
};

/**
 * Lists deposits, newest first: by time of payment if that is filtered, else by arrival. Reads only
 * the listed rows, except that a merchant with a provider or environment filters the merchant's
 * deposits, and suspense filters the deposits that were not credited at once.
 */
export async function listDeposits(sql: Sql, filter: DepositFilter): Promise<DepositRow[]> {
  const values: unknown[] = [filter.limit];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const byTime = filter.from !== undefined || filter.to !== undefined;
  const order = byTime ? 'd.paid_at desc, d.id desc' : 'd.id desc';
  const past = filter.after === undefined ? [] : [placeAfter(bind(filter.after), byTime)];
  const parts = chosen(filter, bind, past).map(
    (part) => `(
       select d.id, d.paid_at
       from ${part}
       order by ${order}
       limit $1
     )`,
  );
  return await sql.query<DepositRow>(
    `select ${columns}
     from (${parts.join(' union all ')}) as listed
     join deposits d on d.id = listed.id
     left join deposit_assignments a on a.deposit_id = d.id
     left join merchants m on m.id = coalesce(d.merchant_id, a.merchant_id)
     order by ${order}
     limit $1`,
    values,
  );
}

function placeAfter(id: string, byTime: boolean): string {
  return byTime
    ? `(d.paid_at, d.id) < (select paid_at, id from deposits where id = ${id}::uuid)`
    : `d.id < ${id}::uuid`;
}

/**
 * Builds the tables and conditions of a choice. A merchant has own deposits and assigned ones.
 */
function chosen(
  choice: DepositChoice,
  bind: (value: unknown) => string,
  more: readonly string[] = [],
): string[] {
  const conditions = [
    ...(choice.provider === undefined ? [] : [`d.provider = ${bind(choice.provider)}`]),
    ...(choice.environment === undefined ? [] : [`d.environment = ${bind(choice.environment)}`]),
    ...(choice.from === undefined ? [] : [`d.paid_at >= ${bind(choice.from)}`]),
    ...(choice.to === undefined ? [] : [`d.paid_at < ${bind(choice.to)}`]),
    ...(choice.suspense ? ['d.merchant_id is null', unassigned] : []),
    ...more,
  ];
  const part = (from: string, ...own: string[]): string => {
    const all = [...conditions, ...own];
    return all.length === 0 ? from : `${from} where ${all.join(' and ')}`;
  };
  if (choice.merchantId === undefined) return [part('deposits d')];
  const merchant = bind(choice.merchantId);
  return [
    part('deposits d', `d.merchant_id = ${merchant}`),
    part('deposit_assignments a join deposits d on d.id = a.deposit_id', `a.merchant_id = ${merchant}`),
  ];
}

export type DepositSum = {
  readonly provider: string;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly deposits: number;
  readonly gross: bigint;
  readonly fees: bigint;
  /** The settled amounts, or the gross amount when the bank does not state one. */
  readonly settled: bigint;
};

/** Adds up all chosen deposits. Reads every one of them. */
export async function sumDeposits(sql: Sql, choice: DepositChoice): Promise<DepositSum[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const parts = chosen(choice, bind).map((part) => `select d.id from ${part}`);
  return await sql.query<DepositSum>(
    `select
       d.provider,
       d.environment,
       d.currency,
       count(*)::integer as deposits,
       sum(d.gross)::bigint as gross,
       sum(coalesce(a.fee, d.fee))::bigint as fees,
       sum(coalesce(d.settled, d.gross))::bigint as settled
     from (${parts.join(' union all ')}) as listed
     join deposits d on d.id = listed.id
     left join deposit_assignments a on a.deposit_id = d.id
     group by d.provider, d.environment, d.currency
     order by d.provider, d.environment, d.currency`,
    values,
  );
}

const unassigned = 'not exists (select 1 from deposit_assignments a where a.deposit_id = d.id)';

/** Assigns a deposit. Returns false when it is assigned already. */
export async function insertAssignment(
  tx: Tx,
  assignment: { readonly depositId: string; readonly merchantId: number; readonly fee: bigint },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into deposit_assignments (deposit_id, merchant_id, fee)
     values ($1, $2, $3)
     on conflict (deposit_id) do nothing
     returning 1`,
    [assignment.depositId, assignment.merchantId, assignment.fee],
  );
  return rows.length > 0;
}
