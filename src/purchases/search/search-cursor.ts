/** The cursor of a search: the id below which it continues, and the filter it belongs to. */
import { createHash } from 'node:crypto';
import type { SearchFilter } from './search-filter.ts';

const FILTER_BYTES = 8;
const ID_BYTES = 16;

export function writeCursor(filter: SearchFilter, before: string): string {
  return Buffer.concat([digestOf(filter), Buffer.from(before.replaceAll('-', ''), 'hex')]).toString(
    'base64url',
  );
}

/** Returns the id, or the error of the cursor. */
export function readCursor(
  filter: SearchFilter,
  cursor: string,
): { readonly before: string } | 'malformed' | 'of_other_search' {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== FILTER_BYTES + ID_BYTES || bytes.toString('base64url') !== cursor) return 'malformed';
  if (!bytes.subarray(0, FILTER_BYTES).equals(digestOf(filter))) return 'of_other_search';
  const hex = bytes.toString('hex', FILTER_BYTES);
  return { before: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

/** A digest of the filter, independent of the order of its fields. */
function digestOf(filter: SearchFilter): Buffer {
  const given = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(given)).digest().subarray(0, FILTER_BYTES);
}
