/**
 * How a command says why it failed: one line of JSON where `--json` asked for it, else text. Both
 * have the code, which scripts can rely on.
 */
import type { FieldError } from '../core/operation-errors.ts';

export type CommandFailure = {
  readonly code: string;
  readonly message: string;
  /** What is wrong with each field of the input, where that is the reason. */
  readonly fields?: readonly FieldError[];
  /** Follows the text, and is not in the JSON. */
  readonly hint?: string;
};

export function failureText({ code, message, hint }: CommandFailure): string {
  return `error (${code}): ${message}\n${hint === undefined ? '' : `${hint}\n`}`;
}

export function failureJson({ code, message, fields = [] }: CommandFailure): string {
  const error = { code, message, ...(fields.length > 0 && { fields }) };
  return `${JSON.stringify({ error })}\n`;
}
