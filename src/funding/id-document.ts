/** Accepts identity documents by their bytes. Ignores the media type that the sender claims. */

import { Type } from 'typebox';
import { OperationError } from '../core/errors.ts';
import type { IdDocument } from './registration.ts';

type MediaType = IdDocument['mediaType'];

const documentMediaTypes: readonly MediaType[] = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'];

export const documentBytesMax = 5 * 1_048_576;

/** The bytes that identify the kind of a file. */
export const documentHeadBytes = 8_192;

/**
 * Returns the media type. Undefined for a kind that is not accepted. `bytes` may be the head only.
 */
export async function documentTypeOf(bytes: Buffer): Promise<MediaType | undefined> {
  // Load the library with the first document, so that a start is quicker.
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

/** Reads a document. Throws OperationError `document_malformed` that names the field. */
export async function readDocument(field: string, content: string): Promise<IdDocument> {
  const bytes = Buffer.from(content, 'base64');
  const mediaType = bytes.length > documentBytesMax ? undefined : await documentTypeOf(bytes);
  if (mediaType === undefined) throw new OperationError({ code: 'document_malformed', field });
  return { mediaType, bytes };
}
