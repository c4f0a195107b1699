/** `oja books`: what accountants import. */

import { createOption } from 'commander';
import { stringify } from 'csv-stringify/sync';
import type { Static } from 'typebox';
import type { TextInput } from '../../operations/read-text-input.ts';
import { balanceBooksOperation } from '../../reports/operations/balance-books.ts';
import { exportBooksOperation } from '../../reports/operations/export-books.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const booksCommands: readonly OperationCommand[] = [
  commandOf(exportBooksOperation, {
    flags: {
      environment: environmentFlag,
      from: '--from <day>',
      to: '--to <day>',
      format: '--format <format>',
    },
    examples: [
      'books export --from 2026-11-01 --to 2026-11-30',
      'books export --from 2026-11-21 --to 2026-11-21 --format csv --detail',
    ],
    whole: { options: [], hides: ['limit', 'cursor'], print: printLines },
  }),
  commandOf(balanceBooksOperation, {
    flags: { environment: environmentFlag, at: '--at <day>' },
    examples: ['books balance --at 2026-11-30', 'books balance --at 2026-11-30 --csv'],
    whole: {
      options: [createOption('--csv', 'print CSV').conflicts('json')],
      hides: ['limit', 'cursor'],
      print: printBalance,
    },
  }),
];

/** As JSON it is one value too, written as it comes: the lines of a long time fit no memory. */
async function* printLines(
  pages: AsyncIterable<{ readonly data: readonly string[] }>,
  { json }: TextInput,
): AsyncGenerator<string> {
  if (json !== true) {
    for await (const { data } of pages) yield data.map((line) => `${line}\n`).join('');
    return;
  }
  let before = '{"data":[';
  for await (const { data } of pages) {
    for (const line of data) {
      yield `${before}${JSON.stringify(line)}`;
      before = ',';
    }
  }
  yield `${before === ',' ? '' : before}],"cursor":null}\n`;
}

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
    ? stringify(lines, {
        header: true,
        columns: ['account', 'name', 'currency', 'debit', 'credit'],
        record_delimiter: 'windows',
      })
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
