/**
 * A block of an archive: the attempts and answers of some purchases of one merchant, as JSON. Pure.
 * Rows are arrays of the values of the columns that are named here, whatever other columns a table
 * gets later. Two lists of rows are the same where their texts are.
 */
import { BackupError } from '../backup/backup-error.ts';

/** With the types of their columns. `vend_id` comes first. */
export const attemptColumns = {
  vend_id: 'uuid',
  number: 'smallint',
  provider: 'text',
  reference: 'text',
  reason: 'text',
  started_at: 'timestamptz',
  account: 'text',
} as const;

export const answerColumns = {
  vend_id: 'uuid',
  at: 'timestamptz',
  attempt: 'smallint',
  source: 'text',
  kind: 'text',
  code: 'text',
  message: 'text',
  provider_id: 'text',
  latency_ms: 'integer',
} as const;

export type Block = {
  readonly merchantId: number;
  /** In their order. */
  readonly vendIds: readonly string[];
  /** A row each, as the text of a JSON array, sorted. */
  readonly attempts: readonly string[];
  readonly answers: readonly string[];
};

/** Files of before have rows without the last columns: what these would have is not known. */
function whole(row: unknown, columns: object): unknown[] {
  if (!Array.isArray(row)) throw new TypeError('a row is an array');
  return Object.keys(columns).map((_, place) => row[place] ?? null);
}

/** Of rows as the database writes them. */
export function toBlock(merchantId: number, attempts: readonly string[], answers: readonly string[]): Block {
  const [ofAttempts, ofAnswers] = [toRows(attempts), toRows(answers)];
  const vendIds = [...new Set(ofAttempts.map((row) => String(JSON.parse(row)[0])))].sort();
  return { merchantId, vendIds, attempts: ofAttempts, answers: ofAnswers };
}

/** In one spelling and one order. */
function toRows(rows: readonly string[]): string[] {
  return rows.map((row) => JSON.stringify(JSON.parse(row))).sort();
}

/** Whether they hold the same rows, each as often. */
export function isSameBlock(one: Block, other: Block): boolean {
  return writeBlock(one) === writeBlock(other);
}

/** When the first and the last of its attempts were made, in milliseconds. */
export function spanOf({ attempts }: Block): { readonly from: number; readonly to: number } {
  const place = Object.keys(attemptColumns).indexOf('started_at');
  const times = attempts.map((row) => Date.parse(JSON.parse(row)[place]));
  return { from: Math.min(...times), to: Math.max(...times) };
}

/** A row a line. */
export function writeBlock({ merchantId, attempts, answers }: Block): string {
  const list = (rows: readonly string[]): string => `[\n${rows.join(',\n')}\n]`;
  return `{"merchant_id":${merchantId},\n"attempts":${list(attempts)},\n"answers":${list(answers)}}\n`;
}

type Written = {
  readonly merchant_id: number;
  readonly attempts: readonly unknown[];
  readonly answers: readonly unknown[];
};

/** Throws BackupError for what is no such text. Its hash was looked at before. */
export function readBlock(text: string, name: string): Block {
  try {
    const { merchant_id: merchantId, attempts, answers }: Written = JSON.parse(text);
    const texts = (rows: readonly unknown[], columns: object): string[] =>
      rows.map((row) => JSON.stringify(whole(row, columns)));
    return toBlock(merchantId, texts(attempts, attemptColumns), texts(answers, answerColumns));
  } catch (error) {
    throw new BackupError('archive_damaged', `the archive is damaged: ${name} is no block`, { cause: error });
  }
}
