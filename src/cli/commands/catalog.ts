/** Commands of the catalog: plans, exchange rates, guards and prices. */
import { basename } from 'node:path';
import { decodeFile } from '../../catalog/files/read-catalog-file.ts';
import { FILE_LENGTH_MAX } from '../../catalog/operations/import-catalog.ts';
import { catalogChangeText } from '../catalog-change-text.ts';
import type { CommandTable } from '../operation-command.ts';
import { readBytes, readText, unreadable } from '../read-file.ts';

export const catalogCommands = {
  'catalog.import': {
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
  },
  'catalog.export': {
    examples: ['catalog export GIFTCARD', 'catalog export CABLE --billers --format json'],
    text: ({ content }) => content,
  },
  'catalog.list': {
    examples: ['catalog list data'],
    columns: ['subject', 'name', 'network', 'currency', 'price', 'cost', 'margin_percent', 'active'],
  },
  'catalog.sync': {
    arguments: ['provider'],
    examples: ['catalog sync vtpass', 'catalog sync panel --add', 'catalog sync reloadly --add --apply'],
    text: catalogChangeText,
    isWrong: ({ refused }) => refused,
  },
  'price_rule.set': {
    command: 'price-rule set',
    arguments: ['network', 'percent'],
    examples: ["price-rule set '*' 5 --round-to 5", 'price-rule set MTN 3 --kind sme --markup 10'],
  },
  'price_rule.list': {
    command: 'price-rule list',
    examples: ['price-rule list'],
  },
  'price_rule.remove': {
    command: 'price-rule remove',
    examples: ['price-rule remove MTN --kind sme'],
  },
  'sync_rule.set': {
    command: 'sync-rule set',
    arguments: ['provider', 'within'],
    examples: ['sync-rule set panel 5', 'sync-rule set panel 5 --adds-max 20'],
  },
  'sync_rule.list': {
    command: 'sync-rule list',
    examples: ['sync-rule list'],
  },
  'sync_rule.remove': {
    command: 'sync-rule remove',
    examples: ['sync-rule remove panel'],
  },
  'catalog.history': {
    arguments: ['subject'],
    examples: ['catalog history', 'catalog history 300001'],
  },
  'fx.set': {
    arguments: ['currency', 'rate'],
    examples: ['fx set USD 1545.25 --margin 3', 'fx set GBP 2065.5'],
  },
  'fx.list': ['fx list', 'fx list --history --currency USD'],
  'guard.set': {
    arguments: ['environment', 'product', 'mode'],
    examples: ['guard set live data stop', 'guard set live airtime stop --network MTN --forget-costs'],
  },
  'guard.list': ['guard list'],
  'price_list.create': {
    command: 'price-list create',
    arguments: ['list', 'description'],
    examples: ['price-list create gold "Our largest resellers"'],
  },
  'price_list.list': {
    command: 'price-list list',
    examples: ['price-list list'],
  },
  'price_list.show': {
    command: 'price-list show',
    examples: ['price-list show gold', 'price-list show gold --version 1'],
  },
  'price_list.add_version': {
    command: 'price-list add-version',
    arguments: ['list', 'rules'],
    flags: { rules: 'file' },
    files: { rules: readText },
    examples: ['price-list add-version gold gold.csv'],
  },
  'price_list.preview': {
    command: 'price-list preview',
    examples: ['price-list preview gold', 'price-list preview gold --version 1'],
  },
  'price_list.preview_sales': {
    command: 'price-list preview-sales',
    examples: ['price-list preview-sales gold'],
  },
  'price_list.start': {
    command: 'price-list start',
    examples: [
      'price-list start gold 1',
      'price-list start gold 2 --from 2027-01-01T00:00:00+01:00',
      'price-list start gold 2 --force',
    ],
  },
  'price_list.withdraw': {
    command: 'price-list withdraw',
    examples: ['price-list withdraw gold 2'],
  },
  'price_list.assign': {
    command: 'price-list assign',
    examples: ['price-list assign gold --merchants SHOP KIOSK'],
  },
  'price_list.remove_merchants': {
    command: 'price-list remove-merchants',
    examples: ['price-list remove-merchants --merchants SHOP'],
  },
  'price_list.archive': {
    command: 'price-list archive',
    examples: ['price-list archive gold'],
  },
  'price.list': ['price list SHOP', 'price list SHOP --product data --env test'],
} satisfies CommandTable;

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
