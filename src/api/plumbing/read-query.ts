/** Converts the query of a URL, which is text, into values that the schemas check. */
import { type ParsedUrlQuery, parse } from 'node:querystring';
import { isRecord } from '../../core/json.ts';

/**
 * Parses the query of a URL. An empty value, as forms send it, counts as absent. A name with
 * several values has a list of them, which every schema refuses.
 */
export function parseQuery(text: string): Record<string, unknown> {
  if (text === '') return {};
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
 * Converts the values of `names` that consist of digits into numbers. The schema refuses the
 * others.
 */
export function readWholeNumbers(query: unknown, names: readonly string[]): void {
  if (!isRecord(query)) return;
  for (const name of names) {
    const value = query[name];
    if (typeof value === 'string' && WHOLE_NUMBER.test(value)) query[name] = Number(value);
  }
}
