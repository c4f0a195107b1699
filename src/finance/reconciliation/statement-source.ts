/**
 * Loads the lines of a statement into the temporary table: from a file as it streams in, or from a
 * provider's or bank's own list.
 */
import { basename } from 'node:path';
import { OperationError } from '../../core/errors.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Sql } from '../../db/database.ts';
import { ListUnavailableError } from '../../providers/statements/read-pages.ts';
import { readStatement } from '../../providers/statements/read-statement.ts';
import {
  type Period,
  StatementError,
  type StatementLine,
} from '../../providers/statements/statement-line.ts';
import type { StatementMapping } from '../../providers/statements/statement-mapping.ts';
import type { Explained } from './explained-store.ts';
import { insertReportedLines, removeRepeatedLines } from './reported-lines-store.ts';
import { type BalanceCheck, RunningBalance } from './running-balance.ts';

const LINES_AT_ONCE = 2_000;

/** The loaded lines, and the known facts about them as a whole. */
export type Reported = {
  readonly lines: number;
  /** From the first line to the last; undefined without lines. */
  readonly span: Period | undefined;
  /** The balances that the lines must lead from and to. */
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** The check of the balances in the lines; absent for a list. */
  readonly balances?: BalanceCheck;
  /** The number of skipped rows, by reason. */
  readonly leftOut: Explained;
};

export type StatementFile = {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;
};

/**
 * Loads the lines of a file that are in the period. The file's balances count only if no line was
 * skipped. Throws OperationError `statement_at_fault`.
 */
export async function loadFile(
  sql: Sql,
  { name, chunks }: StatementFile,
  mapping: StatementMapping,
  { from, to }: Partial<Period>,
  onProgress: OnProgress,
): Promise<Reported> {
  const isIn = ({ at }: StatementLine): boolean =>
    (from === undefined || at >= from) && (to === undefined || at < to);
  try {
    const running = new RunningBalance();
    const isTaken = (line: StatementLine): boolean => {
      running.add(line);
      return isIn(line);
    };
    const lines = readStatement(chunks, mapping);
    const { end, outside, ...reported } = await load(sql, lines, isTaken, onProgress);
    const { opening, closing } = outside === 0 ? end : NO_BALANCES;
    const leftOut = { outside_period: outside, remarks: end.remarks };
    return { ...reported, opening, closing, balances: running.result(), leftOut };
  } catch (error) {
    if (error instanceof StatementError) {
      throw new OperationError({ code: 'statement_at_fault', file: basename(name), faults: error.faults });
    }
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'EACCES', 'EISDIR'].includes(String(error.code))
    ) {
      const faults = [`cannot read the file: ${String(error.code)}`];
      throw new OperationError({ code: 'statement_at_fault', file: basename(name), faults });
    }
    throw error;
  }
}

/** Loads the lines of a list. Throws OperationError `party_list_unavailable`. */
export async function loadList(
  sql: Sql,
  lines: AsyncGenerator<StatementLine, undefined>,
  onProgress: OnProgress,
): Promise<Reported> {
  try {
    const { lines: count, span } = await load(sql, lines, () => true, onProgress);
    return { lines: count, span, ...NO_BALANCES, leftOut: { repeated: await removeRepeatedLines(sql) } };
  } catch (error) {
    if (!(error instanceof ListUnavailableError)) throw error;
    throw new OperationError({ code: 'party_list_unavailable', party: error.party, reason: error.reason });
  }
}

const NO_BALANCES = { opening: undefined, closing: undefined };

async function load<End>(
  sql: Sql,
  lines: AsyncGenerator<StatementLine, End>,
  isIn: (line: StatementLine) => boolean,
  onProgress: OnProgress,
) {
  const times = new Times();
  let batch: StatementLine[] = [];
  let done = 0;
  let outside = 0;
  for (;;) {
    const next = await lines.next();
    const isFull = batch.length >= LINES_AT_ONCE;
    if ((isFull || next.done === true) && batch.length > 0) {
      await insertReportedLines(sql, batch);
      done += batch.length;
      batch = [];
      onProgress({ step: 'reading', done, unit: 'lines' });
    }
    if (next.done === true) return { lines: done, span: times.span(), end: next.value, outside };
    if (isIn(next.value)) {
      batch.push(next.value);
      times.add(next.value);
    } else {
      outside += 1;
    }
  }
}

/** Times in files often have no seconds. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** How long a line's time may last, by its precision. */
const LENGTHS = { day: DAY_MS, midnight: MINUTE_MS, hour: 3_600_000, time: MINUTE_MS } as const;

/**
 * The period of the lines. It begins with the first day if all lines have only a day, or its first
 * moment. It ends when the time of every line is over. A last line at midnight may stand for its
 * whole day, so the period contains that day.
 */
class Times {
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #lastMidnight = Number.NEGATIVE_INFINITY;
  #areDays = true;

  add({ at, precision }: StatementLine): void {
    const ms = at.getTime();
    this.#first = Math.min(this.#first, ms);
    this.#last = Math.max(this.#last, ms);
    this.#lastEnd = Math.max(this.#lastEnd, ms + LENGTHS[precision ?? 'time']);
    if (precision === 'midnight') this.#lastMidnight = Math.max(this.#lastMidnight, ms);
    this.#areDays &&= precision === 'day' || precision === 'midnight';
  }

  span(): Period | undefined {
    if (this.#last < this.#first) return undefined;
    return {
      from: new Date(this.#areDays ? this.#first : this.#first - MINUTE_MS),
      to: new Date(this.#lastMidnight === this.#last ? this.#last + DAY_MS : this.#lastEnd),
    };
  }
}
