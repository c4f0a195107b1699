/**
 * The balance of a wallet: posted by transfers, held for pending purchases, and the floor that it
 * cannot fall below.
 */
import type { Sql } from '../db/database.ts';
import { findWallet } from './wallet-store.ts';

/** In minor units. The available amount is posted − held − floor. */
export type WalletBalance = { readonly posted: bigint; readonly held: bigint; readonly floor: bigint };

/** Undefined when the account is not a wallet. */
export async function walletBalance(sql: Sql, accountId: bigint): Promise<WalletBalance | undefined> {
  const wallet = await findWallet(sql, accountId);
  return wallet && { posted: wallet.posted, held: wallet.held, floor: wallet.floor };
}
