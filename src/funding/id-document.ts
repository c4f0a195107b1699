/** What is taken for a document of identity: judged by its bytes, whatever its sender calls it. */
import type { IdDocument } from './registration.ts';

type MediaType = IdDocument['mediaType'];

export const documentMediaTypes: readonly MediaType[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'application/pdf',
];

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
