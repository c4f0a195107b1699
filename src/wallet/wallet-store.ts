/**
 * SQL of merchants' wallets. Only transfers and holds move them: see src/wallet/ledger and the
 * purchase path.
 */

import type { Environment } from '../core/environment.ts';
import type { Currency } from '../core/money.ts';
import type { Sql, Tx } from '../db/database.ts';

export type WalletRow = {
  readonly account_id: bigint;
  readonly environment: Environment;
  readonly currency: Currency;
  /** All in minor units. The available amount is posted − held − floor. */
  readonly posted: bigint;
  readonly held: bigint;
  readonly floor: bigint;
};

const walletColumns = 'account_id, environment, currency, posted, held, floor';

const findWalletStatement = {
  name: 'find_wallet',
  text: `
    select ${walletColumns}
    from wallets
    where account_id = $1`,
};

export async function findWallet(sql: Sql, accountId: bigint): Promise<WalletRow | undefined> {
  const [row] = await sql.query<WalletRow>(findWalletStatement, [accountId]);
  return row;
}

export async function findWalletOf(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  currency: Currency,
): Promise<WalletRow | undefined> {
  const [row] = await sql.query<WalletRow>(
    `select ${walletColumns}
     from wallets
     where merchant_id = $1
     and environment = $2
     and currency = $3`,
    [merchantId, environment, currency],
  );
  return row;
}

export async function listWallets(sql: Sql, merchantId: number): Promise<WalletRow[]> {
  return await sql.query<WalletRow>(
    `select ${walletColumns}
     from wallets
     where merchant_id = $1
     order by environment, currency`,
    [merchantId],
  );
}

/** Lists the wallets of several merchants. */
export async function listWalletsOf(
  sql: Sql,
  merchantIds: readonly number[],
): Promise<(WalletRow & { readonly merchant_id: number })[]> {
  return await sql.query(
    `select merchant_id, ${walletColumns}
     from wallets
     where merchant_id = any($1::integer[])
     order by environment, currency`,
    [merchantIds],
  );
}

/**
 * Locks the wallet until the transaction ends, as every path that moves its money does. Read its
 * balance in a later statement: the waiting statement sees the state before the lock.
 */
export async function lockWallet(
  tx: Tx,
  merchantId: number,
  environment: Environment,
  currency: Currency,
): Promise<WalletRow | undefined> {
  const [owner] = await tx.query<{ account_id: bigint }>(
    `select account_id
     from wallet_owners
     where merchant_id = $1
     and environment = $2
     and currency = $3
     for update`,
    [merchantId, environment, currency],
  );
  return owner && (await findWalletOf(tx, merchantId, environment, currency));
}

/** The wallet that a purchase is paid from, locked until the transaction ends. */
export async function lockWalletOfPurchase(
  tx: Tx,
  purchase: { readonly merchantId: number; readonly environment: Environment; readonly purchaseId: string },
): Promise<void> {
  await tx.query(
    `select
     from wallet_owners
     where merchant_id = $1
     and account_id = (
       select wallet_id
       from purchases
       where merchant_id = $1
       and environment = $2
       and id = $3
     )
     for update`,
    [purchase.merchantId, purchase.environment, purchase.purchaseId],
  );
}

/** The wallet must be locked: purchases read its floor under that lock. */
export async function updateFloor(tx: Tx, accountId: bigint, floor: bigint): Promise<void> {
  await tx.query(
    `insert into wallet_states
     select *
     from next_wallet_state($1, 0, 0, $2)`,
    [accountId, floor],
  );
}
