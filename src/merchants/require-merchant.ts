/**
 * Finds the merchant that an operator named, and locks it against other changes until the
 * transaction ends.
 */
import type { Tx } from '../db/database.ts';
import { GatewayError } from '../kernel/errors.ts';
import { lockMerchant, type MerchantRow } from './merchant-store.ts';

/** Throws GatewayError `not_found`. */
export async function requireMerchant(tx: Tx, code: string): Promise<MerchantRow> {
  const merchant = await lockMerchant(tx, code);
  if (merchant === undefined) throw new GatewayError('not_found', `there is no merchant "${code}"`);
  return merchant;
}
