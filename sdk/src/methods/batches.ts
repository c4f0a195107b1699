/** Purchases in bulk, from one file. */
import { call, pathOf } from '../call.ts';
import {
  type BatchBody,
  type BatchesAnswer,
  type BatchRowsAnswer,
  type Operations,
  operations,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { type Paged, paged } from '../pages.ts';

type Answer<Name extends keyof Operations> = Promise<Operations[Name]['answer']>;

type Batch = BatchesAnswer['data']['batches'][number];
type BatchRow = BatchRowsAnswer['data']['rows'][number];

export type BatchMethods = {
  /** Validates every row and buys nothing. The same file returns the same batch. */
  create(body: BatchBody, options?: CallOptions): Answer<'createBatch'>;
  /** Newest first. */
  list(query?: Operations['listBatches']['query'], options?: CallOptions): Paged<BatchesAnswer, Batch>;
  get(id: string, options?: CallOptions): Answer<'getBatch'>;
  /** Starts, pauses, resumes or stops a batch. */
  change(id: string, body: Operations['changeBatch']['body'], options?: CallOptions): Answer<'changeBatch'>;
  /** The rows in file order, each with the outcome of its purchase. */
  rows(
    id: string,
    query?: Omit<NonNullable<Operations['listBatchRows']['query']>, 'format'>,
    options?: CallOptions,
  ): Paged<BatchRowsAnswer, BatchRow>;
};

export function batchMethods(settings: Settings): BatchMethods {
  const { getBatch, changeBatch, listBatchRows } = operations;
  return {
    create: (body, options) => call(settings, 'act', { ...operations.createBatch, body }, options),
    list: (query = {}, options) =>
      paged({
        read: (cursor) => {
          const page = cursor === undefined ? query : { ...query, cursor };
          return call(settings, 'look_up', { ...operations.listBatches, query: page }, options);
        },
        items: ({ data }: BatchesAnswer) => data.batches,
        next: ({ data }) => data.next_cursor ?? undefined,
      }),
    get: async (id, options) =>
      call(settings, 'look_up', { ...getBatch, path: pathOf(getBatch.path, { id }) }, options),
    change: async (id, body, options) =>
      call(settings, 'act', { ...changeBatch, path: pathOf(changeBatch.path, { id }), body }, options),
    rows: (id, query = {}, options) =>
      paged({
        read: async (cursor) => {
          const page = cursor === undefined ? query : { ...query, cursor };
          const { method, path } = listBatchRows;
          return call(settings, 'look_up', { method, path: pathOf(path, { id }), query: page }, options);
        },
        items: ({ data }: BatchRowsAnswer) => data.rows,
        next: ({ data }) => data.next_cursor ?? undefined,
      }),
  };
}
