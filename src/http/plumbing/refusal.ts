/**
 * A refusal in the words of the wire: how a request ends that is not answered. The edge throws it
 * for what it judges itself; what the core refuses becomes one in `fault-words.ts`.
 */
import type { ErrorBody, RefusalStatus } from './refusals.ts';

/** A field of the request and what would be right for it. */
export type FieldFault = { readonly field: string; readonly message: string };

export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly fields: readonly FieldFault[];
  /** The purchase it is about, where there is one. */
  readonly subject: ErrorBody['data'];
  readonly retryAfterS: number | undefined;
  /** For the log: a word or more, joined by commas. Says nothing of what was sent. */
  readonly reason: string;

  constructor(
    status: RefusalStatus,
    message: string,
    options: {
      readonly fields?: readonly FieldFault[];
      readonly subject?: ErrorBody['data'];
      readonly retryAfterS?: number | undefined;
      readonly reason?: string;
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.fields = options.fields ?? [];
    this.subject = options.subject;
    this.retryAfterS = options.retryAfterS;
    this.reason = options.reason ?? reasonOfStatus(status);
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'not_authenticated',
  403: 'not_allowed',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'too_slow',
  422: 'field_missing',
  429: 'rate_limit',
  500: 'unexpected',
  502: 'upstream_silent',
  503: 'not_now',
};

/** Of a refusal that nothing more is known of. */
export function reasonOfStatus(status: number): string {
  return reasons[status] ?? `status_${status}`;
}

/** What is sent of a refusal. */
export function refusalBody({ status, message, fields, subject }: Refusal): ErrorBody {
  return {
    status: 'error',
    code: status,
    message,
    ...(fields.length > 0 && { errors: [...fields] }),
    ...(subject !== undefined && { data: subject }),
  };
}

/** A refusal that names one field. */
export function refuseField(field: string, message: string, status: 400 | 403 | 404 | 422 = 400): Refusal {
  return new Refusal(status, message, { fields: [{ field, message }] });
}

const SOON_S = 1;

/** A refusal for what passes by itself. Nothing was stored. */
export function refuseForNow(message: string, reason: string): Refusal {
  return new Refusal(503, message, { retryAfterS: SOON_S, reason });
}
