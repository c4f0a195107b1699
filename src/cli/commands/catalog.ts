/** `oja catalog`: plans and billers from files and back, and what was changed when. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { listCatalogChanges } from '../../catalog/catalog-change-store.ts';
import { type CatalogItem, nameOf } from '../../catalog/catalog-item.ts';
import { compareWithProvider } from '../../catalog/compare-provider.ts';
import { type FileRead, readCatalogFile } from '../../catalog/files/read-catalog-file.ts';
import { writeCsvExport, writeJsonExport } from '../../catalog/files/write-catalog-file.ts';
import { listCatalogItems, readWholeCatalog } from '../../catalog/list-catalog-items.ts';
import { changeCatalog } from '../../catalog/operations/change-catalog.ts';
import { readOffer } from '../../catalog/read-offer.ts';
import type { RecordOptions } from '../../catalog/records/read-catalog-record.ts';
import { isPlanProduct, type PlanProduct } from '../../products/product.ts';
import { addCommand, type DataResult, type Run } from '../add-command.ts';
import { planProductList, readVendProduct, readWholeNumber } from '../arguments.ts';
import { describeCatalogFault, describeRecordFault } from '../catalog-faults.ts';
import { refuseFaults, showChange } from '../catalog-output.ts';
import { asCommandError, CommandError } from '../command-error.ts';
import { formatTime } from '../format.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

const FILE_BYTES_MAX = 50_000_000;
const HISTORY_ROWS = 50;

type ImportOptions = {
  readonly product?: PlanProduct;
  readonly billers?: boolean;
  readonly apply?: boolean;
  readonly force?: boolean;
  readonly withdrawMissing?: boolean;
};

export function addCatalog(program: Command, run: Run): void {
  const group = program
    .command('catalog')
    .description('the catalog: plans of every product, and billers, from files and back');
  addCommand<[string], ImportOptions>(group, run, {
    name: 'import',
    description: 'compare a CSV or JSON file with the catalog and, with --apply, make the catalog like it',
    examples: [
      'catalog import catalog/demo/billers.json --billers --apply',
      'catalog import giftcards.csv',
      'catalog import giftcards.csv --apply --force',
    ],
    writes: true,
    configure: (command) =>
      command
        .argument('<file>', 'CSV with a head line, or a JSON list')
        .option('--product <product>', 'of the rows that do not say it', readPlanProduct)
        .option('--billers', 'the rows are billers, not plans')
        .option('--apply', 'do it; all of it or nothing')
        .option('--force', 'also where a price moves by more than 20 %, or below cost')
        .option('--withdraw-missing', 'take off sale what the file does not have, of the products it has'),
    work: async (session, [file], options) => await importFile(session, file, options),
  });
  addCommand<[PlanProduct], { format?: 'csv' | 'json'; billers?: boolean }>(group, run, {
    name: 'export',
    description: 'print the plans of a product, withdrawn ones too, as import reads them',
    examples: ['catalog export GIFTCARD', 'catalog export CABLE --billers --format json'],
    configure: (command) =>
      command
        .argument('<product>', planProductList, readPlanProduct)
        .option('--format <format>', 'csv or json (default: csv)', readFormat)
        .option('--billers', 'the billers of the product in place of its plans'),
    work: async ({ database }, [product], { format, billers }) => {
      const items = await listCatalogItems(database, product, billers ? 'billers' : 'plans');
      const records = items.map(({ record }) => record);
      return {
        data: records,
        text: format === 'json' ? writeJsonExport(records) : writeCsvExport(records),
      };
    },
  });
  addSync(group, run);
  addHistory(group, run);
}

type SyncOptions = { readonly apply?: boolean; readonly force?: boolean; readonly add?: boolean };

function addSync(group: Command, run: Run): void {
  addCommand<[string], SyncOptions>(group, run, {
    name: 'sync',
    description: "compare a provider's own list with the catalog and, with --apply, follow it",
    examples: ['catalog sync vtpass', 'catalog sync reloadly --add --apply'],
    writes: true,
    configure: (command) =>
      command
        .argument('<provider>', 'one that lists what it sells, by its name in routes')
        .option('--apply', 'do it; all of it or nothing')
        .option('--force', 'also where a price moves by more than 20 %, or below cost')
        .option('--add', 'also add the gift cards and eSIMs that the catalog does not have'),
    work: async (session, [name], options) => await syncProvider(session, name, options),
  });
}

async function syncProvider(
  { database, actor, providers, openProviders }: Session,
  name: string,
  { apply = false, force = false, add = false }: SyncOptions,
): Promise<DataResult> {
  await using opened = await openProviders();
  const provider = opened.providers.get(name);
  if (provider?.listPlans === undefined && provider?.listCatalog === undefined) {
    throw new CommandError(`${name} is not set up here, or has no list of what it sells`);
  }
  // The provider is asked before the transaction: it may take long, and the catalog is read again
  // inside.
  const offer = await readOffer(provider, await readWholeCatalog(database)).catch((error: unknown) => {
    throw asCommandError(error);
  });
  const testing = providers.filter(({ environment }) => environment === 'test');
  const testProviders = new Set(testing.map((one) => one.name));
  let notes: readonly string[] = [];
  const incoming = (present: readonly CatalogItem[]): readonly CatalogItem[] => {
    const comparison = compareWithProvider(present, offer, { add, testProviders });
    notes = comparison.notes;
    return comparison.incoming;
  };
  const proposal = { incoming, source: name, follows: name, apply, force, withdrawMissing: false };
  const outcome = await database.transaction((tx) => changeCatalog(tx, proposal, actor));
  refuseFaults(name, outcome.diff.faults.map(describeCatalogFault));
  // What the provider says nothing about is no gap of a file.
  const { diff, applied } = outcome;
  return showChange({ diff: { ...diff, missing: [] }, applied }, { apply, force, notes });
}

function addHistory(group: Command, run: Run): void {
  addCommand<[string | undefined], { limit?: number }>(group, run, {
    name: 'history',
    description: 'list what was changed, newest first; of one plan or biller where it is named',
    examples: ['catalog history', 'catalog history 300001'],
    configure: (command) =>
      command
        .argument('[subject]', "a plan's code or id, or a biller's product and network")
        .option('--limit <n>', `how many (default: ${HISTORY_ROWS})`, readWholeNumber),
    work: async ({ database }, [subject], { limit = HISTORY_ROWS }) => {
      const rows = await listCatalogChanges(database, subject, limit);
      const fieldsOf = ({ before, after }: (typeof rows)[number]): string =>
        before === null
          ? 'added'
          : [...new Set([...Object.keys(before), ...Object.keys(after)])]
              .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
              .map(
                (field) =>
                  `${field} ${JSON.stringify(before[field]) ?? 'none'} -> ${JSON.stringify(after[field]) ?? 'none'}`,
              )
              .join(', ');
      return {
        data: rows,
        text: table(
          rows,
          [
            { title: 'WHEN', of: (row) => formatTime(row.at) },
            { title: 'BY', of: (row) => row.actor },
            { title: 'FROM', of: (row) => row.source },
            { title: 'PRODUCT', of: (row) => row.product },
            { title: 'WHAT', of: (row) => row.subject },
            { title: 'CHANGE', of: fieldsOf },
          ],
          'Nothing was changed.',
        ),
      };
    },
  });
}

async function importFile(session: Session, file: string, options: ImportOptions): Promise<DataResult> {
  const { product, billers = false, apply = false, force = false, withdrawMissing = false } = options;
  const read = await readRecords(file, { product, billers });
  refuseFaults(
    file,
    read.faults.map(({ line, fault }) => `line ${line}: ${describeRecordFault(fault)}`),
  );
  const items = read.items.map(({ item }) => item);
  const proposal = { incoming: () => items, source: basename(file), apply, force, withdrawMissing };
  const outcome = await session.database.transaction((tx) => changeCatalog(tx, proposal, session.actor));
  refuseFaults(
    file,
    outcome.diff.faults.map((fault) => {
      const names = new Set(fault.about.map(nameOf));
      const lines = read.items.filter(({ item }) => names.has(nameOf(item))).map(({ line }) => line);
      const words = describeCatalogFault(fault);
      return lines.length === 0 ? words : `line ${lines.join(', ')}: ${words}`;
    }),
  );
  return showChange(outcome, { apply, force });
}

async function readRecords(file: string, options: RecordOptions): Promise<FileRead<CatalogItem>> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > FILE_BYTES_MAX) throw new Error(`it is larger than ${FILE_BYTES_MAX} bytes`);
    return readCatalogFile(bytes, options);
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readPlanProduct(text: string): PlanProduct {
  const product = readVendProduct(text);
  if (isPlanProduct(product)) return product;
  throw new InvalidArgumentError(`It must be ${planProductList}: ${product} has no plans.`);
}

function readFormat(text: string): 'csv' | 'json' {
  if (text === 'csv' || text === 'json') return text;
  throw new InvalidArgumentError('It must be csv or json.');
}
