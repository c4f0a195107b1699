/** Formats the output of commands: aligned text for people, and JSON for programs. */
import { formatRfc3339 } from '../core/clock.ts';
import type { FieldError } from '../core/operation-errors.ts';

export type CommandResult = {
  /** The body for `--json`, which is the admin API's answer. */
  readonly answer: object;
  readonly text: string;
  /** Printed instead of both, piece by piece: for output that may not fit in memory. */
  readonly stream?: AsyncIterable<string>;
  /** Whether a check failed: exit code 1. */
  readonly failed?: boolean;
};

/** Formats JSON. A bigint becomes a string of digits, and a Date its time in Lagos. */
export function toJson(data: unknown): string {
  return JSON.stringify(data, replaceValue, 2);
}

/** Reads `this[key]`, because `value` of a Date is already a string. */
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

/** Formats rows as aligned columns, two spaces apart. Returns `none` without rows. */
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

/** Formats names and values, one pair a line, with the values aligned. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const nameWidth = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value}`.trimEnd()).join('\n');
}

/** Returns the length in characters, not in UTF-16 units. */
function width(text: string): number {
  return [...text].length;
}

export type CommandFailure = {
  readonly code: string;
  readonly message: string;
  /** The errors of fields, for malformed input. */
  readonly fields?: readonly FieldError[];
  /** Printed after the text, and not in JSON. */
  readonly hint?: string;
};

export function failureText({ code, message, hint }: CommandFailure): string {
  return `error (${code}): ${message}\n${hint === undefined ? '' : `${hint}\n`}`;
}

export function failureJson({ code, message, fields = [] }: CommandFailure): string {
  const error = { code, message, ...(fields.length > 0 && { fields }) };
  return `${JSON.stringify({ error })}\n`;
}
