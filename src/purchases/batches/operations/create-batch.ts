/** Uploads a file of purchases for a merchant, to be bought with one of its credentials. */
import { Type } from 'typebox';
import type { Actor } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullable, nullableText } from '../../../core/nullable.ts';
import { admins, defineOperation, fileBodyBytesMax } from '../../../core/operation.ts';
import { inputOf, merchantField, text } from '../../../core/operation-fields.ts';
import { credentialField } from '../../../merchants/credential-secret.ts';
import { requireUnboundCredential } from '../../../merchants/require-merchant.ts';
import type { Tasking } from '../../../oversight/log/acting.ts';
import { describeBatch, describedBatchOutput } from '../batch-answer.ts';
import type { StoredFile, UnfitFile } from '../change-batch.ts';

/** Returns undefined for a credential that is no longer valid. */
export type UploadBatch = (
  credentialId: string,
  file: ({ readonly csv: string } | { readonly xlsx: Buffer }) & { readonly name: string },
  actor: Actor,
) => Promise<StoredFile | UnfitFile | undefined>;

type Needs = Tasking & { readonly uploadBatch?: UploadBatch };

const FILE_LENGTH_MAX = 2 * 1_048_576;

export const createBatchOperation = defineOperation({
  name: 'batch.create',
  kind: 'task',
  summary: 'validate and price a file of purchases, and store it as a batch if every row could be bought',
  roles: admins,
  portal: { roles: ['finance'] },
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/batches',
  document: 'merchants/bulk.md',
  bodyBytesMax: fileBodyBytesMax,
  input: inputOf({
    merchant: merchantField,
    credential: credentialField,
    csv: Type.Optional(
      Type.String({
        description: 'CSV or pasted cells, with the names of the columns in the first line',
        minLength: 1,
        maxLength: FILE_LENGTH_MAX,
      }),
    ),
    xlsx: Type.Optional(
      Type.String({
        description: 'an XLSX file of at most 2 MB instead of csv, in base 64; its first sheet is read',
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        maxLength: Math.ceil(FILE_LENGTH_MAX / 3) * 4,
        contentEncoding: 'base64',
      }),
    ),
    name: Type.Optional(text('a name for people, such as that of the file')),
  }),
  output: Type.Object({
    /** Null if nothing was stored. */
    batch: nullable(describedBatchOutput),
    /** False: the file was uploaded before. */
    created: Type.Boolean(),
    columns: describedBatchOutput.properties.columns,
    rows: Type.Integer(),
    /** Rows that cannot be bought. */
    bad_rows: Type.Integer(),
    /** The first errors. */
    faults: Type.Array(
      Type.Object({
        /** 1 is the first row below the headings. 0: the file as a whole. */
        line: Type.Integer(),
        column: nullableText,
        reason: Type.String(),
        message: Type.String(),
      }),
    ),
  }),
  run: async (
    { database, actor, uploadBatch }: Needs,
    { merchant, credential, csv, xlsx, name = 'Batch' },
  ) => {
    if ((csv === undefined) === (xlsx === undefined)) throw new OperationError({ code: 'one_file_needed' });
    await requireUnboundCredential(database, credential, merchant);
    if (uploadBatch === undefined) throw new OperationError({ code: 'api_silent' });
    const file = csv === undefined ? { xlsx: Buffer.from(xlsx ?? '', 'base64') } : { csv };
    const stored = await uploadBatch(credential, { ...file, name }, actor);
    if (stored === undefined) throw new OperationError({ code: 'credential_ended', keyId: credential });
    if (stored.kind === 'unfit') {
      const { heads, rowCount, badRows, faults } = stored;
      const columns = heads.map(({ head, field }) => ({ head, field }));
      const listed = faults.map((fault) => ({ ...fault }));
      return { batch: null, created: false, columns, rows: rowCount, bad_rows: badRows, faults: listed };
    }
    const batch = await describeBatch(database, stored.batch);
    const { columns, rows } = batch;
    return { batch, created: stored.isNew, columns, rows, bad_rows: 0, faults: [] };
  },
});
