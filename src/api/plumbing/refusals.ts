/** Every refusal that a route can return: one body shape, and the meaning of each status. */
import { type Static, Type } from 'typebox';
import { words } from './fields.ts';
import { allReasons } from './reasons.ts';

/** The refusals as the OpenAPI document describes them. */
export const refusalDescriptions = {
  400: 'The request cannot be read, or a value in it is invalid. Nothing was stored.',
  401: 'The credential headers are missing or wrong.',
  403: 'The credential is not permitted to do this: it belongs to another merchant, the product is not enabled, or the address is not allowed.',
  404: 'The merchant, purchase, wallet or funding account does not exist.',
  405: 'The path does not support this method: `Allow` lists the supported methods.',
  408: 'The request did not arrive in time. Nothing was stored.',
  417: 'The `Expect` header requests something that the server does not support.',
  422: 'A required field is missing, or the reference was used before: `data` describes the first purchase, and states whether this request is the same.',
  429:
    'More requests than the credential may send, or more look-ups at a time. `Retry-After` says how many seconds to ' +
    'wait.',
  431: 'The request headers are too large.',
  500: 'The result of the request is unknown: query the status of a purchase, do not send it again.',
  502:
    'The provider, the biller or the bank could not be reached. Nothing was bought: try again a little ' +
    'later.',
  503: 'Nothing was stored: send the same request again, after `Retry-After` if it is given.',
} as const satisfies Readonly<Record<number, string>>;

export type RefusalStatus = keyof typeof refusalDescriptions;

/** The state of the purchase that a refusal is about. */
const subject = Type.Object(
  {
    internal_reference: Type.Optional(Type.String({ format: 'uuid' })),
    request_id: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    response_code: Type.Optional(Type.String()),
    differs: Type.Optional(
      Type.Boolean({
        description:
          'for a used reference: whether this request differs from the first purchase; absent if that is unknown',
      }),
    ),
    differing_fields: Type.Optional(
      Type.Array(Type.String(), { description: 'the fields whose values differ from the first request' }),
    ),
    uncompared_fields: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'the fields whose first values are no longer stored, such as personal data after its retention',
      }),
    ),
  },
  { description: 'the purchase concerned, if there is one' },
);

export type ErrorSubject = Static<typeof subject>;

const reason = words(allReasons, {
  title: 'ErrorReason',
  description: 'the stable code of the cause: decide by it, not by `message`. Further codes can be added.',
});

export const errorSchema = Type.Object(
  {
    status: Type.Literal('error'),
    code: Type.Integer({ description: 'the HTTP status' }),
    reason,
    message: Type.String({ description: 'for developers: its wording can change' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), reason, message: Type.String() }), {
        description: 'where fields are at fault',
      }),
    ),
    data: Type.Optional(subject),
  },
  { title: 'Error' },
);

/** The body of every refusal. */
export type ErrorBody = Static<typeof errorSchema>;
