/** Compares a file of plans or billers with the catalog and, with `apply`, imports it. */
import { Type } from 'typebox';
import { runYielding } from '../../core/cooperative-yield.ts';
import { OperationError } from '../../core/errors.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import type { FileFault } from '../../core/operation-errors/trade-errors.ts';
import { giftOfForced, inputOf, oneOf, text } from '../../core/operation-fields.ts';
import { planProducts } from '../../core/products/product.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { catalogChangeAnswer, catalogChangeOutput } from '../catalog-change-answer.ts';
import { type CatalogItem, nameOf } from '../catalog-item.ts';
import type { CatalogFault } from '../check-catalog.ts';
import { catalogFileSteps, type FileRead } from '../files/read-catalog-file.ts';
import { describeCatalogFault, describeRecordFault } from '../records/fault-messages.ts';
import type { RecordOptions } from '../records/read-catalog-record.ts';
import type { NamingAccounts } from '../shown-codes.ts';
import { changeCatalog } from './change-catalog.ts';

export const FILE_LENGTH_MAX = 50_000_000;
/**
 * Some thousand records: a larger diff would block the process for over 200 ms. The command line
 * reads larger files in its own process.
 */
const BODY_BYTES_MAX = 1_024 * 1_024;

/** The input fields of imports and syncs. */
export const changeFields = {
  apply: Type.Optional(Type.Boolean({ description: 'true to apply it, completely or not at all' })),
  force: Type.Optional(
    Type.Boolean({ description: 'true to do it also where a price moves by more than 20 %, or below cost' }),
  ),
};

export const importCatalogOperation = defineOperation({
  name: 'catalog.import',
  kind: 'act',
  summary: 'compare a CSV or JSON file with the catalog and, with apply, update the catalog from it',
  roles: treasurers,
  route: 'POST /catalog/import',
  document: 'operators/catalog.md',
  confirm: ({ apply = false, withdraw_missing: withdraws = false }) =>
    apply && withdraws ? 'Plans that the file lacks are taken off sale. Apply it?' : undefined,
  bodyBytesMax: BODY_BYTES_MAX,
  input: inputOf({
    content: Type.String({
      description: 'CSV with a header line, or a JSON list',
      minLength: 1,
      maxLength: FILE_LENGTH_MAX,
    }),
    source: Type.Optional(
      text('a name for where it comes from, such as that of the file', { maxLength: 255 }),
    ),
    product: Type.Optional(
      oneOf(planProducts, {
        description: `${planProducts.join(', ')}: the product of rows that do not name one`,
      }),
    ),
    billers: Type.Optional(Type.Boolean({ description: 'true where the rows are billers, not plans' })),
    ...changeFields,
    version: Type.Optional(
      Type.String({
        description:
          'the version of the catalog that you read: if an item changed after it, it is not overwritten, and ' +
          'the import is refused',
        pattern: '^[0-9]{1,18}$',
      }),
    ),
    withdraw_missing: Type.Optional(
      Type.Boolean({
        description: 'true to withdraw plans that the file lacks, of the products in the file',
      }),
    ),
  }),
  output: catalogChangeOutput,
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor, accounts }: Acting & NamingAccounts, input) => {
    const { content, source = 'import', product, billers = false, apply = false, force = false } = input;
    const read = await readContent(content, source, { product, billers, providerOf: accounts?.idOf });
    refuseFaults(
      source,
      read.faults.map(({ line, fault }) => ({ lines: [line], fault: describeRecordFault(fault) })),
    );
    const items = read.items.map(({ item }) => item);
    const withdrawMissing = input.withdraw_missing ?? false;
    const version = input.version === undefined ? undefined : BigInt(input.version);
    const proposal = { incoming: () => items, source, apply, force, withdrawMissing, version };
    const outcome = await changeCatalog(tx, proposal, actor);
    refuseFaults(
      source,
      outcome.diff.faults.map((fault) => faultWithLines(fault, read)),
    );
    return catalogChangeAnswer(outcome, { apply, force, nameOf: accounts?.nameOf });
  },
});

/** Reads the file in steps, so that requests are served meanwhile. */
async function readContent(
  content: string,
  source: string,
  options: RecordOptions,
): Promise<FileRead<CatalogItem>> {
  try {
    return await runYielding(catalogFileSteps(content, options));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OperationError({ code: 'catalog_unreadable', source, why });
  }
}

function faultWithLines(fault: CatalogFault, read: FileRead<CatalogItem>): FileFault {
  const names = new Set(fault.about.map(nameOf));
  const lines = read.items.filter(({ item }) => names.has(nameOf(item))).map(({ line }) => line);
  return { lines, fault: describeCatalogFault(fault) };
}

/** Throws OperationError `catalog_at_fault` if there are faults. */
export function refuseFaults(source: string, faults: readonly FileFault[]): void {
  if (faults.length > 0) throw new OperationError({ code: 'catalog_at_fault', source, faults });
}
