/**
 * SQL of deposits: transfers that came in, each taken once, and whom an operator gave those that
 * were nobody's.
 */
import type { Sql, Tx } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import type { Currency } from '../kernel/money.ts';

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

/** False when that payment was taken in before; a taking-in under way elsewhere is waited for. */
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
  /** Whoever it was credited to, at once or by an operator; null in suspense. */
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

export type DepositFilter = {
  /** Only what is nobody's yet. */
  readonly suspense: boolean;
  readonly merchantId: number | undefined;
  readonly provider: string | undefined;
  /** By the time it was paid: from then on, and before then. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly limit: number;
};

/** Newest first. */
export async function listDeposits(sql: Sql, filter: DepositFilter): Promise<DepositRow[]> {
  return await sql.query<DepositRow>(
    `select ${columns}
     from ${source}
     where (not $1::boolean or (d.merchant_id is null and a.deposit_id is null))
     and ($2::integer is null or coalesce(d.merchant_id, a.merchant_id) = $2)
     and ($3::text is null or d.provider = $3)
     and ($4::timestamptz is null or d.paid_at >= $4)
     and ($5::timestamptz is null or d.paid_at < $5)
     order by d.id desc
     limit $6`,
    [
      filter.suspense,
      filter.merchantId ?? null,
      filter.provider ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.limit,
    ],
  );
}

/** False when somebody has it already. */
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
