/** What is taken for a document of identity: judged by its bytes, whatever its sender calls it. */

import { Type } from 'typebox';
import { OperationError } from '../core/errors.ts';
import type { IdDocument } from './registration.ts';

type MediaType = IdDocument['mediaType'];

const documentMediaTypes: readonly MediaType[] = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'];

export const documentBytesMax = 5 * 1_048_576;

/** As many bytes as tell of what kind a file is. */
export const documentHeadBytes = 8_192;

/** Undefined for a file of no kind that is taken. `bytes` may be its head alone. */
export async function documentTypeOf(bytes: Buffer): Promise<MediaType | undefined> {
  // Loaded with the first document: a start is quicker without it.
  const { fileTypeFromBuffer } = await import('file-type');
  const type = await fileTypeFromBuffer(bytes);
  return documentMediaTypes.find((mediaType) => mediaType === type?.mime);
}

export const documentField = Type.String({
  description: 'a JPEG, PNG, WebP or PDF file of at most 5 MB, in base 64',
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  // Four characters hold three bytes.
  maxLength: Math.ceil(documentBytesMax / 3) * 4,
  contentEncoding: 'base64',
  contentMediaType: documentMediaTypes.join(', '),
});

/**
 * Judged by its bytes, whatever its sender calls it. Throws OperationError `document_malformed`,
 * which names the field.
 */
export async function readDocument(field: string, content: string): Promise<IdDocument> {
  const bytes = Buffer.from(content, 'base64');
  const mediaType = bytes.length > documentBytesMax ? undefined : await documentTypeOf(bytes);
  if (mediaType === undefined) throw new OperationError({ code: 'document_malformed', field });
  return { mediaType, bytes };
}
