/**
 * Finds the head line of a statement file, its delimiter, and the place of each column of the
 * mapping. Pure.
 */
import { StatementError } from './statement-line.ts';
import type { StatementMapping } from './statement-mapping.ts';

export type Column = keyof StatementMapping['columns'];
type Places = ReadonlyMap<Column, number>;

export type Head = {
  readonly places: Places;
  /** How many cells the head line has. */
  readonly width: number;
};

/** The last line that may be the head line. Exports put a title and an address above it. */
export const HEAD_LINES_MAX = 50;

const SHOWN_MAX = 300;

export const DELIMITERS = [',', ';', '\t', '|'] as const;

/** A file needs one column of each group. */
const NEEDED: readonly (readonly [Column, ...Column[]])[] = [
  ['at'],
  ['status'],
  ['amount', 'debit', 'credit'],
];

function lacks(places: Places, columns: readonly Column[]): boolean {
  return !columns.some((column) => places.has(column));
}

/** Finds the delimiter with which one of the first lines is a head line. Default: a comma. */
export function findDelimiter(start: string, mapping: StatementMapping): string {
  const lines = start.split(/\r\n|\r|\n/, HEAD_LINES_MAX);
  const most = (delimiter: string): number =>
    Math.max(0, ...lines.map((line) => placesIn(line.split(delimiter), mapping).size));
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: most(delimiter) }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/**
 * Reads a head line. Undefined for any other row. Throws StatementError when two of its columns
 * have the name of one.
 */
export function readHead(row: readonly string[], mapping: StatementMapping): Head | undefined {
  const places = placesIn(row, mapping);
  if (NEEDED.some((columns) => lacks(places, columns))) return undefined;
  const names = row.map(plain);
  const twice = [...places.values()].find((place) => names.lastIndexOf(names[place] ?? '') !== place);
  if (twice !== undefined) throw new StatementError([`two columns are named "${shown(row[twice] ?? '')}"`]);
  return { places, width: row.length };
}

/** Returns the error that no head line was found in the first rows. */
export function noHead(
  rows: readonly { readonly line: number; readonly cells: readonly string[] }[],
  mapping: StatementMapping,
): StatementError {
  const [first] = rows;
  if (first === undefined) return new StatementError(['the file is empty']);
  const best = rows.reduce((found, row) =>
    placesIn(row.cells, mapping).size > placesIn(found.cells, mapping).size ? row : found,
  );
  const places = placesIn(best.cells, mapping);
  const lacking = NEEDED.filter((columns) => lacks(places, columns));
  return new StatementError(
    lacking.map((columns) => {
      const [column] = columns;
      const names = columns.flatMap((one) => mapping.columns[one] ?? []).join('", "');
      const has = best.cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
      return `line ${best.line} has no column for "${column}" ("${names}"): it has ${shown(has.join(', '))}`;
    }),
  );
}

/** Shortens a text and removes control characters, because the file may be anything. */
function shown(text: string): string {
  const clean = text.replace(/[\p{C}\p{Z}]+/gu, ' ');
  return clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean;
}

function placesIn(row: readonly string[], { columns }: StatementMapping): Map<Column, number> {
  const names = row.map(plain);
  const places = new Map<Column, number>();
  for (const [column, spellings] of Object.entries(columns) as [Column, readonly string[]][]) {
    for (const spelling of spellings) {
      const place = names.indexOf(plain(spelling));
      if (place === -1) continue;
      places.set(column, place);
      break;
    }
  }
  return places;
}

/** Keeps letters and digits only: `"Request ID"` and `request_id` are one name. */
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
