/** `oja catalog`: plans and billers from files and back, and what was changed when. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Static } from 'typebox';
import { decodeFile } from '../../catalog/files/read-catalog-file.ts';
import { exportCatalogOperation } from '../../catalog/operations/export-catalog.ts';
import { FILE_LENGTH_MAX, importCatalogOperation } from '../../catalog/operations/import-catalog.ts';
import { listCatalogChangesOperation } from '../../catalog/operations/list-catalog-changes.ts';
import { syncCatalogOperation } from '../../catalog/operations/sync-catalog.ts';
import { catalogChangeText } from '../catalog-change-text.ts';
import { CommandError } from '../command-error.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const catalogCommands: readonly OperationCommand[] = [
  commandOf(importCatalogOperation, {
    arguments: ['content'],
    flags: { content: 'file', source: '--source <name>' },
    prepare: async (typed) => ({ source: basename(String(typed.content)), ...typed }),
    files: { content: readText },
    examples: [
      'catalog import catalog/demo/billers.json --billers --apply',
      'catalog import giftcards.csv',
      'catalog import giftcards.csv --apply --force',
      'catalog import giftcards.csv --apply --withdraw-missing --yes',
    ],
    text: catalogChangeText,
    isWrong: ({ refused }) => refused,
  }),
  commandOf(exportCatalogOperation, {
    arguments: ['product'],
    examples: ['catalog export GIFTCARD', 'catalog export CABLE --billers --format json'],
    text: ({ content }) => content,
  }),
  commandOf(syncCatalogOperation, {
    arguments: ['provider'],
    examples: ['catalog sync vtpass', 'catalog sync reloadly --add --apply'],
    text: catalogChangeText,
    isWrong: ({ refused }) => refused,
  }),
  commandOf(listCatalogChangesOperation, {
    arguments: ['subject'],
    examples: ['catalog history', 'catalog history 300001'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'WHEN', of: (row) => timeText(row.at) },
          { title: 'BY', of: (row) => row.actor },
          { title: 'FROM', of: (row) => row.source },
          { title: 'PRODUCT', of: (row) => row.product },
          { title: 'WHAT', of: (row) => row.subject },
          { title: 'CHANGE', of: fieldsText },
        ],
        'Nothing was changed.',
      ),
  }),
];

type Change = Static<typeof listCatalogChangesOperation.output>['data'][number];

function fieldsText({ before, after }: Change): string {
  if (before === null) return 'added';
  const inWords = (value: unknown): string => JSON.stringify(value) ?? 'none';
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, was: inWords(before[field]), is: inWords(after[field]) }))
    .filter(({ was, is }) => was !== is)
    .map(({ field, was, is }) => `${field} ${was} -> ${is}`)
    .join(', ');
}

async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > FILE_LENGTH_MAX) throw new Error(`it is larger than ${FILE_LENGTH_MAX} bytes`);
    const text = decodeFile(bytes);
    if (text === '') throw new Error('the file is empty');
    return text;
  } catch (error) {
    throw new CommandError(
      'file_unreadable',
      `cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
