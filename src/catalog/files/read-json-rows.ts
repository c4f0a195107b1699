/** The rows of a JSON list, each with its line. */
import { isRecord } from '../../kernel/json.ts';
import { CatalogFileError } from './catalog-file-error.ts';
import type { FileRow } from './file-row.ts';

/** Throws a CatalogFileError where `text` is not a JSON list. */
export function readJsonRows(text: string): FileRow[] {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new CatalogFileError('not_json', `The file is not JSON: ${words}`);
  }
  if (!Array.isArray(entries)) throw new CatalogFileError('not_list', 'The file must be a list of records');
  const lines = linesOfElements(text);
  return entries.map((entry: unknown, index) => ({
    line: lines[index] ?? 0,
    read: isRecord(entry) ? { fields: entry, isText: false } : { fault: { code: 'no_record' } },
  }));
}

/** The line on which each element of a JSON list begins; `text` is known to be JSON. */
function linesOfElements(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|\n|[^\s,:"[\]{}]+/g)) {
    if (token === '\n') line += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else {
      if (depth === 1) lines.push(line);
      if (token === '{' || token === '[') depth += 1;
    }
  }
  return lines;
}
