/**
 * Reads a form with one file part by part, within bounds. Text fields are taken unchanged. The type
 * of the file is found from its bytes, not from what its sender declares.
 */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { documentBytesMax, documentHeadBytes, documentTypeOf } from '../../../../funding/id-document.ts';
import type { IdDocument } from '../../../../funding/registration.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';

export const uploadLimits = {
  fileSize: documentBytesMax,
  files: 1,
  fields: 20,
  fieldSize: 1_024,
  fieldNameSize: 100,
  parts: 22,
  headerPairs: 20,
} as const;

/** The name of the only field that may be a file. */
const FILE_FIELD = 'id_card';
const wrongFile = `${FILE_FIELD} must be a JPEG, PNG, WebP or PDF file of at most 5 MB`;

export type Form = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly document: IdDocument | undefined;
};

/**
 * Throws a Refusal, 400, for a form that cannot be read, is too large, or has a file of another
 * type. With `fileIsKnown` the file is checked but not kept, because it would change nothing.
 */
export async function readForm(
  request: FastifyRequest,
  { fileIsKnown }: { readonly fileIsKnown: boolean },
): Promise<Form> {
  const fields: Record<string, unknown> = {};
  let document: IdDocument | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        document = (await readFile(part, fileIsKnown)) ?? document;
      } else if (Object.hasOwn(fields, part.fieldname)) {
        throw refuseField(part.fieldname, 'field_repeated', `${part.fieldname} was sent more than once`);
      } else if (part.value !== '') {
        // A text that was cut off at its limit is longer than any field may be.
        fields[part.fieldname] = part.valueTruncated ? ' '.repeat(uploadLimits.fieldSize) : part.value;
      }
    }
  } catch (error) {
    throw explain(error);
  }
  return { fields, document };
}

/** Returns undefined for the empty part that a form sends when no file was chosen. */
async function readFile(part: MultipartFile, isKnown: boolean): Promise<IdDocument | undefined> {
  const bytes = await readBytes(part, isKnown ? documentHeadBytes : uploadLimits.fileSize);
  if (bytes.length === 0 && part.filename === '') return undefined;
  if (part.fieldname !== FILE_FIELD) {
    throw new Refusal(400, 'file_not_taken', `A file can only be sent as ${FILE_FIELD}`);
  }
  const mediaType = await documentTypeOf(bytes);
  if (mediaType === undefined) throw refuseField(FILE_FIELD, 'file_invalid', wrongFile);
  return isKnown ? undefined : { mediaType, bytes };
}

/** Reads all of it, and keeps at least the first `keptMax` bytes. */
async function readBytes({ file }: MultipartFile, keptMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file) {
    if (size < keptMax) chunks.push(chunk);
    size += chunk.length;
  }
  if (file.truncated) throw refuseField(FILE_FIELD, 'file_invalid', wrongFile);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function explain(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_REQ_FILE_TOO_LARGE':
      return refuseField(FILE_FIELD, 'file_invalid', wrongFile);
    case 'FST_FILES_LIMIT':
      return refuseField(FILE_FIELD, 'field_repeated', `${FILE_FIELD} must be one file`);
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return new Refusal(400, 'form_too_large', 'The form has too many fields');
    default:
      return new Refusal(400, 'form_malformed', 'The body is not a readable multipart/form-data form');
  }
}
