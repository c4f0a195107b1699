/** The merchant that a question names. */
import type { Sql } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import { findMerchant, type MerchantRow } from './merchant-store.ts';

/** In any letter case. Throws OperationError `no_merchant`. */
export async function findByCode(sql: Sql, code: string): Promise<MerchantRow> {
  const merchant = await findMerchant(sql, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant;
}
