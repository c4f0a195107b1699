/** What is taken for a document of identity: judged by its bytes, whatever its sender calls it. */
import { fileTypeFromBuffer } from 'file-type';
import type { IdDocument } from './registration.ts';

export const documentBytesMax = 5 * 1_048_576;

/** As many bytes as tell of what kind a file is. */
export const documentHeadBytes = 8_192;

/** Undefined for a file of no kind that is taken. `bytes` may be its head alone. */
export async function documentTypeOf(bytes: Buffer): Promise<IdDocument['mediaType'] | undefined> {
  const type = await fileTypeFromBuffer(bytes);
  switch (type?.mime) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/webp':
    case 'application/pdf':
      return type.mime;
    default:
      return undefined;
  }
}
