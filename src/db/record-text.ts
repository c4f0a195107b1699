/**
 * Records in PostgreSQL's own text format ("Composite Types", "Arrays"): a batch is sent to the
 * database as a list of them.
 *
 * Every text is quoted, so a text can never end a field or a record.
 */
import { formatUtc } from '../core/clock.ts';

export type FieldValue = string | number | bigint | boolean | Date | object | null | undefined;

/** One record: the values of its columns, in the order of its type. */
export function toRecordText(values: readonly FieldValue[]): string {
  let text = toFieldText('(', values[0]);
  for (let place = 1; place < values.length; place += 1) text += toFieldText(',', values[place]);
  return `${text})`;
}

/** An array of records, as the value of a field. */
export function toRecordArrayText(records: readonly string[]): string {
  return `{${records.map((record) => `"${escaped(record)}"`).join(',')}}`;
}

/** Texts joined for `string_to_array(text, separator)`. */
export type RecordList = { readonly text: string; readonly separator: string };

/** The control character intended for this ("record separator"). */
const SEPARATOR = '\u001e';

/**
 * Joins several records with a separator that does not occur in them. Throws on an unpaired
 * surrogate, which would be stored as another character.
 */
export function toRecordList(records: readonly string[]): RecordList {
  for (let separator = SEPARATOR; ; separator = `${SEPARATOR}${Math.random()}${SEPARATOR}`) {
    const text = records.join(separator);
    if (!text.isWellFormed()) throw new TypeError('a record has half a surrogate pair');
    if (countOf(separator, text) === Math.max(records.length - 1, 0)) return { text, separator };
  }
}

function countOf(part: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** A field with the separator before it. Undefined becomes null; an empty text is quoted. */
function toFieldText(separator: '(' | ',', value: FieldValue): string {
  switch (typeof value) {
    case 'undefined':
      return separator;
    case 'string':
      return `${separator}"${escaped(value)}"`;
    case 'object':
      if (value === null) return separator;
      return `${separator}"${escaped(value instanceof Date ? formatUtc(value) : JSON.stringify(value))}"`;
    default:
      return `${separator}${value}`;
  }
}

/** Escapes a text between quotes. */
function escaped(text: string): string {
  const isPlain = !text.includes('"') && !text.includes('\\');
  return isPlain ? text : text.replaceAll(/["\\]/g, '\\$&');
}
