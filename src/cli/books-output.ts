/** Prints the journal and the trial balance for accountants. */
import { stringify } from 'csv-stringify/sync';
import type { Static } from 'typebox';
import type { TextInput } from '../backoffice/operations/read-text-input.ts';
import { quoting, safeCell } from '../core/csv-cell.ts';
import type { balanceBooksOperation } from '../finance/reports/operations/balance-books.ts';
import { table } from './output.ts';
import { jsonList, printPages } from './print-pages.ts';

/** Prints the lines of the journal unchanged. */
export const printJournal = printPages<{ readonly data: readonly string[] }>({
  text: { head: () => '', lines: ({ data }) => data.map((line) => `${line}\n`).join(''), end: () => '' },
  json: jsonList,
});

type Page = Static<(typeof balanceBooksOperation)['output']>;

export async function* printBalance(
  pages: AsyncIterable<Page>,
  { csv, json }: TextInput,
): AsyncGenerator<string> {
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
