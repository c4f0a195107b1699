/** A document of identity in the input of an operation: a file in base 64. */
import { Type } from 'typebox';
import { OperationError } from '../kernel/errors.ts';
import { documentBytesMax, documentMediaTypes, documentTypeOf } from './id-document.ts';
import type { IdDocument } from './registration.ts';

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
