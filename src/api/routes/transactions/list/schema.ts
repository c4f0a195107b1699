/** The filters of the list of purchases, and its answer. */
import { type Static, Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { products } from '../../../../core/products/product.ts';
import { answer, outcomeCode, statusWord } from '../../../plumbing/answer.ts';
import { pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';
import { failureFields } from '../../../plumbing/outcome-words.ts';
import { purchaseFields, refundFields, timeFields } from '../../../plumbing/purchase-answer.ts';

export const firstPage = 1;
export const defaultPageSize = 10;

export const listQuery = Type.Object({
  page: wholeNumber(999_999_999_999_999, firstPage),
  limit: wholeNumber(pageSizeMax, defaultPageSize),
  cursor: Type.Optional(
    text('the next_cursor of the previous page, with the same filters and without page', {
      format: 'clean-text',
    }),
  ),
  msisdn: Type.Optional(
    Type.String({
      description: 'a mobile number in any spelling, or a customer number as it was sent',
      // With the spaces, dashes and brackets that people write into numbers.
      pattern: '^[+/().\\p{Zs}\\p{Pd}]*[A-Za-z0-9][A-Za-z0-9+/().\\p{Zs}\\p{Pd}]*$',
      maxLength: 64,
    }),
  ),
  product: Type.Optional(
    words(products, { description: `one of ${products.join(', ')}, in any letter case`, 'x-any-case': true }),
  ),
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
  ...failureFields,
  ...refundFields,
});

export type ListItem = Static<typeof item>;

export const listAnswer = answer('ListAnswer', 'A page of purchases, newest first.', {
  state: Type.Literal('ok'),
  result: Type.Object({
    items: Type.Array(item),
    page_info: Type.Object({
      total_items: Type.Integer({
        description: 'with msisdn or product at most 10,001, which means more than 10,000',
      }),
      page: Type.Integer(),
      page_size: Type.Integer(),
      total_pages: Type.Integer({
        description: 'the highest number for page: pages by number begin within the first 10,000 purchases',
      }),
      next_cursor: nullable(Type.String(), {
        description: 'the cursor of the next page; null on the last page',
      }),
    }),
  }),
});

export type ListAnswer = Static<typeof listAnswer>;
