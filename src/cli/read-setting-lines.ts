/**
 * Reads settings from lines of NAME=value, as a file of variables has them. Blank lines and lines
 * that begin with # are passed over; quotes around a value are taken off. Pure.
 */

/** By name; the number of the first line that is not understood, which may hold a secret. */
export function readSettingLines(text: string): Record<string, string> | number {
  const values: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value] = /^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)=(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return index + 1;
    values[name] = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  }
  return values;
}
