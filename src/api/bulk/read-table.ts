/**
 * Reads a file of rows: CSV with commas, semicolons or tabs, or cells pasted from a spreadsheet.
 */
import { parse } from 'csv-parse/sync';
import { GatewayError } from '../../core/errors.ts';
import { batchRowsMax } from '../../purchases/batches/batch.ts';

export type Table = { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** The headings are stored and returned with the batch. */
export const COLUMNS_MAX = 100;

/** Throws GatewayError: `batch_file_unreadable`, `batch_rows_full`. */
export function readTable(text: string): Table {
  const [heads, ...rows] = parsed(text);
  if (heads === undefined || rows.length === 0) {
    throw new GatewayError({ code: 'batch_file_unreadable', why: 'empty' });
  }
  if (heads.length > COLUMNS_MAX) throw new GatewayError({ code: 'batch_file_unreadable', why: 'columns' });
  return { heads, rows };
}

function parsed(text: string): string[][] {
  const isUnreadable = /[\0\ufffd]/.test(text) || !text.isWellFormed();
  if (isUnreadable) throw new GatewayError({ code: 'batch_file_unreadable', why: 'encoding' });
  let rows: string[][];
  try {
    rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      trim: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      skip_empty_lines: true,
      // One more than allowed, so that a longer file is detected.
      to: batchRowsMax + 2,
    });
  } catch {
    throw new GatewayError({ code: 'batch_file_unreadable', why: 'format' });
  }
  if (rows.length > batchRowsMax + 1) throw new GatewayError({ code: 'batch_rows_full', max: batchRowsMax });
  return rows;
}

/** The separator that occurs most often in the headings. */
function delimiterOf(text: string): string {
  const heads = text.trimStart().split(/\r?\n|\r/, 1)[0] ?? '';
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: heads.split(sign).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).sign;
}
