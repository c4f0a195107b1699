/** The days of a statement, and its lines. */
import type { Readable } from 'node:stream';
import { type Static, type TUnsafe, Type } from 'typebox';
import { nullable } from '../../../../core/nullable.ts';
import { answer } from '../../../plumbing/answer.ts';
import { currency } from '../../../plumbing/currency.ts';
import { anyCase, pageSizeMax, text, wholeNumber, words } from '../../../plumbing/fields.ts';

const day = (what: string) =>
  text(`${what}, a day in Lagos as "YYYY-MM-DD"`, { format: 'day', examples: ['2026-11-21'] });

export const defaultPageSize = pageSizeMax;

export const statementQuery = Type.Object({
  from: Type.Optional(day('the first day of the statement (that of "to" when absent)')),
  to: Type.Optional(day('its last day (today when absent)')),
  currency,
  limit: wholeNumber(pageSizeMax, defaultPageSize),
  cursor: Type.Optional(
    text('the next_cursor of the previous page, with the same days and currency', { format: 'clean-text' }),
  ),
  format: anyCase(['json', 'csv'], 'json or csv; csv is the whole statement'),
});

export type StatementQuery = Static<typeof statementQuery>;

const statementItem = Type.Object({
  time: Type.String({ description: 'RFC 3339 in Africa/Lagos' }),
  type: words(['purchase', 'refund', 'deposit', 'voucher', 'correction', 'other']),
  reference: Type.String({
    description:
      'your request_ref of a purchase or of the refunded purchase, the bank’s reference of a deposit',
  }),
  internal_reference: Type.String({ format: 'uuid' }),
  amount: Type.String({ description: 'negative if it left the wallet' }),
  balance: Type.String({ description: 'the balance of the wallet after it' }),
});

const page = answer(
  'StatementAnswer',
  'The movements of the wallet, oldest first; with format=csv, or Accept: text/csv, all of them as CSV.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      opening_balance: Type.String({ description: 'before the first day' }),
      closing_balance: Type.String({ description: 'after the last day, or now' }),
      items: Type.Array(statementItem),
      next_cursor: nullable(Type.String(), { description: 'null on the last page' }),
    }),
  },
  {
    page: {
      state: 'ok',
      result: {
        opening_balance: '250000.00',
        closing_balance: '249900.00',
        items: [
          {
            time: '2026-11-21T13:05:09.120+01:00',
            type: 'purchase',
            reference: 'order-20261121-0001',
            internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
            amount: '-100.00',
            balance: '249900.00',
          },
        ],
        next_cursor: null,
      },
    },
  },
);

/** The whole statement as CSV. */
export const csvAnswer = {
  schema: { type: 'string', description: 'RFC 4180, with a line of names first' },
  examples: {
    csv: [
      'time,type,reference,internal_reference,amount,balance',
      '2026-11-21T13:05:09.120+01:00,purchase,order-20261121-0001,019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10,-100.00,249900.00',
      '',
    ].join('\r\n'),
  },
};

/** A page, or the stream of the whole statement as CSV. */
export const statementAnswer: TUnsafe<Static<typeof page> | Readable> = Type.Unsafe(page);

export type StatementAnswer = Static<typeof statementAnswer>;
