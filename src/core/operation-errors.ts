/**
 * Every error that ends an operation of an operator: its code, HTTP status and message. The command
 * line, the admin API, the console and the list of codes in the documents derive from these tables.
 * A code is stable; a message is for people and can be reworded.
 */
import { accessErrors, type InputError, inputErrorText } from './operation-errors/access-errors.ts';
import type { Definition } from './operation-errors/define-error.ts';
import { moneyErrors } from './operation-errors/money-errors.ts';
import { tradeErrors } from './operation-errors/trade-errors.ts';

export type { InputError };

export const operationErrors = { ...accessErrors, ...moneyErrors, ...tradeErrors };

export type OperationErrorCode = keyof typeof operationErrors;

type FactsOf<Code extends OperationErrorCode> =
  (typeof operationErrors)[Code] extends Definition<infer Facts> ? Facts : never;

/** The code of one error, or of any, with its parameters. */
export type OperationErrorDetails<Code extends OperationErrorCode = OperationErrorCode> = {
  readonly [C in Code]: { readonly code: C } & Readonly<FactsOf<C>>;
}[Code];

const definitions: { readonly [Code in OperationErrorCode]: Definition<OperationErrorDetails<Code>> } =
  operationErrors;

/** Returns the message of an error with its parameters. */
export function operationErrorText<Code extends OperationErrorCode>(
  details: OperationErrorDetails<Code>,
): string {
  const definition: (typeof definitions)[Code] = definitions[details.code];
  return definition.message(details);
}

export type FieldError = { readonly field: string; readonly message: string };

/**
 * Returns the error of each field, for errors about fields. A line of a file is the field
 * `content.<line>`.
 */
export function fieldErrorsOf(details: OperationErrorDetails): FieldError[] {
  if (details.code === 'document_malformed') {
    return [{ field: details.field, message: operationErrorText(details) }];
  }
  if (details.code === 'catalog_at_fault') {
    return details.faults.flatMap(({ lines, fault }) =>
      lines.map((line) => ({ field: `content.${line}`, message: fault })),
    );
  }
  if (details.code !== 'input_malformed') return [];
  return details.errors.map((error) => ({ field: error.field, message: inputErrorText(error) }));
}
