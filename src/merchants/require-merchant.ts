/**
 * Finds the merchant that an operator named, and locks it against other changes until the
 * transaction ends.
 */
import type { Sql, Tx } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import { findMerchant, lockMerchant, type MerchantRow } from './merchant-store.ts';

/** Throws OperationError `no_merchant`. */
export async function requireMerchant(tx: Tx, code: string): Promise<MerchantRow> {
  const merchant = await lockMerchant(tx, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant;
}

/** In any letter case. Throws OperationError `no_merchant`. */
export async function findByCode(sql: Sql, code: string): Promise<MerchantRow> {
  const merchant = await findMerchant(sql, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant;
}
