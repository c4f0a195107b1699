/**
 * What a wallet has: posted by transfers, held for pending purchases, and the floor under which it
 * cannot go.
 */
import type { Sql } from '../db/database.ts';
import { findWallet } from './wallet-store.ts';

/** In minor units; what may be spent is posted − held − floor. */
export type WalletBalance = { readonly posted: bigint; readonly held: bigint; readonly floor: bigint };

/** Undefined when the account is not a wallet. */
export async function walletBalance(sql: Sql, accountId: bigint): Promise<WalletBalance | undefined> {
  const wallet = await findWallet(sql, accountId);
  return wallet && { posted: wallet.posted, held: wallet.held, floor: wallet.floor };
}
