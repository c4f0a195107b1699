/**
 * Reads a statement file as it streams in: one line after the other, whatever its length, in
 * bounded memory. Whether the file as a whole is good is known at its end: what is wrong is told
 * then, all of it with line numbers, and nothing of the file may count before.
 */
import { parse } from 'csv-parse';
import { matchWords } from './match-words.ts';
import { type ReadRow, type Row, readRow } from './read-row.ts';
import { parseStatementAmount } from './statement-amount.ts';
import { findDelimiter, HEAD_LINES_MAX, noHead, type Places, readHead } from './statement-columns.ts';
import { StatementError } from './statement-error.ts';
import type { StatementLine } from './statement-line.ts';
import type { StatementMapping } from './statement-mapping.ts';

/** What a file says besides its lines. */
export type StatementEnd = {
  /** What there was before the first line and after the last, in minor units, where it says so. */
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
};

/** Faults that are told; a file with more is the wrong file. */
const FAULTS_MAX = 20;
/** How much of a file is looked at for its head line. */
const START_CHARACTERS = 64 * 1024;
const ROW_CHARACTERS_MAX = 1024 * 1024;

type Chunks = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/**
 * Gives the lines in the order of the file, and its end. Throws StatementError, of a file without
 * the mapping's columns at once, of wrong lines at the end.
 */
export async function* readStatement(
  chunks: Chunks,
  mapping: StatementMapping,
): AsyncGenerator<StatementLine, StatementEnd> {
  const faults: string[] = [];
  const above: Row[] = [];
  const sums: { opening?: bigint; closing?: bigint } = {};
  let places: Places | undefined;
  for await (const row of rowsOf(chunks, mapping)) {
    if (noteSum(row, mapping, sums)) continue;
    if (places === undefined) {
      places = readHead(row.cells, mapping);
      above.push(row);
      if (places === undefined && above.length >= HEAD_LINES_MAX) throw noHead(above, mapping);
      continue;
    }
    if (isFooter(row, mapping)) continue;
    const read: ReadRow = readRow(row, places, mapping);
    if (read.kind === 'line') yield read.line;
    else faults.push(read.fault);
    if (faults.length >= FAULTS_MAX) throw new StatementError([...faults, 'and perhaps more']);
  }
  if (places === undefined) throw noHead(above, mapping);
  if (faults.length > 0) throw new StatementError(faults);
  return { opening: sums.opening, closing: sums.closing };
}

/** Whether the row says what there was before the first line, or after the last. */
function noteSum(row: Row, mapping: StatementMapping, sums: { opening?: bigint; closing?: bigint }): boolean {
  const { opening = [], closing = [] } = mapping;
  if (opening.length + closing.length === 0) return false;
  const [first = '', ...rest] = row.cells.filter((cell) => cell.trim() !== '');
  const which = matchWords(first, { opening, closing });
  if (which === undefined) return false;
  const amount = rest
    .map((cell) => parseStatementAmount(cell, mapping.decimal))
    .find((one) => one !== undefined);
  if (amount === undefined) return false;
  sums[which] = amount;
  return true;
}

function isFooter({ cells }: Row, { footers = [] }: StatementMapping): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  return first === undefined || matchWords(first, { footer: footers }) !== undefined;
}

async function* rowsOf(chunks: Chunks, mapping: StatementMapping): AsyncGenerator<Row> {
  const texts = decode(chunks);
  let start = '';
  while (start.length < START_CHARACTERS) {
    const next = await texts.next();
    if (next.done === true) break;
    start += next.value;
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
  const feed = async (): Promise<void> => {
    try {
      await write(parser, start);
      for await (const text of texts) await write(parser, text);
      parser.end();
    } catch (error) {
      parser.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const fed = feed();
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      // A cell may have several lines; `lines` is the last of them.
      yield { line: info.lines - (record.join('').split('\n').length - 1), cells: record };
    }
  } catch (error) {
    if (isCsvError(error)) throw new StatementError([`the file is no CSV: ${error.message}`]);
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

/** UTF-8, or UTF-16 where its mark says so; without the mark. */
async function* decode(chunks: Chunks): AsyncGenerator<string, undefined> {
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  for await (const chunk of chunks) {
    if (typeof chunk === 'string') {
      yield isFirst ? chunk.replace(/^\uFEFF/, '') : chunk;
    } else {
      decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8');
      yield decoder.decode(chunk, { stream: true });
    }
    isFirst = false;
  }
  yield decoder?.decode() ?? '';
}
