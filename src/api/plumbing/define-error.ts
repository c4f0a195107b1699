/** How the errors of merchants' requests are defined: status, meaning and message. */
import type { RequestFault, RequestFaults } from '../../core/request-fault.ts';
import type { FieldNames } from './field-names.ts';
import type { ErrorSubject } from './refusals.ts';

/** What the caller reads. */
export type Said = {
  readonly message: string;
  /**
   * For requests that look something up, where "nothing was charged" could be taken for the
   * purchase.
   */
  readonly readMessage?: string;
  readonly field?: string;
  /** The message at the field, where it differs. */
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

/** The condition passes by itself. */
export const SOON_S = 1;
/** An operator has to act, or a provider has to recover. */
export const LATER_S = 30;

export const nothingCharged = 'Nothing was charged.';

export function defineError<Code extends keyof RequestFaults, const Of extends Status>(
  status: Of,
  meaning: string,
  say: string | ((fault: RequestFault<Code>, names: FieldNames) => Said),
): Definition<Code, Of> {
  return { statuses: [status], meaning, say: typeof say === 'string' ? () => ({ message: say }) : say };
}

/** The gateway is busy for a moment. */
export function soon(what: string): Said {
  return {
    message: `${what} ${nothingCharged} Retry after ${SOON_S} second.`,
    readMessage: `${what} Try again shortly.`,
    retryAfterS: SOON_S,
  };
}

/** The same, where nothing could have been charged. */
export function tryAgain(what: string): Said {
  return { message: `${what} Try again shortly.`, retryAfterS: SOON_S };
}

/** Nothing changes before somebody acts. */
export function later(what: string): Said {
  return { message: `${what} ${nothingCharged} Try again later.`, readMessage: what, retryAfterS: LATER_S };
}

/** The error is of one field: its message begins with the name of the field. */
export function at(field: string, rest: string): Said {
  return { message: `${field} ${rest}`, field };
}
