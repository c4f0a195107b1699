/** `oja books`: what accountants import. */

import { stringify } from 'csv-stringify/sync';
import type { Static } from 'typebox';
import type { TextInput } from '../../backoffice/operations/read-text-input.ts';
import { quoting, safeCell } from '../../core/csv-cell.ts';
import { balanceBooksOperation } from '../../finance/reports/operations/balance-books.ts';
import { exportBooksOperation } from '../../finance/reports/operations/export-books.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';
import { csvOption, jsonList, printPages } from '../print-pages.ts';

/** The lines of a file, which are as they are. */
const printLines = printPages<{ readonly data: readonly string[] }>({
  text: { head: () => '', lines: ({ data }) => data.map((line) => `${line}\n`).join(''), end: () => '' },
  json: jsonList,
});

export const booksCommands: readonly OperationCommand[] = [
  commandOf(exportBooksOperation, {
    examples: [
      'books export --from 2026-11-01 --to 2026-11-30',
      'books export --from 2026-11-21 --to 2026-11-21 --format csv --detail',
    ],
    whole: { options: [], hides: ['limit', 'cursor'], print: printLines },
  }),
  commandOf(balanceBooksOperation, {
    examples: ['books balance --at 2026-11-30', 'books balance --at 2026-11-30 --csv'],
    whole: {
      options: [csvOption()],
      hides: ['limit', 'cursor'],
      print: printBalance,
    },
  }),
];

type Page = Static<(typeof balanceBooksOperation)['output']>;

async function* printBalance(pages: AsyncIterable<Page>, { csv, json }: TextInput): AsyncGenerator<string> {
  const data: Page['data'] = [];
  let totals: Page['totals'] = [];
  for await (const page of pages) {
    data.push(...page.data);
    totals = page.totals;
  }
  if (json === true) {
    yield `${JSON.stringify({ data, totals, cursor: null })}\n`;
    return;
  }
  const lines = [...data, ...totals.map((total) => ({ account: 'total', name: '', ...total }))];
  yield csv === true
    ? stringify(
        lines.map((line) => ({ ...line, name: safeCell(line.name) })),
        {
          ...quoting,
          header: true,
          columns: ['account', 'name', 'currency', 'debit', 'credit'],
          record_delimiter: 'windows',
        },
      )
    : `${table(
        lines,
        [
          { title: 'ACCOUNT', of: (line) => line.account },
          { title: 'NAME', of: (line) => line.name },
          { title: 'CURRENCY', of: (line) => line.currency },
          { title: 'DEBIT', of: (line) => line.debit, right: true },
          { title: 'CREDIT', of: (line) => line.credit, right: true },
        ],
        'No accounts.',
      )}\n`;
}
