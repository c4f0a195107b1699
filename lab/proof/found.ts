/** Reads the findings of a run from its output. */
import { stripVTControlCharacters } from 'node:util';

/** Splits at carriage returns as well: progress is written over itself. */
function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function lastLine(output: string): string {
  return linesOf(output).at(-1) ?? '';
}

/** Returns the last lines, for a run that failed. */
export function tailOf(output: string, lines: number): string {
  return linesOf(output).slice(-lines).join('; ');
}

/** Joins the first group of each line that matches. */
export function linesWith(pattern: RegExp): (output: string) => string {
  return (output) =>
    linesOf(output)
      .flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? [])
      .join('; ');
}

/** Counts the lines that match each pattern: `12 held, 1 missed`. */
export function tally(patterns: Readonly<Record<string, RegExp>>): (output: string) => string {
  return (output) =>
    Object.entries(patterns)
      .map(([name, pattern]) => `${linesOf(output).filter((line) => pattern.test(line)).length} ${name}`)
      .join(', ');
}
