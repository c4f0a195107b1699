/**
 * Reads a statement file as a stream, in bounded memory. The file is known to be valid at its end
 * only: the reader then reports all faults with line numbers. No line may count before.
 */
import { parse } from 'csv-parse';
import { type ReadRow, type Row, readRow } from './read-row.ts';
import { findDelimiter, HEAD_LINES_MAX, type Head, noHead, readHead } from './statement-columns.ts';
import { parseStatementAmount, StatementError, type StatementLine } from './statement-line.ts';
import { matchWords, type StatementMapping } from './statement-mapping.ts';
import { parseTime } from './statement-time.ts';

/** What a file contains besides its lines. */
export type StatementEnd = {
  /**
   * The balance before the first line and after the last, in minor units, if the file states it.
   */
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** The number of rows below the head line that are neither lines nor balances. */
  readonly remarks: number;
};

/** The number of faults that are reported. A file with more is the wrong file. */
const FAULTS_MAX = 20;
/** How much of a file is searched for its head line. */
const START_CHARACTERS = 64 * 1024;
const ROW_CHARACTERS_MAX = 1024 * 1024;
/** The starts of XLSX and XLS files, as text. */
const WORKBOOKS = ['PK\u0003\u0004', '\ufffd\ufffd\u0011\u0871'];

type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/**
 * Yields the lines in the order of the file, and returns its end. Throws StatementError: at once
 * when the columns of the mapping are missing, and at the end for faulty lines.
 */
export async function* readStatement(
  chunks: Chunks,
  mapping: StatementMapping,
): AsyncGenerator<StatementLine, StatementEnd> {
  const faults: string[] = [];
  const above: Row[] = [];
  const balances: BalanceRow[] = [];
  let head: Head | undefined;
  let headText = '';
  let remarks = 0;
  for await (const row of rowsOf(chunks, mapping)) {
    const balance = balanceOf(row, mapping);
    if (balance !== undefined) {
      balances.push(balance);
      continue;
    }
    if (head === undefined) {
      head = readHead(row.cells, mapping);
      above.push(row);
      if (head === undefined && above.length >= HEAD_LINES_MAX) throw noHead(above, mapping);
      headText = row.cells.join();
      continue;
    }
    if (isFooter(row, head, mapping) || row.cells.join() === headText) {
      remarks += 1;
      continue;
    }
    const read: ReadRow = readRow(row, head, mapping);
    if (read.kind === 'line') yield read.line;
    else faults.push(read.fault);
    if (faults.length >= FAULTS_MAX) throw new StatementError([...faults, 'and perhaps more']);
  }
  if (head === undefined) throw noHead(above, mapping);
  const ends = endsOf(balances, head, mapping, faults);
  if (faults.length > 0) throw new StatementError(faults);
  return { ...ends, remarks };
}

type End = 'opening' | 'closing';
type BalanceRow = { readonly end: End; readonly row: Row };

/** Recognises a row with the balance before the first line or after the last. */
function balanceOf(row: Row, { opening = [], closing = [], time }: StatementMapping): BalanceRow | undefined {
  if (opening.length + closing.length === 0) return undefined;
  // A weekday may come before the words.
  const [first = '', ...rest] = row.cells.filter(
    (cell) => cell.trim() !== '' && parseTime(cell.trim(), time) === undefined,
  );
  const end = matchWords(first, { opening, closing });
  return end === undefined || !rest.some((cell) => /\d/.test(cell)) ? undefined : { end, row };
}

/**
 * Reads the balances, and adds a fault for each unreadable one. Of several, as in a file with a
 * section for each month, the first opening and the last closing balance count; the other way round
 * when the newest line is first.
 */
