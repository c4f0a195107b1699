/**
 * Prints why a command failed: one line of JSON with `--json`, else text. Both have the code, which
 * is stable for scripts.
 */
import type { FieldError } from '../core/operation-errors.ts';

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
