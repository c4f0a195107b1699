/** Schemas of a batch: upload, change and answer. */
import { Type } from 'typebox';
import { bodyOptions, cleanText, pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { batchFields, batchWire, foundFields, foundWire, sampleBatch, sampleFound } from '../batch.ts';

export const batchBytesMax = 2 * 1_048_576;
export const defaultLimit = 50;

export const createBody = Type.Object(
  {
    csv: Type.String({
      description:
        'the text of a CSV file, or cells pasted from a spreadsheet, with the names of the columns in the first line',
      minLength: 1,
    }),
    name: Type.Optional(
      text(`a name for people, a string of 1 to 100 characters ${cleanText}`, { format: 'clean-text' }),
    ),
  },
  {
    ...bodyOptions,
    title: 'BatchBody',
    'x-examples': {
      airtime: {
        name: 'Staff airtime, November',
        csv: 'Phone,Network,Amount\n08031234567,MTN,100\n08051234567,Glo,200\n',
      },
    },
  },
);

export const changeBody = Type.Object(
  {
    state: words(['running', 'paused', 'stopped'], { description: 'running, paused or stopped' }),
    allow_duplicates: Type.Optional(
      Type.Boolean({ description: 'true to also buy rows that repeat an earlier row' }),
    ),
  },
  {
    ...bodyOptions,
    title: 'BatchChangeBody',
    'x-examples': { start: { state: 'running' }, pause: { state: 'paused' }, stop: { state: 'stopped' } },
  },
);

export const listQuery = Type.Object({
  cursor: Type.Optional(
    text('the next_cursor of the previous page', { format: 'clean-text', examples: [sampleBatch.id] }),
  ),
  limit: wholeNumber(pageSizeMax, defaultLimit),
});

export const batchAnswer = goodsAnswer(
  'BatchAnswer',
  'The batch, and the outcomes of its rows.',
  Type.Object(foundFields),
  { running: goodsEnvelope('Found', foundWire(sampleFound)) },
);

export const listAnswer = goodsAnswer(
  'BatchesAnswer',
  'Batches, the newest first.',
  Type.Object({
    batches: Type.Array(Type.Object(batchFields)),
    next_cursor: Type.Unsafe<string | null>(Type.Union([Type.String(), Type.Null()])),
  }),
  { batches: goodsEnvelope('1 found', { batches: [batchWire(sampleBatch)], next_cursor: null }) },
);
