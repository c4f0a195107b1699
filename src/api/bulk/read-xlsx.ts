/**
 * Reads the first sheet of a spreadsheet file (XLSX) as CSV text, which takes the same path as an
 * uploaded CSV file.
 *
 * Guarantees: a file cannot use more memory than the limits here, whatever sizes it states. The
 * parts that are read were unpacked within the limits, and the library sees only those.
 */
import { stringify } from 'csv-stringify/sync';
import { GatewayError } from '../../core/errors.ts';
import { batchRowsMax } from '../../purchases/batches/batch.ts';
import { COLUMNS_MAX } from './read-table.ts';

/** A sheet of 10,000 rows and seven columns takes about 4 MB. */
const UNPACKED_BYTES_MAX = 12 * 1_048_576;
const CSV_LENGTH_MAX = 2 * 1_048_576;
/** The rows, the headings, and empty lines between. */
const LINES_MAX = batchRowsMax + 1_000;

/** The parts of the file that a sheet of values consists of. */
const readParts =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[^/]+\.xml)$/;

/** Throws GatewayError: `batch_file_unreadable`, `batch_rows_full`. */
export async function readXlsx(bytes: Buffer): Promise<string> {
  const { zipSync } = await import('fflate');
  const parts = await unpack(bytes);
  for (const [name, part] of Object.entries(parts)) {
    if (name.startsWith('xl/worksheets/')) parts[name] = boundSheet(part);
  }
  const { readSheet } = await import('read-excel-file/node');
  const checked = Buffer.from(zipSync(parts, { level: 0 }));
  const rows = await readSheet(checked, { parseNumber: numberText }).catch(() => {
    throw unreadable();
  });
  return csvOf(rows);
}

async function unpack(bytes: Buffer): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = await import('fflate');
  let unpackedBytes = 0;
  try {
    // A part that is larger than its stated size is cut off there.
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!readParts.test(name)) return false;
        unpackedBytes += originalSize;
        if (unpackedBytes > UNPACKED_BYTES_MAX) throw unreadable();
        return true;
      },
    });
  } catch {
    throw unreadable();
  }
}

/** Ranges that programs write in addition to the cells. They may cover the whole sheet. */
const extents = /<(?:\w+:)?(?:dimension|mergeCell)\b[^>]*>/g;
/** The attribute with the position of a row or a cell, not the namespace that Excel calls `r`. */
const places = /(?<!xmlns:)\br\s*=\s*["']([^"'<>]{1,40})/g;

/**
 * Removes ranges and refuses distant cells, because the library would fill the space between with
 * empty cells.
 */
function boundSheet(part: Uint8Array): Uint8Array {
  const text = Buffer.from(part).toString('latin1').replaceAll(extents, '');
  for (const [, place = ''] of text.matchAll(places)) {
    const [, column, line] = /^([A-Z]{0,2})([0-9]{1,7})$/.exec(place) ?? [];
    if (column === undefined || columnNumber(column) > COLUMNS_MAX) throw unreadable();
    if (Number(line) > LINES_MAX) throw new GatewayError({ code: 'batch_rows_full', max: batchRowsMax });
  }
  return Buffer.from(text, 'latin1');
}

function columnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** All digits of a number. One that a spreadsheet has rounded to 15 digits gets an exponent. */
function numberText(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) && Math.abs(value) < 1e15 ? String(value) : value.toExponential();
}

function csvOf(rows: readonly (readonly unknown[])[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = stringify([row.map((cell) => (cell === null || cell === undefined ? '' : String(cell)))]);
    length += line.length;
    if (length > CSV_LENGTH_MAX) throw unreadable();
    lines.push(line);
  }
  return lines.join('');
}

function unreadable(): GatewayError {
  return new GatewayError({ code: 'batch_file_unreadable', why: 'spreadsheet' });
}
