/**
 * Shows, replaces and deletes identity documents. The audit log records each operation. A merchant
 * whose document was deleted may send another.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import type { Environment } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { admins, defineOperation, fileBodyBytesMax } from '../../core/operation.ts';
import { environmentField, inputOf, merchantField, text } from '../../core/operation-fields.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { documentField, readDocument } from '../id-document.ts';
import { deleteDocuments, describeDocument, selectDocument, upsertDocument } from '../identity-store.ts';
import type { IdDocument } from '../registration.ts';
import { openDocument, sealDocument } from '../sealed-identity.ts';

/** Returns a document. Throws OperationError: `no_merchant`, `no_document`. */
async function revealDocument(
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

/** Adds or replaces a document. Throws OperationError `no_merchant`. */
async function replaceDocument(
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
  // Seal before anything is locked, because it takes long.
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

/** Deletes old documents. Throws OperationError `no_merchant`. */
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

type SealerNeeds = { readonly sealer: () => Promise<Sealer> };

export const revealDocumentOperation = defineOperation({
  name: 'funding.reveal_document',
  kind: 'act',
  summary: "show a merchant's identity document; recorded in the audit log",
  roles: admins,
  route: 'POST /merchants/{merchant}/funding/document/reveal',
  document: 'operators/funding.md',
  input: inputOf({ merchant: merchantField, environment: environmentField }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    media_type: Type.String(),
    bytes: Type.Integer(),
    content: Type.String(),
  }),
  run: async ({ tx, actor, sealer }: Acting & SealerNeeds, { merchant, environment }) => {
    const document = { merchantCode: merchant, environment };
    const { mediaType, bytes } = await revealDocument(tx, await sealer(), document, actor);
    const content = bytes.toString('base64');
    return { merchant, environment, media_type: mediaType, bytes: bytes.length, content };
  },
});

export const replaceDocumentOperation = defineOperation({
  name: 'funding.replace_document',
  kind: 'act',
  summary: "replace a merchant's identity document; recorded in the audit log",
  roles: admins,
  route: 'PUT /merchants/{merchant}/funding/document',
  document: 'operators/funding.md',
  bodyBytesMax: fileBodyBytesMax,
  input: inputOf({
    merchant: merchantField,
    environment: environmentField,
    content: documentField,
  }),
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    media_type: Type.String(),
    bytes: Type.Integer(),
  }),
  run: async ({ tx, actor, sealer }: Acting & SealerNeeds, { merchant, environment, content }) => {
    const document = await readDocument('content', content);
    await replaceDocument(tx, await sealer(), { merchantCode: merchant, environment, document }, actor);
    return { merchant, environment, media_type: document.mediaType, bytes: document.bytes.length };
  },
});

export const forgetDocumentsOperation = defineOperation({
  name: 'funding.forget_documents',
  kind: 'act',
  summary: 'permanently delete identity documents that were sent at least a given number of days ago',
  roles: admins,
  route: 'POST /funding-documents/forget',
  document: 'operators/funding.md',
  confirm: 'Permanently delete these documents?',
  input: inputOf({
    days: Type.Integer({
      description: 'how many days a document is kept, from 0 to 36500',
      minimum: 0,
      maximum: 36_500,
    }),
    merchant: Type.Optional(
      text('the code of a merchant, who may send a new document afterwards (default: all merchants)'),
    ),
  }),
  output: Type.Object({
    forgotten: Type.Array(Type.Object({ merchant: Type.String(), environment: environmentField })),
  }),
  run: async ({ tx, actor }: Acting, { days, merchant: merchantCode }) => {
    const rows = await forgetDocuments(tx, { days, merchantCode }, actor);
    return { forgotten: rows.map(({ merchant_code: merchant, environment }) => ({ merchant, environment })) };
  },
});
