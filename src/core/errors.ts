/**
 * The errors that end a request or an operation on purpose. Each has a stable code and parameters.
 * Any other error that is thrown is a bug.
 */
import { type OperationErrorDetails, operationErrors, operationErrorText } from './operation-errors.ts';
import type { RequestFault } from './request-fault.ts';

/** Ends a merchant's request. */
export class GatewayError extends Error {
  /** Never empty; in the order of the request's fields. */
  readonly faults: readonly RequestFault[];

  constructor(...faults: readonly [RequestFault, ...RequestFault[]]) {
    super(faults.map(({ code }) => code).join(', '));
    this.name = 'GatewayError';
    this.faults = faults;
  }
}

/** Ends an operation of an operator. `operation-errors.ts` defines the codes. */
export class OperationError extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly details: OperationErrorDetails;

  constructor(details: OperationErrorDetails) {
    super(operationErrorText(details));
    this.name = 'OperationError';
    this.status = operationErrors[details.code].status;
    this.details = details;
  }
}

/** Refuses a request if it has any errors. */
export function refuseFaults(faults: readonly RequestFault[]): void {
  const [first, ...others] = faults;
  if (first !== undefined) throw new GatewayError(first, ...others);
}

/** Whether `error` refuses a request with that code. */
export function isRefusal(error: unknown, code: RequestFault['code']): error is GatewayError {
  return error instanceof GatewayError && error.faults.some((fault) => fault.code === code);
}

/** A bug: something that the code relies on does not hold. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(`invariant broken: ${message}`);
    this.name = 'InvariantError';
  }
}

/**
 * Asserts a condition that the code relies on. A failure is a bug, never a mistake in the input.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** Ends a `switch` over a union: the compiler reports a missing case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/**
 * An error with a code that a script or a test can rely on. The code stays; the message is for
 * people and may be reworded.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
