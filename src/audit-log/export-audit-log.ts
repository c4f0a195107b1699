/**
 * Exports the audit log as lines that somebody else can verify without Oja and without the
 * database: a whole stretch of the chain, each entry with the very texts that are hashed.
 *
 * Guarantees: all entries of the time asked for are in it. As the chain has the order of commits,
 * some that are just outside of the time may be in it too; without them the chain would have gaps.
 * It reads slices of a bounded size, as fast as the reader takes them.
 */
import type { Sql } from '../db/database.ts';
import {
  type ExportedEntry,
  findHead,
  findPositions,
  LINKS_PER_SLICE,
  listExported,
  type TimePlace,
} from './audit-chain-store.ts';

export const exportFormats = ['ndjson', 'csv'] as const;

export type ExportFormat = (typeof exportFormats)[number];

export type ExportOptions = {
  readonly format: ExportFormat;
  /** The first moment, and the first that is no more in it. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly rowsPerSlice?: number;
};

/** Parts of the file, each of whole lines. */
export async function* exportAuditLog(sql: Sql, options: ExportOptions): AsyncGenerator<string> {
  const { format, rowsPerSlice = LINKS_PER_SLICE } = options;
  if (format === 'csv') yield `${columns.join(',')}\n`;
  const stretch = await findStretch(sql, options, rowsPerSlice);
  if (stretch === undefined) return;
  for (let above = stretch.first - 1n; above < stretch.last; ) {
    const entries = await listExported(sql, above, stretch.last, rowsPerSlice);
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries.map(format === 'csv' ? csvLine : jsonLine).join('');
    above = last.position;
  }
}

type Stretch = { readonly first: bigint; readonly last: bigint };

/** From the first to the last position of an entry of the time. */
async function findStretch(
  sql: Sql,
  { from, to }: ExportOptions,
  rowsPerSlice: number,
): Promise<Stretch | undefined> {
  const head = await findHead(sql);
  if (head === undefined) return undefined;
  if (from === undefined && to === undefined) return { first: 1n, last: head.position };
  let stretch: Stretch | undefined;
  let place: TimePlace = { at: from?.toISOString() ?? '-infinity', id: 0n };
  for (;;) {
    const part = await findPositions(sql, place, to, rowsPerSlice);
    if (part.first !== null && part.last !== null) {
      const { first, last }: Stretch = stretch ?? { first: part.first, last: part.last };
      stretch = { first: min(first, part.first), last: max(last, part.last) };
    }
    if (part.place === undefined || part.rows < rowsPerSlice) return stretch;
    place = part.place;
  }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const columns = [
  ...(['position', 'id', 'at', 'actor', 'principal', 'edge', 'action', 'subject'] as const),
  ...(['before', 'after', 'previous_hash', 'hash'] as const),
] as const;

function jsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify({ ...entry, position: String(entry.position) })}\n`;
}

function csvLine(entry: ExportedEntry): string {
  return `${columns.map((column) => csvField(entry[column])).join(',')}\n`;
}

/** Nothing between two commas is null; an empty text has quotes. */
function csvField(value: string | bigint | null): string {
  if (value === null) return '';
  const text = String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
