/** Keeps an act to the credentials of one merchant, where it names one. */
import { Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import { text } from '../kernel/operation-fields.ts';
import { lockCredential } from './credential-store.ts';
import { findByCode } from './require-merchant.ts';

export const ownerField = Type.Optional(
  text('the code of the merchant whose it must be; without, it may be of any'),
);

/**
 * Locks it. Throws OperationError: `no_merchant`; `no_credential` for one of another merchant too.
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
