/** POST, GET and PATCH /v1/batches: purchases in bulk from one file. An extension of Oja. */
import type { FastifyRequest } from 'fastify';
import { isUuid } from '../../../../core/ids.ts';
import type { UnfitFile } from '../../../../purchases/batches/change-batch.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { defaultHttpLimits } from '../../../plumbing/http-limits.ts';
import { readBody } from '../../../plumbing/json-bodies.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import type { Reason } from '../../../plumbing/reasons.ts';
import { Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { batchWire, foundWire, idParams, readId } from '../batch.ts';
import {
  batchAnswer,
  batchBytesMax,
  changeBody,
  createBody,
  defaultLimit,
  listAnswer,
  listQuery,
} from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'batches'>;

const tags = ['Batches'];

export function registerBatchRoutes(api: Api, dependencies: Dependencies): void {
  // In a separate scope, so that no other route takes so large a body.
  api.register((scope: Api, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['application/json', '*'], (_request: FastifyRequest, payload, parsed) =>
      readBody(payload, { ...defaultHttpLimits, bodyBytesMax: batchBytesMax }, parsed),
    );
    registerCreate(scope, dependencies);
    done();
  });
  registerList(api, dependencies);
  registerFind(api, dependencies);
  registerChange(api, dependencies);
}

function registerCreate(scope: Api, { batches }: Dependencies): void {
  const schema = {
    operationId: 'createBatch',
    summary: 'Upload purchases in bulk',
    description:
      'Validates and prices every row, and stores the batch if each could be bought. Nothing is bought before you start it. ' +
      'The same file is the same batch, whatever its spelling. This is an extension of Oja.',
    tags,
    body: createBody,
    response: { 200: batchAnswer },
    refusals: [
      { code: 'batch_file_unreadable', why: 'empty' },
      { code: 'batch_file_unreadable', why: 'encoding' },
      { code: 'batch_rows_full', max: 10_000 },
      { code: 'batch_column_missing', column: 'network' },
      { code: 'batch_column_repeated', column: 'amount' },
      shown('invalid_rows', refuseRows(sampleFault)),
    ] as const,
  };
  scope.post('/v1/batches', { schema, bodyLimit: batchBytesMax }, async (request) => {
    const principal = principalOf(request);
    const { csv, name = 'Batch' } = request.body;
    const stored = await batches.create(principal, { csv, name });
    if (stored.kind === 'unfit') throw refuseRows(stored);
    const found = await batches.find(principal, stored.batch.id);
    return goodsEnvelope(stored.isNew ? 'Created' : 'The file was uploaded before', foundWire(found));
  });
}

function registerList(api: Api, { batches }: Dependencies): void {
  const schema = {
    operationId: 'listBatches',
    summary: 'List batches',
    description: 'The batches in the environment of the credential, newest first.',
    tags,
    querystring: listQuery,
    response: { 200: listAnswer },
    refusals: [shown('unknown_cursor', unknownCursor())],
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> =>
    readWholeNumbers(query, ['limit']);
  api.get('/v1/batches', { schema, preValidation }, async (request) => {
    const { cursor, limit = defaultLimit } = request.query;
    if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor();
    const read = await batches.list(principalOf(request), { before: cursor, limit: limit + 1 });
    const listed = read.slice(0, limit);
    const next = read.length > limit ? (listed.at(-1)?.id ?? null) : null;
    return goodsEnvelope(`${listed.length} found`, { batches: listed.map(batchWire), next_cursor: next });
  });
}

function registerFind(api: Api, { batches }: Dependencies): void {
  const schema = {
    operationId: 'getBatch',
    summary: 'Look up a batch',
    description: 'Its state, and the number of rows with each outcome.',
    tags,
    params: idParams,
    response: { 200: batchAnswer },
    refusals: [{ code: 'no_batch' }] as const,
  };
  api.get('/v1/batches/:id', { schema }, async (request) => {
    const found = await batches.find(principalOf(request), readId(request.params.id));
    return goodsEnvelope('Found', foundWire(found));
  });
}

function registerChange(api: Api, { batches }: Dependencies): void {
  const schema = {
    operationId: 'changeBatch',
    summary: 'Start, pause, resume or stop a batch',
    description:
      'running starts or resumes it, and buys every row once. paused and stopped let purchases in progress finish. ' +
      'A stopped batch cannot be resumed.',
    tags,
    params: idParams,
    body: changeBody,
    response: { 200: batchAnswer },
    refusals: [
      { code: 'no_batch' },
      { code: 'batch_ended', state: 'stopped' },
      { code: 'batch_not_started' },
      { code: 'batch_has_duplicates', count: 2 },
      { code: 'batch_not_covered', charge: 24_250_00n, available: 1_000_00n },
    ] as const,
  };
  api.patch('/v1/batches/:id', { schema }, async (request) => {
    const { state: to, allow_duplicates: allowDuplicates = false } = request.body;
    const change = { to, allowDuplicates };
    const found = await batches.change(principalOf(request), readId(request.params.id), change);
    return goodsEnvelope('Changed', foundWire(found));
  });
}

function unknownCursor(): Refusal {
  return refuseField('cursor', 'cursor_malformed', 'cursor must be the next_cursor of the previous page');
}

/** Names each invalid row and column, up to a maximum number. */
function refuseRows({ badRows, rowCount, faults }: Omit<UnfitFile, 'kind' | 'heads'>): Refusal {
  const message = `${badRows} of ${rowCount} rows cannot be bought. Nothing was stored. Correct the file and upload it again.`;
  return new Refusal(400, 'batch_rows_invalid', message, {
    fields: faults.map(({ line, column, reason, message: words }) => ({
      field: column === null ? `row ${line}` : `row ${line}: ${column}`,
      reason: reason as Reason,
      message: words,
    })),
  });
}

const sampleFault = {
  badRows: 1,
  rowCount: 250,
  faults: [
    {
      line: 17,
      column: 'Phone',
      reason: 'field_invalid',
      message: 'msisdn must be a Nigerian mobile number such as "08031234567" or "2348031234567"',
    },
  ],
};
