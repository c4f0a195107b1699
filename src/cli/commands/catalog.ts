/** `oja catalog`: plans and billers from files and back, and what was changed when. */
import { basename } from 'node:path';
import { decodeFile } from '../../catalog/files/read-catalog-file.ts';
import { exportCatalogOperation } from '../../catalog/operations/export-catalog.ts';
import { FILE_LENGTH_MAX, importCatalogOperation } from '../../catalog/operations/import-catalog.ts';
import { listCatalogChangesOperation } from '../../catalog/operations/list-catalog-changes.ts';
import { syncCatalogOperation } from '../../catalog/operations/sync-catalog.ts';
import { catalogChangeText } from '../catalog-change-text.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readBytes, unreadable } from '../read-file.ts';

export const catalogCommands: readonly OperationCommand[] = [
  commandOf(importCatalogOperation, {
    arguments: ['content'],
    flags: { content: 'file' },
    prepare: async (typed) => ({ source: basename(String(typed.content)), ...typed }),
    files: { content: readCatalog },
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
  }),
];

async function readCatalog(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.length > FILE_LENGTH_MAX) throw unreadable(path, `it is larger than ${FILE_LENGTH_MAX} bytes`);
  let text: string;
  try {
    text = decodeFile(bytes);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
  if (text === '') throw unreadable(path, 'the file is empty');
  return text;
}
