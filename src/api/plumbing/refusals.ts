/** Every refusal that a route can return: one body shape, and the meaning of each status. */
import { type Static, Type } from 'typebox';
import { words } from './fields.ts';
import { allReasons } from './reasons.ts';

/** The refusals as the OpenAPI document describes them. */
export const refusalDescriptions = {
  400: 'The request cannot be read, or something in it is wrong. Nothing was stored.',
  401: 'The credential headers are missing or wrong.',
  403: 'The credential may not do this: not its merchant, a product that is not enabled, not from here.',
  404: 'There is no such merchant, purchase, wallet or funding account.',
  405: 'The path does not take this method: `Allow` lists those that it takes.',
  408: 'The request did not arrive in time. Nothing was stored.',
  417: 'The `Expect` header requests something that the server does not support.',
  422: 'A required field is missing, or the reference was used before: `data` tells what became of it, and whether this request is the same.',
  429:
    'More requests than the credential may send, or more look-ups at a time. `Retry-After` says how many seconds to ' +
    'wait.',
  431: 'The request headers are too large.',
  500: 'What became of the request is not known here: query the status of a purchase, do not send it again.',
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
      Type.Array(Type.String(), { description: 'the fields that mean something else than in the first one' }),
    ),
    uncompared_fields: Type.Optional(
      Type.Array(Type.String(), {
        description: 'the fields whose first values are not kept, such as personal data after its retention',
      }),
    ),
  },
  { description: 'the purchase that it is about, if there is one' },
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
