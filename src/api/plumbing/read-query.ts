/** From what a URL says, which is text, to what the schemas speak of. */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { isRecord } from '../../core/json.ts';

/**
 * The query of a URL. A value that is empty, as forms send them, is taken as not sent. A name with
 * several values has a list of them, which no schema takes.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const query: ParsedUrlQuery = { ...parse(text) };
  for (const [name, value] of Object.entries(query)) {
    const sent = Array.isArray(value) ? value.filter((one) => one !== '') : value;
    if (sent === undefined || sent.length === 0) delete query[name];
    else if (Array.isArray(sent) && sent.length === 1) query[name] = sent[0];
  }
  return query;
}

const WHOLE_NUMBER = /^[0-9]{1,15}$/;

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
