// Reads a catalog file, JSON or CSV, that an operator wants imported. Guarantees that every bad row is found before any is
// used, each with the line it begins on.
import { parse as parseCsv } from 'csv-parse/sync';
import type { Static, TSchema } from 'typebox';
import { parseMobileNetwork } from '../products/network.ts';
import { isBillProduct, parseVendProduct, type VendProduct } from '../products/product.ts';
import {
  billerItem,
  billItem,
  type CatalogItem,
  dataItem,
  esimItem,
  giftCardItem,
  type PlanProduct,
} from './catalog-record.ts';
import { type EntryRead, readBySchema } from './demo-files.ts';
import { EsimEntry, GiftCardEntry, readEsim, readGiftCard } from './goods-records.ts';
import { BillPlanEntry, readBillPlan } from './read-demo-bill-plans.ts';
import { BillerEntry, readBiller } from './read-demo-billers.ts';
import { DataPlanEntry, readDataPlan } from './read-demo-data-plans.ts';

export type ImportRead = {
  readonly items: readonly { readonly line: number; readonly item: CatalogItem }[];
  /** Such as `line 7: price is no amount above zero: 1,000`. */
  readonly faults: readonly string[];
};

export type ImportOptions = {
  /** Of the rows that do not say it. */
  readonly product: PlanProduct | undefined;
  /** The rows are billers, not plans. */
  readonly billers: boolean;
};

type Row = { readonly line: number } & ({ readonly entry: unknown } | { readonly fault: string });

const numbers = new Set(['id', 'data_mb', 'duration_days']);
const booleans = new Set(['active', 'featured', 'test_only']);

/** Throws an Error where `bytes` are neither a JSON list nor CSV with a head line. */
export function readImport(bytes: Uint8Array, options: ImportOptions): ImportRead {
  const source = decode(bytes);
  if (source.trim() === '') throw new Error('the file is empty');
  const rows = /^\s*[[{]/.test(source) ? readJsonRows(source) : readCsvRows(source);
  const reads = rows.map((row) => ({
    line: row.line,
    read: 'fault' in row ? { faults: [row.fault] } : readEntry(row.entry, options),
  }));
  const items = reads.flatMap(({ line, read }) => ('item' in read ? [{ line, item: read.item }] : []));
  const faults = reads.flatMap(({ line, read }) =>
    'item' in read ? [] : read.faults.map((fault) => ({ line, fault })),
  );
  return {
    items,
    faults: [...faults, ...findRepeatedRows(items)]
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, fault }) => `line ${line}: ${fault}`),
  };
}

/** In another encoding letters beyond ASCII would become other letters, unnoticed. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('the file is not in UTF-8: save it so');
  }
}

function findRepeatedRows(items: ImportRead['items']): { line: number; fault: string }[] {
  const firstLine = new Map<string, number>();
  return items.flatMap(({ line, item }) => {
    const name = `${item.kind} ${item.key}`;
    const first = firstLine.get(name);
    firstLine.set(name, first ?? line);
    return first === undefined ? [] : [{ line, fault: `${name} is there twice: also on line ${first}` }];
  });
}

function readJsonRows(text: string): Row[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(entries)) throw new Error('the file must be a list of records');
  const lines = linesOfElements(text);
  return entries.map((entry: unknown, index) => ({ line: lines[index] ?? 0, entry }));
}

/** The line on which each element of a JSON list begins; `text` is known to be JSON. */
function linesOfElements(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|\n|[^\s,:"[\]{}]+/g)) {
    if (token === '\n') line += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else {
      if (depth === 1) lines.push(line);
      if (token === '{' || token === '[') depth += 1;
    }
  }
  return lines;
}

