/** Rows of a page as CSV (RFC 4180), for spreadsheets. */
import type { TSchema } from 'typebox';
import { safeCell, toBeQuoted } from '../kernel/csv-cell.ts';

/**
 * Which property of an operation's output is its list, and the columns of that; none where its rows
 * are lines of a file already.
 */
export type ListShape = { readonly property: string; readonly columns: readonly string[] | undefined };

/**
 * The list of an operation that answers in pages: the `data` of most, the `items` of a statement.
 * Other arrays beside `data`, such as totals, are not part of it. Undefined for all else.
 */
export function listShapeOf(output: TSchema): ListShape | undefined {
  const properties: object = Object(Reflect.get(output, 'properties'));
  if (!Object.hasOwn(properties, 'cursor')) return undefined;
  const [list, ...others] = Object.entries(properties).flatMap(([property, schema]): ListShape[] => {
    const row: object = Object(Reflect.get(Object(schema), 'items'));
    const columns: unknown = Reflect.get(row, 'properties');
    if (columns !== undefined) return [{ property, columns: Object.keys(Object(columns)) }];
    return property === 'data' && Reflect.get(row, 'type') === 'string'
      ? [{ property, columns: undefined }]
      : [];
  });
  return others.length === 0 ? list : [list, ...others].find((one) => one?.property === 'data');
}

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  // A merchant or a customer may have written it.
  const safe = safeCell(text);
  return toBeQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
