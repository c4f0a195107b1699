/** Schemas of the rows of a batch: filters and answers. */
import type { Readable } from 'node:stream';
import { type Static, type TUnsafe, Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { rowReference } from '../../../../purchases/batches/batch.ts';
import { anyCase, pageSizeMax, text, wholeNumber } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { rowFields, rowWire, sampleBatch, sampleRow } from '../batch.ts';

export const defaultLimit = 50;

export const rowsQuery = Type.Object({
  cursor: Type.Optional(
    text('the next_cursor of the page before', { format: 'clean-text', examples: ['50'] }),
  ),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  format: anyCase(['json', 'csv'], 'json or csv; csv has all rows'),
});

export const csvAnswer = {
  schema: { type: 'string', description: 'RFC 4180, with a line of names first' },
  examples: {
    csv: `line,request_ref,product,network,msisdn,plan_code,kind,amount,charge,status,reason,message,token,units,kct1,kct2\r\n1,${rowReference(sampleBatch.hash, 1)},airtime,MTN,08031234567,,,100.00,97.00,success,,Transaction successful,,,,\r\n`,
  },
};

const page = goodsAnswer(
  'BatchRowsAnswer',
  'Rows in the order of the file, each as its purchase stands; with format=csv, all of them as CSV.',
  Type.Object({ rows: Type.Array(Type.Object(rowFields)), next_cursor: nullable(Type.String()) }),
  { rows: goodsEnvelope('1 found', { rows: [rowWire(sampleBatch, sampleRow)], next_cursor: null }) },
);

/** A page, or the stream of all rows as CSV. */
export const rowsAnswer: TUnsafe<Static<typeof page> | Readable> = Type.Unsafe(page);

export type RowsAnswer = Static<typeof rowsAnswer>;
