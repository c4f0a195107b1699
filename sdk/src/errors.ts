/** The errors, one class for each reaction of a caller. No message contains the secret. */
import type { ErrorReason, FailureReason, Refusal } from './generated/api.ts';

export type FieldFault = {
  readonly field: string;
  /** The stable code of the cause; absent if the client itself refuses. */
  readonly reason?: ErrorReason;
  readonly message: string;
};

/** A purchase that exists, as a refusal or an answer names it. */
export type KnownPurchase = Readonly<NonNullable<Refusal['data']>>;

export type ErrorFacts = {
  /** The HTTP status, if there was an answer. */
  readonly status?: number | undefined;
  /** The stable code of the cause, if the gateway sent one. */
  readonly reason?: ErrorReason | FailureReason | WebhookFault | undefined;
  /** Quote it when you ask for help. */
  readonly requestId?: string | undefined;
  /** The request_ref or request_id of the purchase. */
  readonly reference?: string | undefined;
  readonly fields?: readonly FieldFault[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly purchase?: KnownPurchase | undefined;
  readonly cause?: unknown;
};

export type ErrorCode =
  | 'configuration'
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'duplicate_reference'
  | 'rate_limited'
  | 'unavailable'
  | 'connection'
  | 'timeout'
  | 'unexpected_answer'
  | 'outcome_unknown'
  | 'not_final'
  | 'purchase_failed'
  | 'insufficient_funds'
  | 'webhook_verification';

/** The base of all errors of this package. */
export class OjaError extends Error {
  readonly code: ErrorCode;
  readonly status: number | undefined;
  /** The stable code of the cause, if there is one. Decide by it, not by the message. */
  readonly reason: ErrorReason | FailureReason | WebhookFault | undefined;
  readonly requestId: string | undefined;
  readonly reference: string | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = facts.status;
    this.reason = facts.reason;
    this.requestId = facts.requestId;
    this.reference = facts.reference;
  }
}

/** The client was created or called in a way that cannot work: change the program. */
export class ConfigurationError extends OjaError {
  constructor(message: string) {
    super('configuration', message);
  }
}

/** 400, 405 and 422: correct what `fields` names. Nothing was stored. */
export class InvalidRequestError extends OjaError {
  readonly fields: readonly FieldFault[];

  constructor(message: string, facts: ErrorFacts = {}) {
    super('invalid_request', message, facts);
    this.fields = facts.fields ?? [];
  }
}

/** 401: check the key and the secret. */
export class AuthenticationError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('authentication', message, facts);
  }
}

/** 403: contact your account manager. */
export class PermissionError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('permission', message, facts);
  }
}

/** 404: the requested object does not exist. */
export class NotFoundError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('not_found', message, facts);
  }
}

/**
 * The reference was already used by another call: query its status. `differs` states whether that
 * purchase differs from this one, if known. If so, use another reference.
 */
export class DuplicateReferenceError extends OjaError {
  readonly purchase: KnownPurchase;
  readonly fields: readonly FieldFault[];
  readonly differs: boolean | undefined;
  readonly differingFields: readonly string[];

  constructor(message: string, facts: ErrorFacts = {}) {
    super('duplicate_reference', message, facts);
    this.purchase = facts.purchase ?? {};
    this.fields = facts.fields ?? [];
    this.differs = this.purchase.differs;
    this.differingFields = this.purchase.differing_fields ?? [];
  }
}

/**
 * 429: send fewer requests. Nothing was stored. If a lookup throws this, it says nothing about any
 * purchase.
 */
export class RateLimitError extends OjaError {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts = {}) {
    super('rate_limited', message, facts);
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/**
 * The gateway or its provider is overloaded or unavailable: try again later. Nothing was stored. If
 * a lookup throws this, it says nothing about any purchase.
 */
export class UnavailableError extends OjaError {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts = {}) {
    super('unavailable', message, facts);
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** No answer came. Never thrown for a purchase: see `OutcomeUnknownError`. */
export class ConnectionError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('connection', message, facts);
  }
}

/** No answer came in time. Never thrown for a purchase: see `OutcomeUnknownError`. */
export class TimeoutError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('timeout', message, facts);
  }
}

/**
 * The answer is not from the gateway: a proxy's page, a redirect, or an endless answer. Check
 * `baseUrl`, and any proxy in between.
 */
export class UnexpectedAnswerError extends OjaError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super('unexpected_answer', message, facts);
  }
}

/**
 * The purchase may have been made. Do not buy under a new reference. Query the status of
 * `reference`, or send the same purchase again under it.
 */
export class OutcomeUnknownError extends OjaError {
  declare readonly reference: string;

  constructor(message: string, facts: ErrorFacts & { readonly reference: string }) {
    super('outcome_unknown', message, facts);
  }
}

/** The purchase is stored and was still pending when the wait ended: query it later. */
export class NotFinalError extends OjaError {
  declare readonly reference: string;

  constructor(message: string, facts: ErrorFacts & { readonly reference: string }) {
    super('not_final', message, facts);
  }
}

/** Nothing was delivered and nothing was debited. To try again, use a new reference. */
export class PurchaseFailedError extends OjaError {
  readonly purchase: KnownPurchase;

  constructor(message: string, facts: ErrorFacts = {}, code: ErrorCode = 'purchase_failed') {
    super(code, message, facts);
    this.purchase = facts.purchase ?? {};
  }
}

/** The wallet could not pay: top it up, and buy under a new reference. */
export class InsufficientFundsError extends PurchaseFailedError {
  constructor(message: string, facts: ErrorFacts = {}) {
    super(message, facts, 'insufficient_funds');
  }
}

/** The gateway did not send it, or sent it long ago: answer 400, and ignore its content. */
export class WebhookVerificationError extends OjaError {
  declare readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string, cause?: unknown) {
    super('webhook_verification', message, { reason, cause });
  }
}

export type WebhookFault =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'in_the_future'
  | 'wrong_signature'
  | 'bad_body';

/** Creates the error for a refusal of the gateway. */
export function errorOf(refusal: Refusal, facts: ErrorFacts): OjaError {
  const { code: status, reason, message, errors: fields, data: purchase } = refusal;
  const known: ErrorFacts = { ...facts, status, reason, fields, purchase };
  if (status === 422 && purchase !== undefined) return new DuplicateReferenceError(message, known);
  switch (status) {
    case 401:
      return new AuthenticationError(message, known);
    case 403:
      return new PermissionError(message, known);
    case 404:
      return new NotFoundError(message, known);
    case 429:
      return new RateLimitError(message, known);
    default:
      return status >= 500 || status === 408
        ? new UnavailableError(message, known)
        : new InvalidRequestError(message, known);
  }
}

/** For a lookup, which may be repeated. */
export function mayPass(error: unknown): error is OjaError {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof UnavailableError ||
    error instanceof RateLimitError ||
    (error instanceof UnexpectedAnswerError && (error.status ?? 0) >= 500)
  );
}
