/**
 * What an operator does with documents of identity: looks at one, replaces it, and deletes those
 * that are no longer needed. All of it is in the audit log. A merchant whose document is deleted
 * may send another.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { deleteDocuments, describeDocument, selectDocument, upsertDocument } from '../identity-store.ts';
import type { IdDocument } from '../registration.ts';
import { openDocument, sealDocument } from '../sealed-identity.ts';

/** Throws OperationError: `no_merchant`, `no_document`. */
export async function revealDocument(
  tx: Tx,
  sealer: Sealer,
  { merchantCode, environment }: { readonly merchantCode: string; readonly environment: Environment },
  actor: ActorOrName,
): Promise<{ readonly mediaType: string; readonly bytes: Buffer }> {
  const merchant = await requireMerchant(tx, merchantCode);
  const owner = { merchantId: merchant.id, environment };
  const row = await selectDocument(tx, owner);
  const bytes = row && openDocument(sealer, owner, row.sealed);
  if (row === undefined || bytes === undefined) {
    throw new OperationError({ code: 'no_document', merchant: merchant.code, environment });
  }
  const subject = `merchant:${merchant.code}`;
  await recordOperation(tx, { actor, action: 'funding.reveal_document', subject, after: { environment } });
  return { mediaType: row.media_type, bytes };
}

/** In place of the one there is, if any. Throws OperationError `no_merchant`. */
export async function replaceDocument(
  tx: Tx,
  sealer: Sealer,
  {
    merchantCode,
    environment,
    document,
  }: { readonly merchantCode: string; readonly environment: Environment; readonly document: IdDocument },
  actor: ActorOrName,
): Promise<void> {
  const merchant = await requireMerchant(tx, merchantCode);
  const owner = { merchantId: merchant.id, environment };
  // Before anything is locked: it takes long.
  const sealed = await sealDocument(sealer, owner, document.bytes);
  const before = await describeDocument(tx, owner);
  await upsertDocument(tx, owner, { mediaType: document.mediaType, keyId: sealer.keyId, sealed });
  await recordOperation(tx, {
    actor,
    action: 'funding.replace_document',
    subject: `merchant:${merchant.code}`,
    ...(before !== undefined && { before: { environment, ...before } }),
    after: { environment, media_type: document.mediaType },
  });
}

/** Throws OperationError `no_merchant`. */
export async function forgetDocuments(
  tx: Tx,
  { days, merchantCode }: { readonly days: number; readonly merchantCode: string | undefined },
  actor: ActorOrName,
): Promise<readonly { readonly merchant_code: string; readonly environment: Environment }[]> {
  const merchant = merchantCode === undefined ? undefined : await requireMerchant(tx, merchantCode);
  const forgotten = await deleteDocuments(tx, { days, merchantId: merchant?.id });
  for (const { merchant_code: code, environment } of forgotten) {
    const subject = `merchant:${code}`;
    await recordOperation(tx, { actor, action: 'funding.forget_document', subject, before: { environment } });
  }
  return forgotten;
}
