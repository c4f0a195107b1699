/** What the server refused, as it told it. */

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with each field that is at fault. */
  readonly fields: ReadonlyMap<string, string>;
  /** After how many seconds it may be tried again, where the server says so. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: number,
    told: {
      readonly code: string;
      readonly message: string;
      readonly fields?: ReadonlyMap<string, string>;
      readonly retryAfterS?: number | undefined;
    },
  ) {
    super(told.message);
    this.status = status;
    this.code = told.code;
    this.fields = told.fields ?? new Map();
    this.retryAfterS = told.retryAfterS;
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
  const told = sentence(error?.message ?? wordsOf(status));
  const faults = error?.fields ?? (error?.field ? [{ field: error.field, message: told }] : []);
  const seconds = Number(retryAfter ?? Number.NaN);
  return new Refusal(status, {
    code: error?.code ?? `status_${status}`,
    message: told,
    // The field is shown beside its message, under the name that people know it by.
    fields: new Map(
      faults.map(({ field, message }) => [
        field,
        sentence(message.startsWith(`${field} `) ? message.slice(field.length + 1) : message),
      ]),
    ),
    retryAfterS: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/** The words of operations begin small, for the command line. Their names say nothing to people. */
function sentence(text: string): string {
  const plain = text.replace(/^[a-z_]+\.[a-z_]+(?= is (?:not )?open )/, 'it');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

function wordsOf(status: number): string {
  if (status === 403) return 'Your roles do not allow this.';
  if (status === 404) return 'It is not there.';
  if (status >= 500) return 'The gateway could not answer. Try again in a moment.';
  return `The gateway refused this (${status}).`;
}

/** Nobody answered: the network, or the gateway, is away. */
export const unreachable = new Refusal(0, {
  code: 'unreachable',
  message: 'Look at your connection, then try again.',
});