function readCsvRows(text: string): Row[] {
  let parsed: CsvRow[];
  try {
    // A row of another length is a fault like others, told with them.
    const options = { columns: true, skip_empty_lines: true, trim: true, relax_column_count: true } as const;
    parsed = parseCsv<CsvRow>(text, { ...options, info: true });
  } catch (error) {
    throw new Error(`the file is no CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
  // A cell may run over lines; `lines` is that of its end.
  return parsed.map(({ record, info }) => {
    const line = info.lines - Object.values(record).join('').split('\n').length + 1;
    return info.error === undefined
      ? { line, entry: fromCells(record) }
      : { line, fault: 'it has more or fewer cells than the head line' };
  });
}

type CsvRow = {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number; readonly error?: unknown };
};

/** Cells are text: numbers, booleans, `provider_codes.<provider>.<code>` and `aliases` become what JSON has. Empty ones are absent. */
function fromCells(cells: Readonly<Record<string, string>>): unknown {
  const entry: Record<string, unknown> = {};
  const codes: Record<string, Record<string, string>> = {};
  const card = parseVendProduct(cells.product ?? '') === 'GIFTCARD' || 'ui_category' in cells;
  for (const [column, cell] of Object.entries(cells)) {
    const [, provider, code] = /^provider_codes\.([^.]+)(?:\.([^.]+))?$/.exec(column) ?? [];
    if (cell === '') continue;
    if (provider !== undefined) {
      codes[provider] = { ...codes[provider], ...(code !== undefined && { [code]: cell }) };
    } else if ((numbers.has(column) || (column === 'plan_id' && card)) && /^[0-9]{1,10}$/.test(cell)) {
      entry[column] = Number(cell);
    } else if (booleans.has(column) && /^(true|false)$/i.test(cell)) {
      entry[column] = cell.toLowerCase() === 'true';
    } else {
      entry[column] = column === 'aliases' ? parseOr(cell) : cell;
    }
  }
  return Object.keys(codes).length > 0 ? { ...entry, provider_codes: codes } : entry;
}

function parseOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function readEntry(entry: unknown, options: ImportOptions): EntryRead<CatalogItem> {
  if (typeof entry !== 'object' || entry === null) return { faults: ['must be a record'] };
  const { product: named, ...fields } = entry as Record<string, unknown>;
  const product = named === undefined ? options.product : parseVendProduct(String(named));
  if (product === undefined || product === 'airtime') {
    const wanted = 'one of data, ELECTRICITY, CABLE, BETTING, GIFTCARD, ESIM';
    return { faults: [`product must be ${wanted}${named === undefined ? ', or say --product' : ''}`] };
  }
  const record = { active: true, ...fields };
  if (options.billers) {
    const biller = { product, aliases: [], ...record };
    return wrap(readBySchema(BillerEntry, biller, readBiller), billerItem);
  }
  return readPlan(product, { provider_codes: {}, ...record });
}

function readPlan(
  product: Exclude<VendProduct, 'airtime'>,
  plan: Record<string, unknown>,
): EntryRead<CatalogItem> {
  if (product === 'GIFTCARD') return check(GiftCardEntry, plan, readGiftCard, giftCardItem);
  if (product === 'ESIM') return check(EsimEntry, plan, readEsim, esimItem);
  const network = String(plan.network ?? '');
  if (isBillProduct(product)) {
    // Whether there is such a biller is judged with the rest of the catalog.
    const read = (entry: Static<typeof BillPlanEntry>) => readBillPlan(entry, product, new Set([network]));
    return check(BillPlanEntry, { product, ...plan }, read, billItem);
  }
  const mobile = parseMobileNetwork(network);
  if (mobile === undefined) return { faults: [`network is no mobile network: ${network}`] };
  return check(DataPlanEntry, plan, (entry) => readDataPlan(entry, mobile), dataItem);
}

function check<Schema extends TSchema, Item>(
  schema: Schema,
  entry: unknown,
  read: (entry: Static<Schema>) => EntryRead<Item>,
  toItem: (item: Item) => CatalogItem,
): EntryRead<CatalogItem> {
  return wrap(readBySchema(schema, entry, read), toItem);
}

function wrap<Item>(read: EntryRead<Item>, toItem: (item: Item) => CatalogItem): EntryRead<CatalogItem> {
  return 'item' in read ? { item: toItem(read.item) } : read;
}