function endsOf(
  rows: readonly BalanceRow[],
  head: Head,
  mapping: StatementMapping,
  faults: string[],
): { opening: bigint | undefined; closing: bigint | undefined } {
  const ends: { opening: bigint | undefined; closing: bigint | undefined } = {
    opening: undefined,
    closing: undefined,
  };
  for (const { end, row } of rows) {
    const amount = balanceIn(row, head, mapping);
    if (amount === undefined) faults.push(`line ${row.line}: its ${end} balance cannot be read`);
    else if (end !== rows[0]?.end || ends[end] === undefined) ends[end] = amount;
  }
  return ends;
}

/** Reads the balance column, or else the only amount. Zero beside another amount is ignored. */
function balanceIn({ cells }: Row, { places, width }: Head, mapping: StatementMapping): bigint | undefined {
  if (cells.slice(width).some((cell) => cell.trim() !== '')) return undefined;
  // An unquoted `10,000.00` is two cells.
  if (cells.some((cell) => /^\s*0\d/.test(cell))) return undefined;
  const amountIn = (cell = ''): bigint | undefined => parseStatementAmount(cell, mapping.decimal);
  const named = amountIn(cells[places.get('balance') ?? -1]);
  if (named !== undefined && named !== 0n) return named;
  const amounts = new Set(cells.map(amountIn).filter((one) => one !== undefined));
  const others = [...amounts].filter((one) => one !== 0n);
  return others.length > 1 ? undefined : (others[0] ?? [...amounts][0]);
}

/** Tells whether a row is a footer. A row with a time is a line, whatever its first word. */
function isFooter({ cells }: Row, { places }: Head, mapping: StatementMapping): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  if (first === undefined) return true;
  if (matchWords(first, { footer: mapping.footers ?? [] }) === undefined) return false;
  return parseTime(cells[places.get('at') ?? -1]?.trim() ?? '', mapping.time) === undefined;
}

async function* rowsOf(chunks: Chunks, mapping: StatementMapping): AsyncGenerator<Row> {
  const texts = decode(chunks);
  let start = '';
  while (start.length < START_CHARACTERS) {
    const next = await texts.next();
    if (next.done === true) break;
    start += next.value;
  }
  if (WORKBOOKS.some((first) => start.startsWith(first))) {
    throw new StatementError(['the file is a spreadsheet workbook: export the sheet as CSV']);
  }
  const parser = parse({
    delimiter: findDelimiter(start, mapping),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: ROW_CHARACTERS_MAX,
  });
  let end = start.slice(-1);
  const feed = async (): Promise<void> => {
    try {
      await write(parser, start);
      for await (const text of texts) {
        if (text !== '') end = text.slice(-1);
        await write(parser, text);
      }
      parser.end();
    } catch (error) {
      parser.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const fed = feed();
  let row: Row | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // A cell may have several lines. `lines` counts the last of them.
      const line = info.lines - (record.join('').split('\n').length - 1);
      if (row !== undefined) yield row;
      row = { line, cells: record };
    }
    if (row !== undefined) yield { ...row, isOpen: !/[\r\n]$/.test(end) };
  } catch (error) {
    if (isCsvError(error)) throw new StatementError([`the file is not CSV: ${error.message}`]);
    throw error;
  } finally {
    parser.destroy();
    await fed;
  }
}

function isCsvError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');
}

async function write(parser: ReturnType<typeof parse>, text: string): Promise<void> {
  if (text === '' || parser.destroyed || parser.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      parser.off('drain', go);
      parser.off('close', go);
      resolve();
    };
    parser.on('drain', go);
    parser.on('close', go);
  });
}

/** Invisible marks in copied text: byte order and text direction. */
const INVISIBLE = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Removes invisible marks. */
async function* decode(chunks: Chunks): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    if (typeof chunk === 'string') {
      yield chunk.replace(INVISIBLE, '');
    } else {
      decoder ??= new TextDecoder(encodingOf(chunk));
      yield decoder.decode(chunk, { stream: true }).replace(INVISIBLE, '');
    }
  }
  yield decoder?.decode() ?? '';
}
