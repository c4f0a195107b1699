/**
 * Reads a file of catalog records, JSON or CSV: the operator's imports, exports of `oja catalog
 * export`, and the files of the demo. Guarantees that all bad records are reported together, each
 * with its first line.
 */

import { Type } from 'typebox';
import type { Steps } from '../../core/cooperative-yield.ts';
import { parsePercent } from '../../core/money.ts';
import { type CatalogItem, nameOf } from '../catalog-item.ts';
import { type FxRate, goodsCurrencies, parseRate } from '../fx-rate.ts';
import type { RecordFault, RecordRead } from '../records/fault-messages.ts';
import { type RawRecord, readBySchema } from '../records/read-by-schema.ts';
import { type RecordOptions, readCatalogRecord } from '../records/read-catalog-record.ts';
import { CatalogFileError, readCsvRows, readJsonRows } from './read-csv-rows.ts';

const FxRateRecord = Type.Object(
  { currency: Type.Enum([...goodsCurrencies]), rate: Type.String(), margin_percent: Type.String() },
  { additionalProperties: false },
);

/** Reads the record of an exchange rate. */
function readFxRateRecord(raw: RawRecord): RecordRead<FxRate> {
  return readBySchema(FxRateRecord, raw, ({ currency, rate, margin_percent: margin }) => {
    const rateMicro = parseRate(rate);
    const marginBasisPoints = parsePercent(margin);
    const faults: RecordFault[] = [];
    if (rateMicro === undefined) faults.push({ code: 'rate', field: 'rate', value: rate });
    if (marginBasisPoints === undefined) {
      faults.push({ code: 'margin', field: 'margin_percent', value: margin });
    }
    return rateMicro === undefined || marginBasisPoints === undefined
      ? { faults }
      : { item: { currency, rateMicro, marginBasisPoints } };
  });
}

/** The contents of a file. `items` have no faults and no repetitions. */
export type FileRead<Item> = {
  readonly items: readonly { readonly line: number; readonly item: Item }[];
  /** In the order of their lines. */
  readonly faults: readonly FileFault[];
};

type FileFault = { readonly line: number; readonly fault: RecordFault };

/**
 * Reads plans or billers. Throws CatalogFileError for a file that is neither a JSON list nor CSV.
 */
export function readCatalogFile(file: Uint8Array | string, options: RecordOptions): FileRead<CatalogItem> {
  return readAtOnce(catalogFileSteps(file, options));
}

/** Reads plans or billers in steps, for a process that serves requests meanwhile. */
export function catalogFileSteps(
  file: Uint8Array | string,
  options: RecordOptions,
): Steps<FileRead<CatalogItem>> {
  return readRecords(file, (raw) => readCatalogRecord(raw, options), nameOf);
}

/** Reads exchange rates. Throws CatalogFileError like `readCatalogFile`. */
export function readFxRateFile(bytes: Uint8Array): FileRead<FxRate> {
  return readAtOnce(readRecords(bytes, readFxRateRecord, ({ currency }) => `rate of ${currency}`));
}

function readAtOnce<Read>(steps: Steps<Read>): Read {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The records of a step, which takes some milliseconds. */
const STEP_RECORDS = 50;

function* readRecords<Item>(
  file: Uint8Array | string,
  readRecord: (raw: RawRecord) => RecordRead<Item>,
  nameOfItem: (item: Item) => string,
): Steps<FileRead<Item>> {
  const text = typeof file === 'string' ? file : decodeFile(file);
  if (text.trim() === '') throw new CatalogFileError('empty', 'The file is empty');
  const rows = /^\s*[[{]/.test(text) ? readJsonRows(text) : readCsvRows(text);
  const items: { line: number; item: Item }[] = [];
  const faults: FileFault[] = [];
  const firstLines = new Map<string, number>();
  yield;
  for (const [index, { line, read }] of rows.entries()) {
    if (index % STEP_RECORDS === STEP_RECORDS - 1) yield;
    const result = 'fault' in read ? { faults: [read.fault] } : readRecord(read);
    if ('faults' in result) {
      faults.push(...result.faults.map((fault) => ({ line, fault })));
      continue;
    }
    const name = nameOfItem(result.item);
    const firstLine = firstLines.get(name);
    if (firstLine !== undefined) {
      faults.push({ line, fault: { code: 'repeated', name, firstLine } });
      continue;
    }
    firstLines.set(name, line);
    items.push({ line, item: result.item });
  }
  return { items, faults };
}

/**
 * Decodes UTF-8. Throws CatalogFileError for another encoding, whose letters would become others.
 */
export function decodeFile(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CatalogFileError('not_utf8', 'The file is not in UTF-8. Save it as UTF-8.');
  }
}
