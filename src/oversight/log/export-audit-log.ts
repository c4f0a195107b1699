/**
 * Exports the audit log as lines that can be verified without Oja and without the database: a whole
 * section of the chain, each entry with the exact texts that are hashed.
 *
 * Guarantees: it contains all entries of the requested time. As the chain has the order of commits,
 * it may include some entries just outside that time; without them the chain would have gaps. It is
 * read in pages, so it can be of any size and holds no snapshot for long.
 */

import { OperationError } from '../../core/errors.ts';
import type { Sql } from '../../db/database.ts';
import {
  type ExportedEntry,
  findHead,
  findPositions,
  LINKS_PER_SLICE,
  listExported,
  type TimePlace,
} from './audit-chain-store.ts';

type ExportOptions = {
  /** A half-open period: the first time is included, the second is not. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
};

/**
 * Some lines of the file, without line ends. There are more if there is a `next`. Throws
 * OperationError `input_malformed`.
 */
export async function exportLines(
  sql: Sql,
  { from, to, limit, cursor }: ExportOptions,
): Promise<{ readonly lines: string[]; readonly next?: string }> {
  const stretch = cursor === undefined ? await findStretch(sql, from, to) : readCursor(cursor);
  if (stretch === undefined) return { lines: [] };
  const { first, last } = stretch;
  const entries = await listExported(sql, first - 1n, last, limit);
  const lines = entries.map(jsonLine);
  const end = entries.at(-1)?.position ?? last;
  return end < last ? { lines, next: `${end + 1n}-${last}` } : { lines };
}

/** The start of the next page, and the end of the range that the first page has found. */
function readCursor(cursor: string): Stretch {
  const [, first, last] = /^([0-9]{1,18})-([0-9]{1,18})$/.exec(cursor) ?? [];
  if (first !== undefined && last !== undefined) return { first: BigInt(first), last: BigInt(last) };
  const fault = { field: 'cursor', kind: 'wrong', wanted: 'the cursor of the previous page' } as const;
  throw new OperationError({ code: 'input_malformed', errors: [fault] });
}

type Stretch = { readonly first: bigint; readonly last: bigint };

/** The first and the last position of an entry in the time range. */
async function findStretch(
  sql: Sql,
  from: Date | undefined,
  to: Date | undefined,
): Promise<Stretch | undefined> {
  const head = await findHead(sql);
  if (head === undefined) return undefined;
  if (from === undefined && to === undefined) return { first: 1n, last: head.position };
  let stretch: Stretch | undefined;
  let place: TimePlace = { at: from?.toISOString() ?? '-infinity', id: 0n };
  for (;;) {
    const part = await findPositions(sql, place, to, LINKS_PER_SLICE);
    if (part.first !== null && part.last !== null) {
      const { first, last }: Stretch = stretch ?? { first: part.first, last: part.last };
      stretch = { first: min(first, part.first), last: max(last, part.last) };
    }
    if (part.place === undefined || part.rows < LINKS_PER_SLICE) return stretch;
    place = part.place;
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function jsonLine(entry: ExportedEntry): string {
  return JSON.stringify({ ...entry, position: String(entry.position) });
}
