/**
 * Every refusal a route can give, as answers of the OpenAPI document: one body shape, a description
 * and an example for each status.
 */
import { type Static, Type } from 'typebox';

type Refusal = { readonly description: string; readonly example: Readonly<Record<string, unknown>> };

const wrongNetwork = 'network must be one of mtn, glo, airtel, 9mobile, as a string in any letter case';

const refusals = {
  400: {
    description: 'The request cannot be read, or something in it is wrong. Nothing was stored.',
    example: { message: wrongNetwork, errors: [{ field: 'network', message: wrongNetwork }] },
  },
  401: {
    description: 'The credential headers are missing or wrong.',
    example: { message: 'Missing or invalid credentials: send X-Merchant-Key and X-Merchant-Secret' },
  },
  403: {
    description:
      'The credential may not do this: not its merchant, a product that is not enabled, not from here.',
    example: { message: 'merchant is not the profile this credential belongs to' },
  },
  404: {
    description: 'There is no such merchant, purchase, wallet or funding account.',
    example: { message: 'No purchase with this reference' },
  },
  408: {
    description: 'The body of an upload stopped arriving. Nothing was stored.',
    example: { message: 'The upload stopped arriving: send the request again' },
  },
  422: {
    description:
      'A required field is missing, or the reference was used before: `data` tells what became of it.',
    example: {
      message: 'request_ref was used before: query its status',
      data: {
        internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
        status: 'success',
        response_code: '00',
      },
    },
  },
  429: {
    description:
      'More requests than the credential may send, or more look-ups at a time. Retry-After says how many seconds to wait.',
    example: { message: 'Too many requests: the limit is 500 a second' },
  },
  500: {
    description: 'The outcome is not known here: query the status, do not send again.',
    example: { message: 'The outcome is not known yet: query the status' },
  },
  502: {
    description:
      'The provider, the biller or the bank could not be asked. Nothing was bought: try again a little later.',
    example: { message: 'The customer could not be verified at the moment' },
  },
  503: {
    description: 'Nothing was stored: send the same request again, after Retry-After where it is given.',
    example: { message: 'Too busy: send the request again' },
  },
} as const satisfies Readonly<Record<number, Refusal>>;

export type RefusalStatus = keyof typeof refusals;

/** What any route behind the credentials can answer. */
const common = [401, 403, 429, 500, 503] as const satisfies readonly RefusalStatus[];

/** What a purchase that a refusal is about has become. */
const subject = Type.Object(
  {
    internal_reference: Type.Optional(Type.String({ format: 'uuid' })),
    request_id: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    response_code: Type.Optional(Type.String()),
  },
  { description: 'the purchase it is about, where there is one' },
);

const properties = {
  status: Type.Literal('error'),
  code: Type.Integer({ description: 'the HTTP status' }),
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'where fields are at fault',
    }),
  ),
  data: Type.Optional(subject),
};

function refusalAnswer(status: RefusalStatus) {
  const { description, example } = refusals[status];
  return Type.Object(properties, {
    title: 'Error',
    'x-response-description': description,
    examples: [{ status: 'error', code: status, ...example }],
  });
}

type RefusalAnswer = ReturnType<typeof refusalAnswer>;

/** The body of every refusal. */
export type ErrorBody = Static<RefusalAnswer>;

/**
 * The `response` schemas of a route that refuses with `statuses`, and with what every route refuses
 * with.
 */
export function refusalAnswers<Status extends RefusalStatus>(
  ...statuses: readonly Status[]
): Record<Status | (typeof common)[number], RefusalAnswer> {
  const all = [...statuses, ...common];
  return Object.fromEntries(all.map((status) => [status, refusalAnswer(status)])) as Record<
    (typeof all)[number],
    RefusalAnswer
  >;
}
