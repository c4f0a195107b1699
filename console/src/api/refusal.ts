/** The error answer of a call. */

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The message of each field with an error. */
  readonly fields: ReadonlyMap<string, string>;
  /** The seconds to wait before another attempt, if the server says so. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: number,
    details: {
      readonly code: string;
      readonly message: string;
      readonly fields?: ReadonlyMap<string, string>;
      readonly retryAfterS?: number | undefined;
    },
  ) {
    super(details.message);
    this.status = status;
    this.code = details.code;
    this.fields = details.fields ?? new Map();
    this.retryAfterS = details.retryAfterS;
  }
}

type FieldFault = { readonly field: string; readonly message: string };

type Body = {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly field?: string;
    readonly fields?: readonly FieldFault[];
  };
};

export function refusalOf(status: number, body: unknown, retryAfter: string | null): Refusal {
  const { error } = (body ?? {}) as Body;
  const text = sentence(error?.message ?? defaultMessage(status));
  const faults = error?.fields ?? (error?.field ? [{ field: error.field, message: text }] : []);
  const seconds = Number(retryAfter ?? Number.NaN);
  return new Refusal(status, {
    code: error?.code ?? `status_${status}`,
    message: text,
    // The message is shown beside the label of the field.
    fields: new Map(
      faults.map(({ field, message }) => [
        field,
        sentence(message.startsWith(`${field} `) ? message.slice(field.length + 1) : message),
      ]),
    ),
    retryAfterS: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/** Starts a message with a capital letter, and hides the name of the operation. */
function sentence(text: string): string {
  const plain = text.replace(/^[a-z_]+\.[a-z_]+(?= is (?:not )?open )/, 'it');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

function defaultMessage(status: number): string {
  if (status === 403) return 'Your roles do not allow this.';
  if (status === 404) return 'Not found.';
  if (status >= 500) return 'The gateway failed to answer. Try again shortly.';
  return `The request was refused (${status}).`;
}

/** The refusal of a call without an answer. */
export const unreachable = new Refusal(0, {
  code: 'unreachable',
  message: 'Check your connection, then try again.',
});
