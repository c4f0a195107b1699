/** Answers all errors of the console with the same body. */

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
    /** Why a password was refused. */
    readonly reason?: string;
    /** The first of `fields`. */
    readonly field?: string;
    readonly fields?: readonly { readonly field: string; readonly message: string }[];
  };
};

/** An error of the console server itself. */
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
  short: 'The password must have at least 15 characters, such as a few words.',
  long: 'The password must have at most 128 characters.',
  common: 'This password is too common. Choose another.',
  personal: 'This password is too similar to your name or address. Choose another.',
};

type Messages = {
  readonly [Code in SignInFault['code']]: (
    fault: SignInFault & { readonly code: Code },
  ) => readonly [status: number, message: string];
};

const messages: Messages = {
  sign_in_refused: () => [401, 'Sign-in failed. Check your input and try again.'],
  too_many_tries: ({ retryAfterS }) => [429, `Too many attempts. Wait ${retryAfterS} seconds.`],
  signed_out: () => [401, 'You are signed out. Sign in again.'],
  second_factor_needed: () => [401, 'Enter your second factor.'],
  step_up_needed: () => [403, 'Confirm your password.'],
  link_over: () => [404, 'This link was used or has expired. Request another.'],
  password_unfit: ({ reason }) => [400, unfit[reason]],
  second_factor_last: () => [409, 'This is your only second factor. Add another one first.'],
  too_many_passkeys: ({ max }) => [409, `You already have ${max} passkeys. Remove one first.`],
  no_passkey: () => [404, 'Passkey not found.'],
};

export function signInMessage<Code extends SignInFault['code']>(
  fault: SignInFault & { readonly code: Code },
): readonly [status: number, message: string] {
  const message: Messages[Code] = messages[fault.code];
  return message(fault);
}

type ErrorAnswer = {
  readonly status: number;
  readonly body: ErrorBody;
  readonly retryAfterS?: number;
};

export function answerErrors(app: FastifyInstance, { log }: Pick<ConsoleDependencies, 'log'>): void {
  app.setErrorHandler(async (error, request, reply) => {
    await drainRefused(request.raw, reply.raw);
    const answer = answerOf(error);
    if (answer === undefined) {
      log.error({ err: error, reqId: request.id }, 'console call failed');
      const message = `Internal error (request ${request.id}). Check the state before you retry.`;
      return reply.code(500).send(errorBody('failed', message));
    }
    const { status, body, retryAfterS } = answer;
    request.refusedWith = body.error.code;
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    return reply.code(status).send(body);
  });
}

function answerOf(error: unknown): ErrorAnswer | undefined {
  if (error instanceof SignInError) {
    const { fault } = error;
    const [status, message] = signInMessage(fault);
    const body = errorBody(fault.code, message);
    if (fault.code === 'password_unfit') {
      return { status, body: { error: { ...body.error, reason: fault.reason } } };
    }
    return fault.code === 'too_many_tries'
      ? { status, body, retryAfterS: fault.retryAfterS }
      : { status, body };
  }
  if (error instanceof OperationError) return operationError(error);
  if (error instanceof ConsoleRefusal) {
    const { status, code, message, retryAfterS } = error;
    const body = errorBody(code, message);
    return retryAfterS === undefined ? { status, body } : { status, body, retryAfterS };
  }
  if (error instanceof BodyError) return bodyError(error);
  // No connection is free, or the database is not responding.
  if (isUnavailable(error) || error instanceof GatewayError) {
    const message = isLockTrouble(error)
      ? 'Another change is in progress. Nothing was changed. Try again.'
      : 'The database is not responding. Try again.';
    return { status: 503, body: errorBody('database_away', message), retryAfterS: 1 };
  }
  return parserError(error);
}

function operationError({ details, status, message }: OperationError): ErrorAnswer {
  const { error } = errorBody(details.code, message);
  const fields = fieldErrorsOf(details);
  const [first] = fields;
  return { status, body: { error: first === undefined ? error : { ...error, field: first.field, fields } } };
}

const bodyErrors: Readonly<Record<BodyFault, readonly [status: number, code: string, message: string]>> = {
  too_large: [413, 'body_too_large', 'The request body is too large'],
  too_deep: [400, 'body_malformed', 'The request body is nested too deeply'],
  too_many_members: [400, 'body_too_many_members', 'The request body has too many fields'],
  malformed: [400, 'body_malformed', 'The request body must be a JSON object'],
  broken_off: [400, 'body_incomplete', 'The request body is incomplete'],
  stalled: [408, 'body_stalled', 'The request body stopped arriving. Send the request again'],
};

function bodyError({ fault }: BodyError): ErrorAnswer {
  const [status, code, message] = bodyErrors[fault];
  return { status, body: errorBody(code, message) };
}

/** Answers errors of Fastify about a body or an address. */
function parserError(error: unknown): ErrorAnswer | undefined {
  const { FST_ERR_CTP_INVALID_MEDIA_TYPE: type } = errorCodes;
  if (error instanceof type) {
    return { status: 415, body: errorBody('body_malformed', 'Send JSON, as application/json') };
  }
  const status = (error as { readonly statusCode?: unknown }).statusCode;
  return typeof status === 'number' && status >= 400 && status < 500
    ? { status, body: errorBody('request_malformed', 'The request is malformed') }
    : undefined;
}
