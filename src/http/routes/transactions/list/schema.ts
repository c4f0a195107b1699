/** Which purchases are listed, and how. */
import { type Static, Type } from 'typebox';
import { orNull } from '../../../../kernel/or-null.ts';
import { answer, outcomeCode, statusWord } from '../../../plumbing/answer.ts';
import { pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { purchaseFields, timeFields } from '../../../plumbing/purchase-answer.ts';
import { refundFields } from '../../../plumbing/refund-fields.ts';
import { billCustomer } from '../fields.ts';

/**
 * Further than that a list is read by cursor: to a page's number one has to count from the start.
 */
export const pagedMax = 10_000;
export const firstPage = 1;
export const defaultPageSize = 10;

export const listQuery = Type.Object({
  page: wholeNumber(pagedMax, firstPage),
  limit: wholeNumber(pageSizeMax, defaultPageSize),
  cursor: Type.Optional(
    text('the next_cursor of the page before, with the same filters and without page', {
      format: 'clean-text',
    }),
  ),
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

const item = Type.Object({
  ...purchaseFields,
  status: statusWord,
  code: outcomeCode,
  ...timeFields,
  ...refundFields,
});

export type ListItem = Static<typeof item>;

export const listAnswer = answer('ListAnswer', 'A page of purchases, newest first.', {
  state: Type.Literal('ok'),
  result: Type.Object({
    items: Type.Array(item),
    page_info: Type.Object({
      total_items: Type.Integer({
        description: 'with msisdn no more than 10,001, which stands for any number above 10,000',
      }),
      page: Type.Integer(),
      page_size: Type.Integer(),
      total_pages: Type.Integer(),
      next_cursor: orNull(Type.String(), {
        description: 'where the list goes on, at any depth; null on the last page',
      }),
    }),
  }),
});

export type ListAnswer = Static<typeof listAnswer>;
