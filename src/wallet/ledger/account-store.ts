/**
 * Accounts of the ledger as stored: one row per code of the chart of accounts, created when first
 * needed.
 */

import { invariant } from '../../core/errors.ts';
import type { Sql } from '../../db/database.ts';
import type { Account } from './chart-of-accounts.ts';

type IdRow = { readonly id: bigint };

/**
 * Returns the account's id, and creates the account if it is missing. Safe for concurrent calls in
 * several processes.
 */
export async function ensureAccount(
  sql: Sql,
  account: Account & { readonly merchantId?: number },
): Promise<bigint> {
  const known = await findAccount(sql, account.code);
  if (known !== undefined) return known;
  await sql.query(
    `insert into accounts (code, kind, environment, currency, merchant_id)
     values ($1, $2, $3, $4, $5)
     on conflict (code) do nothing`,
    [account.code, account.kind, account.environment, account.currency, account.merchantId ?? null],
  );
  const made = await findAccount(sql, account.code);
  invariant(made !== undefined, `account ${account.code} is there once it was made`);
  return made;
}

async function findAccount(sql: Sql, code: string): Promise<bigint | undefined> {
  const [row] = await sql.query<IdRow>(
    `select id
     from accounts
     where code = $1`,
    [code],
  );
  return row?.id;
}
