/**
 * The one error that ends a request on purpose. Its code says what happened. One exhaustive table
 * in `http/plumbing/errors.ts` turns the code into an HTTP status. Any other error that is thrown
 * is a fault of ours: 500.
 */

/** A field of the input, and what would be right for it. */
export type FieldFault = { readonly field: string; readonly message: string };

export type GatewayErrorCode =
  | 'invalid' // something present is wrong
  | 'missing' // a required field is absent
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'duplicate'
  | 'rate_limited'
  | 'overloaded' // nothing was stored: send again
  | 'no_route' // no provider serves the product: nothing was stored
  | 'upstream_unavailable' // nobody upstream could say: nothing was stored
  | 'unsettled'; // stored, outcome not known yet: query status

export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  readonly faults: readonly FieldFault[];
  /** Further top-level members of the error body, for example the first vend of a duplicate key. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly retryAfterS: number | undefined;

  constructor(
    code: GatewayErrorCode,
    message: string,
    options: {
      faults?: readonly FieldFault[];
      detail?: Readonly<Record<string, unknown>>;
      retryAfterS?: number;
    } = {},
  ) {
    super(message);
    this.name = 'GatewayError';
    this.code = code;
    this.faults = options.faults ?? [];
    this.detail = options.detail ?? {};
    this.retryAfterS = options.retryAfterS;
  }
}

/** A refusal that names one field. */
export function invalidField(field: string, message: string): GatewayError {
  return new GatewayError('invalid', message, { faults: [{ field, message }] });
}

/** States what the code relies on. A failure is a bug, never a mistake in the input. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Ends a `switch` over a union: the compiler refuses a missing case. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
