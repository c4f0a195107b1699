/**
 * Records in the text form that PostgreSQL reads itself ("Composite Types", "Arrays"): a batch goes
 * to the database as a list of them.
 *
 * What is not a plain word is quoted. So no text can end a field or a record.
 */

export type FieldValue = string | number | bigint | boolean | Date | object | null | undefined;

/** Read as it stands, in a record. In an array `null` would be read as nothing. */
const plainWord = /^[\w.:+-]+$/;
const special = /["\\]/;

/** One record: the values of its columns, in the order of its type. */
export function toRecordText(values: readonly FieldValue[]): string {
  let text = '(';
  for (let place = 0; place < values.length; place += 1) {
    if (place > 0) text += ',';
    text += toFieldText(values[place]);
  }
  return `${text})`;
}

/** An array of records, as the value of a field. */
export function toRecordArrayText(records: readonly string[]): string {
  return `{${records.map(quote).join(',')}}`;
}

/** Nothing at all is null; an empty text is quoted. */
function toFieldText(value: FieldValue): string {
  switch (typeof value) {
    case 'undefined':
      return '';
    case 'string':
      return plainWord.test(value) ? value : quote(value);
    case 'object':
      if (value === null) return '';
      return quote(value instanceof Date ? value.toISOString() : JSON.stringify(value));
    default:
      return String(value);
  }
}

function quote(text: string): string {
  return `"${special.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
