/** Stores the play money that was paid to accounts of test credentials. */

import type { Currency } from '../../../core/money.ts';
import type { Sql } from '../../../db/database.ts';

export type SandboxTransferRow = {
  readonly reference: string;
  readonly account_number: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly at: Date;
};

/** Adds a transfer, unless its reference exists. */
export async function insertSandboxTransfer(
  sql: Sql,
  transfer: Omit<SandboxTransferRow, 'at'>,
): Promise<void> {
  await sql.query(
    `insert into sandbox_transfers (reference, account_number, currency, amount)
     values ($1, $2, $3, $4)
     on conflict (reference) do nothing`,
    [transfer.reference, transfer.account_number, transfer.currency, transfer.amount],
  );
}

export async function findSandboxTransfer(
  sql: Sql,
  reference: string,
): Promise<SandboxTransferRow | undefined> {
  const [row] = await sql.query<SandboxTransferRow>(
    `select reference, account_number, currency, amount, at
     from sandbox_transfers
     where reference = $1`,
    [reference],
  );
  return row;
}
