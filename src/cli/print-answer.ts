/**
 * Prints the output of an operation for people. Names and their order come from its schema: an
 * object is printed as names and values, a list as a table, and the lists of its rows below it.
 */
import type { TSchema } from 'typebox';
import { formatLocal } from '../core/clock.ts';
import { isRecord } from '../core/json.ts';
import { pairs, table } from './output.ts';

const EMPTY = '-';
const CELL_LENGTH_MAX = 80;

/**
 * Formats an output. `columns` are the paths to print of lists that have all of them, such as
 * `hour.success_percent`.
 */
export function answerText(schema: TSchema, output: unknown, columns?: readonly string[]): string {
  if (Array.isArray(output)) return rowsText(schema, output, columns);
  if (!isRecord(output)) return cellText(output);
  const values: [string, string][] = [];
  const lists: string[] = [];
  addMembers(schema, output, '', { values, lists }, columns);
  return [...(values.length === 0 ? [] : [pairs(values)]), ...lists].join('\n\n');
}

type Parts = { readonly values: [string, string][]; readonly lists: string[] };

/**
 * Adds the members of an object that have a value. Members of a nested object are prefixed with its
 * name.
 */
function addMembers(
  schema: TSchema,
  output: Readonly<Record<string, unknown>>,
  prefix: string,
  parts: Parts,
  columns?: readonly string[],
): void {
  for (const name of namesOf(schema, [output])) {
    const value = output[name];
    const title = wordsOf(`${prefix}${name}`);
    const member = propertyOf(schema, name);
    if (isRecord(value)) addMembers(member, value, `${prefix}${name}_`, parts, columns);
    else if (isRows(member, value)) {
      const rows = rowsText(member, value, columns);
      parts.lists.push(name === 'data' ? rows : `${title}:\n${rows}`);
    } else if (name !== 'cursor' && cellText(value) !== EMPTY) parts.values.push([title, cellText(value)]);
  }
}

/** Formats rows as a table, with their own lists below. Drops columns without any value. */
export function rowsText(schema: TSchema, rows: readonly unknown[], columns?: readonly string[]): string {
  const records = rows.map((row) => (isRecord(row) ? row : { value: row }));
  const item = itemOf(schema);
  const isChosen = columns?.every((path) => isDeclared(item, path)) ?? false;
  const paths = columns !== undefined && isChosen ? columns : pathsOf(item, records);
  const text = table(
    records,
    paths
      .map((path) => ({ path, cells: records.map((row) => cellText(valueAt(row, path))) }))
      .filter(({ cells }) => cells.some((cell) => cell !== EMPTY))
      .map(({ path, cells }) => ({
        title: wordsOf(path).toUpperCase(),
        of: (row: Record<string, unknown>) => cellText(valueAt(row, path)),
        right: cells.every((cell) => cell === EMPTY || /^-?[0-9]+(?:\.[0-9]+)?$/.test(cell)),
      })),
    'None.',
  );
  return [text, ...(isChosen ? [] : records.flatMap((row) => listsOf(item, row)))].join('\n\n');
}

/** Formats the lists of a row, each under the first value of the row. */
function listsOf(schema: TSchema, row: Readonly<Record<string, unknown>>): string[] {
  const [first] = Object.values(row);
  return namesOf(schema, [row]).flatMap((name) => {
    const [member, rows] = [propertyOf(schema, name), row[name]];
    if (!isRows(member, rows) || rows.length === 0) return [];
    return [`${cellText(first)} ${wordsOf(name)}:\n${rowsText(member, rows)}`];
  });
}

export function itemOf(schema: TSchema): TSchema {
  return Reflect.get(schema, 'items') ?? {};
}

function isDeclared(schema: TSchema, path: string): boolean {
  let at = schema;
  return path.split('.').every((name) => {
    const isThere = Object.hasOwn(Reflect.get(at, 'properties') ?? {}, name);
    at = propertyOf(at, name);
    return isThere;
  });
}

/** Returns the paths of members, also in declared objects, except lists of objects. */
export function pathsOf(schema: TSchema, rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return namesOf(schema, rows).flatMap((name) => {
    const member = propertyOf(schema, name);
    const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    if (Reflect.has(member, 'properties')) {
      return pathsOf(member, values.filter(isRecord)).map((path) => `${name}.${path}`);
    }
    return values.some((value) => isRows(member, value)) ? [] : [name];
  });
}

/** Returns names in the order of the schema, then those that only the values have. */
function namesOf(schema: TSchema, values: readonly Readonly<Record<string, unknown>>[]): string[] {
  const declared = Object.keys(Reflect.get(schema, 'properties') ?? {});
  return [...new Set([...declared, ...values.flatMap((value) => Object.keys(value))])];
}

/** Returns the schema of a property, without `null`. */
export function propertyOf(schema: TSchema, name: string): TSchema {
  const properties: Readonly<Record<string, TSchema>> = Reflect.get(schema, 'properties') ?? {};
  const property = properties[name] ?? {};
  const choices: readonly TSchema[] = Reflect.get(property, 'anyOf') ?? [];
  return choices.find((choice) => Reflect.get(choice, 'type') !== 'null') ?? property;
}

/** Whether the value is a list of objects. The schema decides for an empty list. */
function isRows(schema: TSchema, value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  const items: object = Reflect.get(schema, 'items') ?? {};
  return value.some(isRecord) || (value.length === 0 && Reflect.get(items, 'type') === 'object');
}

export function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), row);
}

function wordsOf(path: string): string {
  return path.replaceAll(/[._]/g, ' ');
}

/** Formats a cell. A time is printed in Africa/Lagos, to the second. */
function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(', ') || EMPTY;
  if (isRecord(value)) return Object.keys(value).length === 0 ? EMPTY : shortened(JSON.stringify(value));
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT[\d:.]+\+01:00$/.test(text) ? formatLocal(new Date(text)) : text;
}

function shortened(text: string): string {
  return text.length <= CELL_LENGTH_MAX ? text : `${text.slice(0, CELL_LENGTH_MAX - 1)}…`;
}
