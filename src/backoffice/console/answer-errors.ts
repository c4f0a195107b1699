/** One error body for every refusal. Whatever a caller sends, it is told as the caller's fault. */

import { errorCodes, type FastifyInstance } from 'fastify';
import { BodyError, type BodyFault, drainRefused } from '../../api/edge/read-json-body.ts';
import { GatewayError, OperationError } from '../../core/errors.ts';
import { fieldErrorsOf } from '../../core/operation-errors.ts';
import { isLockTrouble, isUnavailable } from '../../db/database-errors.ts';
import { SignInError, type SignInFault } from '../users/sign-in-error.ts';
import type { ConsoleDependencies } from './dependencies.ts';

type ErrorBody = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Why a password does not do. */
    readonly reason?: string;
    /** The first of `fields`. */
    readonly field?: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
};

/** A refusal in the words of this edge. */
export class ConsoleRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterS: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export function errorBody(code: string, message: string): ErrorBody {
  return { error: { code, message } };
}

const unfit: Readonly<Record<(SignInFault & { code: 'password_unfit' })['reason'], string>> = {
  short: 'The password must have 15 characters or more: a few words will do',
  long: 'The password must have 128 characters at most',
  common: 'The password is one of those that are tried first: choose another',
  personal: 'The password is hardly more than your name or address: choose another',
};

type Words = {
  readonly [Code in SignInFault['code']]: (
    fault: SignInFault & { readonly code: Code },
  ) => readonly [status: number, message: string];
};

const words: Words = {
  sign_in_refused: () => [401, 'That is not right. Check what you typed, and try again'],
  too_many_tries: ({ retryAfterS }) => [429, `Too many tries: wait ${retryAfterS} seconds`],
  signed_out: () => [401, 'You are signed out: sign in'],
  second_factor_needed: () => [401, 'The second factor is still to come'],
  step_up_needed: () => [403, 'Give your password once more'],
  link_over: () => [404, 'This link was used, has run out, or never was one: ask for another'],
  password_unfit: ({ reason }) => [400, unfit[reason]],
  second_factor_last: () => [409, 'It is your only second factor: add another one first'],
  too_many_passkeys: ({ max }) => [409, `There are ${max} passkeys, which is the most: remove one first`],
  no_passkey: () => [404, 'There is no such passkey'],
};

export function signInWords<Code extends SignInFault['code']>(
  fault: SignInFault & { readonly code: Code },
): readonly [status: number, message: string] {
  const word: Words[Code] = words[fault.code];
  return word(fault);
}

type Told = {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterS?: number;
};

export function answerErrors(app: FastifyInstance, { log }: Pick<ConsoleDependencies, 'log'>): void {
  app.setErrorHandler(async (error, request, reply) => {
    await drainRefused(request.raw, reply.raw);
    const told = tell(error);
    if (told === undefined) {
      log.error({ err: error, reqId: request.id }, 'console call failed');
      const words = `Something went wrong on our side: look before you do it again (request ${request.id})`;
      return reply.code(500).send(errorBody('failed', words));
    }
    const { status, body, retryAfterS } = told;
    request.refusedWith = body.error.code;
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    return reply.code(status).send(body);
  });
}

function tell(error: unknown): Told | undefined {
  if (error instanceof SignInError) {
    const { fault } = error;
    const [status, message] = signInWords(fault);
    const body = errorBody(fault.code, message);
    if (fault.code === 'password_unfit') {
      return { status, body: { error: { ...body.error, reason: fault.reason } } };
    }
    return fault.code === 'too_many_tries'
      ? { status, body, retryAfterS: fault.retryAfterS }
      : { status, body };
  }
  if (error instanceof OperationError) return tellFault(error);
  if (error instanceof ConsoleRefusal) {
    const { status, code, message, retryAfterS } = error;
    const body = errorBody(code, message);
    return retryAfterS === undefined ? { status, body } : { status, body, retryAfterS };
  }
  if (error instanceof BodyError) return tellBody(error);
  // A share of connections that is used up, or a database that stands still.
  if (isUnavailable(error) || error instanceof GatewayError) {
    const words = isLockTrouble(error)
      ? 'Somebody else is changing the same: nothing was done, try again'
      : 'The database does not answer: try again';
    return { status: 503, body: errorBody('database_away', words), retryAfterS: 1 };
  }
  return tellParser(error);
}

function tellFault({ details, status, message }: OperationError): Told {
  const { error } = errorBody(details.code, message);
  const fields = fieldErrorsOf(details);
  const [first] = fields;
  return { status, body: { error: first === undefined ? error : { ...error, field: first.field, fields } } };
}

const bodyWords: Readonly<Record<BodyFault, readonly [status: number, code: string, message: string]>> = {
  too_large: [413, 'body_too_large', 'The request body is too large'],
  too_deep: [400, 'body_malformed', 'The request body is nested too deeply'],
  too_many_members: [400, 'body_too_many_members', 'The request body has too many fields'],
  malformed: [400, 'body_malformed', 'The request body must be a JSON object'],
  broken_off: [400, 'body_incomplete', 'The request body broke off'],
  stalled: [408, 'body_stalled', 'The request body stopped arriving. Send the request again'],
};

function tellBody({ fault }: BodyError): Told {
  const [status, code, message] = bodyWords[fault];
  return { status, body: errorBody(code, message) };
}

/** Fastify's own refusals of a body or an address. */
function tellParser(error: unknown): Told | undefined {
  const { FST_ERR_CTP_INVALID_MEDIA_TYPE: type } = errorCodes;
  if (error instanceof type) {
    return { status: 415, body: errorBody('body_malformed', 'Send JSON, as application/json') };
  }
  const status = (error as { readonly statusCode?: unknown }).statusCode;
  return typeof status === 'number' && status >= 400 && status < 500
    ? { status, body: errorBody('request_malformed', 'The request cannot be read') }
    : undefined;
}
