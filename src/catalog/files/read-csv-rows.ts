/**
 * Reads the rows of JSON lists and of CSV with a header line, each with its line number. An empty
 * cell is an absent field. The columns `provider_codes.<provider>.<code>` form the field
 * `provider_codes`.
 */

import { parse } from 'csv-parse/sync';
import { isRecord } from '../../core/json.ts';
import type { RecordFault } from '../records/fault-messages.ts';
import type { RawRecord } from '../records/read-by-schema.ts';

type CatalogFileFault = 'empty' | 'not_utf8' | 'not_csv' | 'not_json' | 'not_list';

/** A file that cannot be read as a list of records. The message is for operators. */
export class CatalogFileError extends Error {
  readonly code: CatalogFileFault;

  constructor(code: CatalogFileFault, message: string) {
    super(message);
    this.name = 'CatalogFileError';
    this.code = code;
  }
}

/** Reads a JSON list. Throws CatalogFileError for other text. */
export function readJsonRows(text: string): FileRow[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new CatalogFileError('not_json', `The file is not JSON: ${words}`);
  }
  if (!Array.isArray(entries)) throw new CatalogFileError('not_list', 'The file must be a list of records');
  const lines = linesOfElements(text);
  return entries.map((entry: unknown, index) => ({
    line: lines[index] ?? 0,
    read: isRecord(entry) ? { fields: entry, isText: false } : { fault: { code: 'no_record' } },
  }));
}

/** Returns the first line of each element of a JSON list. */
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

type FileRow = {
  readonly line: number;
  readonly read: RawRecord | { readonly fault: RecordFault };
};

type CsvRow = {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number; readonly error?: unknown };
};

/** Reads CSV. Throws CatalogFileError for other text. */
export function readCsvRows(text: string): FileRow[] {
  let parsed: CsvRow[];
  try {
    // A row with a different number of cells is reported as an error.
    const options = { columns: true, skip_empty_lines: true, trim: true, relax_column_count: true } as const;
    parsed = parse<CsvRow>(text, { ...options, info: true });
  } catch (error) {
    throw new CatalogFileError('not_csv', `The file is not CSV: ${wordsOf(error)}`);
  }
  return parsed.map(({ record, info }) => ({
    // A cell may have several lines. `lines` counts the last of them.
    line: info.lines - Object.values(record).join('').split('\n').length + 1,
    read:
      info.error === undefined
        ? { fields: toFields(record), isText: true }
        : { fault: { code: 'cell_count' } },
  }));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function toFields(cells: CsvRow['record']): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const codes: Record<string, Record<string, string>> = {};
  for (const [column, guarded] of Object.entries(cells)) {
    // Exports put an apostrophe before text that a spreadsheet would read as a formula.
    const cell = guarded
      .replace(/^'(?='*[=+\-@\t\r])/, '')
      .replace(/([,;|\t\r\n][ "]*)'(?='*[=+\-@])/g, '$1');
    if (cell === '') continue;
    const [, provider, code] = /^provider_codes\.([^.]+)(?:\.([^.]+))?$/.exec(column) ?? [];
    if (provider === undefined) fields[column] = cell;
    else codes[provider] = { ...codes[provider], ...(code !== undefined && { [code]: cell }) };
  }
  return Object.keys(codes).length > 0 ? { ...fields, provider_codes: codes } : fields;
}
