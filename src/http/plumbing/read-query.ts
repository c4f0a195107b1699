/** From what a URL says, which is text, to what the schemas speak of. */
import { isRecord } from './is-record.ts';

const WHOLE_NUMBER = /^[0-9]{1,9}$/;

/**
 * Turns the values of `names` that are nothing but digits into numbers; the schema refuses what is
 * left.
 */
export function readWholeNumbers(query: unknown, names: readonly string[]): void {
  if (!isRecord(query)) return;
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string' && WHOLE_NUMBER.test(value)) query[name] = Number(value);
  }
}

/** Values that are empty, as forms send them, are taken as not sent. */
export function dropEmpty(query: unknown): void {
  if (!isRecord(query)) return;
  for (const [name, value] of Object.entries(query)) {
    if (value === '') delete query[name];
  }
}
