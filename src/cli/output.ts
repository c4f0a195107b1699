/**
 * What commands print: plain aligned text for people, JSON for programs. No colours, so nothing to
 * turn off.
 */
import { formatRfc3339 } from '../core/clock.ts';

export type CommandResult = {
  /** For `--json`, whole: the same as the admin API answers. */
  readonly answer: object;
  readonly text: string;
  /** Printed in place of either, as it comes: for what may be too long to hold. */
  readonly stream?: AsyncIterable<string>;
  /** The command found what it looks for to be wrong: exit code 1. */
  readonly failed?: boolean;
};

/** A bigint becomes a string of digits, a Date its time in Lagos. */
export function toJson(data: unknown): string {
  return JSON.stringify(data, replaceValue, 2);
}

/** `this[key]` and not `value`: a Date has turned itself into text by the time it gets here. */
function replaceValue(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key];
  if (original instanceof Date) return formatRfc3339(original);
  return typeof original === 'bigint' ? String(original) : value;
}

export type Column<R> = {
  readonly title: string;
  readonly of: (row: R) => string;
  /** Right-aligned: for amounts and counts. */
  readonly right?: boolean;
};

/**
 * Columns as wide as their widest value, two spaces apart; the words of `none` where there are no
 * rows.
 */
export function table<R>(rows: readonly R[], columns: readonly Column<R>[], none: string): string {
  if (rows.length === 0) return none;
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => column.of(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => width(line[index] ?? ''))));
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const padding = ' '.repeat((widths[index] ?? 0) - width(cell));
          return columns[index]?.right ? padding + cell : cell + padding;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one pair a line, the values aligned. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value}`.trimEnd()).join('\n');
}

/** In characters, not UTF-16 units. */
function width(text: string): number {
  return [...text].length;
}
