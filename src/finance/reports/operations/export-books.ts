/**
 * Exports the books of some days in pages of lines, which together are a file (../export-books.ts).
 */
import { Type } from 'typebox';
import type { Clock } from '../../../core/clock.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, oneOf, pageOf } from '../../../core/operation-fields.ts';
import type { Database } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { booksFormats } from '../books-text.ts';
import { readBooksPage } from '../export-books.ts';
import { catchUpShortly, requireComplete } from '../read-report.ts';
import { daysOf, reportDays } from './show-report.ts';

const ENTRIES_MAX = 5_000;

export const exportBooksOperation = defineOperation({
  name: 'books.export',
  kind: 'question',
  summary: 'export the books of some days, with opening balances, for accountants: hledger, ledger or CSV',
  roles,
  route: 'GET /books/export',
  document: 'operators/reports.md',
  input: inputOf({
    ...reportDays,
    format: Type.Optional(oneOf(booksFormats, { default: 'hledger' })),
    limit: Type.Optional(
      Type.Integer({
        description: `the entries of a page, a whole number from 1 to ${ENTRIES_MAX}`,
        minimum: 1,
        maximum: ENTRIES_MAX,
        default: 1_000,
      }),
    ),
    cursor: Type.Optional(Type.String({ description: 'the cursor of the previous page', maxLength: 500 })),
  }),
  output: pageOf(Type.String()),
  run: async (
    { sql, database, clock }: Asking & { readonly database: Database; readonly clock: Clock },
    { environment, format = 'hledger', limit = 1_000, cursor, ...period },
  ) => {
    const now = clock.now();
    const days = { environment, ...daysOf(period, now) };
    if (cursor === undefined) await catchUpShortly(database);
    await requireComplete(sql, days, now);
    const { lines, next } = await readBooksPage(sql, { days, format, limit }, cursor);
    return { data: lines, cursor: next ?? null };
  },
});
