/**
 * Brings what a provider or a bank tells into the temporary tables: from a statement file, as it
 * streams in, or from its own list.
 */
import { basename } from 'node:path';
import type { Sql } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import type { OnProgress } from '../kernel/progress.ts';
import { ListUnavailableError } from '../statements/read-pages.ts';
import { readStatement, type StatementEnd } from '../statements/read-statement.ts';
import { StatementError } from '../statements/statement-error.ts';
import type { Period, StatementLine } from '../statements/statement-line.ts';
import type { StatementMapping } from '../statements/statement-mapping.ts';
import { insertTold } from './told-store.ts';

const LINES_AT_ONCE = 2_000;

/** What a list has besides its lines: nothing. */
const NO_END: StatementEnd = { opening: undefined, closing: undefined, remarks: 0 };

export type StatementFile = {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
};

/**
 * Of a period where one is given: the balances of a file count only where none of its lines was
 * left out. Throws OperationError `statement_at_fault`.
 */
export async function takeFile(
  sql: Sql,
  { name, chunks }: StatementFile,
  mapping: StatementMapping,
  period: Partial<Period>,
  onProgress: OnProgress,
): Promise<StatementEnd> {
  const { from, to } = period;
  let isWhole = true;
  const isIn = ({ at }: StatementLine): boolean => {
    const isOf = (from === undefined || at >= from) && (to === undefined || at < to);
    isWhole &&= isOf;
    return isOf;
  };
  try {
    const end = await take(sql, readStatement(chunks, mapping), isIn, onProgress);
    return isWhole ? end : { ...end, ...NO_END };
  } catch (error) {
    if (error instanceof StatementError) {
      throw new OperationError({ code: 'statement_at_fault', file: basename(name), faults: error.faults });
    }
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'EACCES', 'EISDIR'].includes(String(error.code))
    ) {
      const faults = [`it cannot be read: ${String(error.code)}`];
      throw new OperationError({ code: 'statement_at_fault', file: basename(name), faults });
    }
    throw error;
  }
}

/** Throws OperationError `party_list_unavailable`. */
export async function takeList(
  sql: Sql,
  lines: AsyncGenerator<StatementLine, undefined>,
  onProgress: OnProgress,
): Promise<StatementEnd> {
  try {
    await take(sql, lines, () => true, onProgress);
    return NO_END;
  } catch (error) {
    if (!(error instanceof ListUnavailableError)) throw error;
    throw new OperationError({ code: 'party_list_unavailable', party: error.party, reason: error.reason });
  }
}

async function take<End>(
  sql: Sql,
  lines: AsyncGenerator<StatementLine, End>,
  isIn: (line: StatementLine) => boolean,
  onProgress: OnProgress,
): Promise<End> {
  let batch: StatementLine[] = [];
  let done = 0;
  for (;;) {
    const next = await lines.next();
    const isFull = batch.length >= LINES_AT_ONCE;
    if ((isFull || next.done === true) && batch.length > 0) {
      await insertTold(sql, batch);
      done += batch.length;
      batch = [];
      onProgress({ step: 'reading', done, unit: 'lines' });
    }
    if (next.done === true) return next.value;
    if (isIn(next.value)) batch.push(next.value);
  }
}
