/**
 * A refusal with its status, reason and message. The HTTP server throws it for its own checks.
 * `refusal-of.ts` converts the errors of the core.
 */
import type { Reason } from './reasons.ts';
import type { ErrorBody, RefusalStatus } from './refusals.ts';

/** A field of the request, why it was refused, and what a valid value is. */
export type FieldFault = { readonly field: string; readonly reason: Reason; readonly message: string };

export class Refusal extends Error {
  readonly status: RefusalStatus;
  readonly reason: Reason;
  readonly fields: readonly FieldFault[];
  /** The purchase that the refusal is about, if any. */
  readonly subject: ErrorBody['data'];
  readonly retryAfterS: number | undefined;
  /** The reason in the log, which can be finer. It contains nothing that was sent. */
  readonly loggedReason: string;

  constructor(
    status: RefusalStatus,
    reason: Reason,
    message: string,
    options: {
      readonly fields?: readonly FieldFault[];
      readonly subject?: ErrorBody['data'];
      readonly retryAfterS?: number | undefined;
      readonly loggedReason?: string;
    } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.reason = reason;
    this.fields = options.fields ?? [];
    this.subject = options.subject;
    this.retryAfterS = options.retryAfterS;
    this.loggedReason = options.loggedReason ?? reason;
  }
}

/** The body of a refusal. */
export function refusalBody({ status, reason, message, fields, subject }: Refusal): ErrorBody {
  return {
    status: 'error',
    code: status,
    reason,
    message,
    ...(fields.length > 0 && { errors: [...fields] }),
    ...(subject !== undefined && { data: subject }),
  };
}

/** A refusal that names one field. */
export function refuseField(
  field: string,
  reason: Reason,
  message: string,
  status: 400 | 403 | 404 | 422 = 400,
): Refusal {
  return new Refusal(status, reason, message, { fields: [{ field, reason, message }] });
}

const SOON_S = 1;

/** A refusal for a condition that passes by itself. Nothing was stored. */
export function refuseForNow(reason: Reason, message: string): Refusal {
  return new Refusal(503, reason, message, { retryAfterS: SOON_S });
}
