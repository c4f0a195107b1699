/**
 * GET /v1/batches/{id}/rows: each row with the state of its purchase, in pages of JSON or all of it
 * as CSV.
 */
import { Readable } from 'node:stream';
import { type Static, type TUnsafe, Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { rowReference } from '../../../../purchases/batches/batch.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { anyCase, pageSizeMax, text, wholeNumber } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { idParams, readId, rowFields, rowWire, sampleBatch, sampleRow } from '../batch.ts';
import { resultCsv, rowsPerPiece } from './result-csv.ts';

const defaultLimit = 50;

const rowsQuery = Type.Object({
  cursor: Type.Optional(
    text('the next_cursor of the previous page', { format: 'clean-text', examples: ['50'] }),
  ),
  limit: wholeNumber(pageSizeMax, defaultLimit),
  format: anyCase(['json', 'csv'], 'json or csv; csv has all rows'),
});

const csvAnswer = {
  schema: { type: 'string', description: 'RFC 4180, with a line of names first' },
  examples: {
    csv: `line,request_ref,product,network,msisdn,plan_code,kind,amount,charge,status,reason,message,token,units,kct1,kct2\r\n1,${rowReference(sampleBatch.hash, 1)},airtime,MTN,08031234567,,,100.00,97.00,success,,Transaction successful,,,,\r\n`,
  },
};

const page = goodsAnswer(
  'BatchRowsAnswer',
  'Rows in file order, each with the current state of its purchase; with format=csv, all of them as CSV.',
  Type.Object({ rows: Type.Array(Type.Object(rowFields)), next_cursor: nullable(Type.String()) }),
  { rows: goodsEnvelope('1 found', { rows: [rowWire(sampleBatch, sampleRow)], next_cursor: null }) },
);

/** A page, or the stream of all rows as CSV. */
const rowsAnswer: TUnsafe<Static<typeof page> | Readable> = Type.Unsafe(page);

type RowsAnswer = Static<typeof rowsAnswer>;

export function registerBatchRowsRoute(
  api: Api,
  { batches, log }: Pick<ServerDependencies, 'batches' | 'log'>,
): void {
  const schema = {
    operationId: 'listBatchRows',
    summary: 'List the rows of a batch',
    description:
      'In file order, each with the outcome of its purchase, and its token if it has one. With format=csv, all of them as CSV.',
    tags: ['Batches'],
    params: idParams,
    querystring: rowsQuery,
    response: { 200: rowsAnswer },
    otherAnswers: { 'text/csv': csvAnswer },
    refusals: [{ code: 'no_batch' }, shown('unknown_cursor', unknownCursor())] as const,
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> =>
    readWholeNumbers(query, ['limit']);
  api.get('/v1/batches/:id/rows', { schema, preValidation }, async (request, reply): Promise<RowsAnswer> => {
    const { cursor = '0', limit = defaultLimit, format = 'json' } = request.query;
    if (!/^[0-9]{1,6}$/.test(cursor)) throw unknownCursor();
    const id = readId(request.params.id);
    const principal = principalOf(request);
    if (format.toLowerCase() === 'csv') {
      const first = await batches.rows(principal, id, { after: 0, limit: rowsPerPiece });
      const pieces = Readable.from(resultCsv(batches, principal, id, first));
      // The status is already sent, so the connection is closed: an incomplete file is never
      // mistaken for a complete one.
      pieces.on('error', (error) => log.error({ err: error, reqId: request.id }, 'a result broke off'));
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="batch-${id}.csv"`);
      return pieces;
    }
    const page = { after: Number(cursor), limit: limit + 1 };
    const { batch, rows: read } = await batches.rows(principal, id, page);
    const rows = read.slice(0, limit);
    const next = read.length > limit ? String(rows.at(-1)?.line) : null;
    const data = { rows: rows.map((row) => rowWire(batch, row)), next_cursor: next };
    return goodsEnvelope(`${rows.length} found`, data);
  });
}

function unknownCursor(): Refusal {
  return refuseField('cursor', 'cursor_malformed', 'cursor must be the next_cursor of the previous page');
}
