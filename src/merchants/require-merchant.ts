/**
 * Finds the merchant that an operator named, and locks it against other changes until the
 * transaction ends.
 */

import { Type } from 'typebox';
import { OperationError } from '../core/errors.ts';
import { text } from '../core/operation-fields.ts';
import type { Sql, Tx } from '../db/database.ts';
import { findCredential, lockCredential } from './credential-store.ts';
import { findMerchant, lockMerchant, type MerchantRow } from './merchant-store.ts';

/** Throws OperationError `no_merchant`. */
export async function requireMerchant(tx: Tx, code: string): Promise<MerchantRow> {
  const merchant = await lockMerchant(tx, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant;
}

/** Finds a merchant by its code in any letter case. Throws OperationError `no_merchant`. */
export async function findByCode(sql: Sql, code: string): Promise<MerchantRow> {
  const merchant = await findMerchant(sql, code);
  if (merchant === undefined) throw new OperationError({ code: 'no_merchant', merchant: code });
  return merchant;
}

export const ownerField = Type.Optional(
  text('the code of the merchant that must own it; absent, any merchant'),
);

/**
 * Locks it. Throws OperationError: `no_merchant`; `no_credential`, also for a credential of another
 * merchant.
 */
export async function requireOwnCredential(
  tx: Tx,
  keyId: string,
  merchantCode: string | undefined,
): Promise<void> {
  if (merchantCode === undefined) return;
  const { id } = await findByCode(tx, merchantCode);
  const credential = await lockCredential(tx, keyId);
  if (credential?.merchant_id !== id) throw new OperationError({ code: 'no_credential', keyId });
}

/**
 * Throws OperationError: `no_merchant`; `no_credential`, also for a credential of another merchant;
 * `credential_bound` for one with an address list, because the browser of a user is not on it.
 */
export async function requireUnboundCredential(sql: Sql, keyId: string, merchantCode: string): Promise<void> {
  const { id } = await findByCode(sql, merchantCode);
  const credential = await findCredential(sql, keyId);
  if (credential?.merchant_id !== id) throw new OperationError({ code: 'no_credential', keyId });
  if (credential.allowed_ips.length > 0) throw new OperationError({ code: 'credential_bound', keyId });
}
