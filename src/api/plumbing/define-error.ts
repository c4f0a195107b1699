/** Defines the errors of merchants' requests: status, meaning and message. */
import type { RequestFault, RequestFaults } from '../../core/request-fault.ts';
import type { FieldNames } from './field-names.ts';
import type { ErrorSubject } from './refusals.ts';

/** The message to the caller. */
export type Said = {
  readonly message: string;
  /** For look-ups, where "nothing was charged" could be read as a statement about the purchase. */
  readonly readMessage?: string;
  readonly field?: string;
  /** The message at the field, if it differs. */
  readonly fieldMessage?: string;
  readonly retryAfterS?: number;
  readonly subject?: ErrorSubject;
};

type Status = 400 | 403 | 404 | 422 | 429 | 500 | 502 | 503;

export type Definition<Code extends keyof RequestFaults, Of extends Status = Status> = {
  readonly statuses: readonly [Of];
  readonly meaning: string;
  readonly say: (fault: RequestFault<Code>, names: FieldNames) => Said;
};

/** A condition that passes without action. */
export const SOON_S = 1;
/** A condition that ends when an operator acts or a provider recovers. */
export const LATER_S = 30;

export const nothingCharged = 'Nothing was charged.';

export function defineError<Code extends keyof RequestFaults, const Of extends Status>(
  status: Of,
  meaning: string,
  say: string | ((fault: RequestFault<Code>, names: FieldNames) => Said),
): Definition<Code, Of> {
  return { statuses: [status], meaning, say: typeof say === 'string' ? () => ({ message: say }) : say };
}

/** The gateway is overloaded for a moment. */
export function soon(what: string): Said {
  return {
    message: `${what} ${nothingCharged} Retry after ${SOON_S} second.`,
    readMessage: `${what} Try again shortly.`,
    retryAfterS: SOON_S,
  };
}

/** The same for requests that could not charge anything. */
export function tryAgain(what: string): Said {
  return { message: `${what} Try again shortly.`, retryAfterS: SOON_S };
}

/** A condition that lasts until an operator changes it. */
export function later(what: string): Said {
  return { message: `${what} ${nothingCharged} Try again later.`, readMessage: what, retryAfterS: LATER_S };
}

/** An error of one field. Its message begins with the field's name. */
export function at(field: string, rest: string): Said {
  return { message: `${field} ${rest}`, field };
}
