/** Which purchases are listed, and how. */
import { type Static, Type } from 'typebox';
import { answer, outcomeCode, statusWord } from '../../../plumbing/answer.ts';
import { pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { billCustomer } from '../fields.ts';
import { purchaseExample, purchaseFields, timeExample, timeFields } from '../purchase.ts';

const PAGE_MAX = 100_000;
export const firstPage = 1;
export const defaultPageSize = 10;

export const listQuery = Type.Object({
  page: wholeNumber(PAGE_MAX, firstPage),
  limit: wholeNumber(pageSizeMax, defaultPageSize),
  msisdn: Type.Optional(billCustomer('a mobile number in any spelling, or a customer number as it was sent')),
  network: Type.Optional(
    text('the name of a mobile or bill network, such as "mtn" or "EKEDC"', {
      format: 'clean-text',
      examples: ['mtn'],
    }),
  ),
  status: Type.Optional(
    words(['0', '1', '2', '00', '01', '02'], {
      description: '0 (success), 1 (failed) or 2 (pending), or 00, 01, 02',
    }),
  ),
});

export type ListQuery = Static<typeof listQuery>;

const item = Type.Object({ ...purchaseFields, status: statusWord, code: outcomeCode, ...timeFields });

export type ListItem = Static<typeof item>;

export const listAnswer = answer(
  'ListAnswer',
  'A page of purchases, newest first.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      items: Type.Array(item),
      page_info: Type.Object({
        total_items: Type.Integer(),
        page: Type.Integer(),
        page_size: Type.Integer(),
        total_pages: Type.Integer(),
      }),
    }),
  },
  {
    state: 'ok',
    result: {
      items: [{ ...purchaseExample, status: 'success', code: '00', ...timeExample }],
      page_info: { total_items: 1, page: 1, page_size: 10, total_pages: 1 },
    },
  },
);

export type ListAnswer = Static<typeof listAnswer>;
