/** Schemas of the console's own request bodies. */
import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { idField, inputOf } from '../../core/operation-fields.ts';
import { checkInput } from '../operations/check-input.ts';
import type { Client } from '../users/throttle.ts';
import type { ConsoleDependencies } from './dependencies.ts';
import { readKnownCookie } from './require-open.ts';

/** Longer texts are refused before they are hashed. */
const password = Type.String({ description: 'a password', minLength: 1, maxLength: 512 });
const email = Type.String({ description: 'an e-mail address', minLength: 1, maxLength: 254 });
const token = Type.String({ description: 'the token of the link, after #token=', maxLength: 100 });
const name = Type.String({
  description: 'your name, in 1 to 100 characters',
  pattern: '^[^\\p{Cc}]{0,100}$',
  maxLength: 100,
});
const code = Type.String({ description: 'the six digits of the app', pattern: '^[0-9]{6}$' });
const recoveryCode = Type.String({ description: 'one of the ten codes', minLength: 1, maxLength: 40 });
/** The browser's response. The verification checks all of it. */
const passkey = Type.Object({ id: Type.String() }, { description: 'the response of the passkey' });

export const bodies = {
  nothing: inputOf({}),
  signIn: inputOf({
    email,
    password,
    merchant: Type.Optional(Type.String({ description: 'the code of a merchant', maxLength: 100 })),
  }),
  code: inputOf({ code: Type.Optional(code), recovery_code: Type.Optional(recoveryCode) }),
  passkey: inputOf({ passkey }),
  token: inputOf({ token }),
  accept: inputOf({ token, password, name: Type.Optional(name) }),
  forgotten: inputOf({ email }),
  stepUp: inputOf({ password: Type.Optional(password), passkey: Type.Optional(passkey) }),
  newPasskey: inputOf({ passkey, label: Type.Optional(name) }),
  confirmTotp: inputOf({ code }),
  passkeyId: inputOf({ id: Type.String({ description: 'the id of a passkey', maxLength: 2_000 }) }),
  session: inputOf({ id: Type.Optional(idField) }),
  newPassword: inputOf({ password }),
};

/** Throws OperationError `input_malformed`. */
export function bodyOf<Schema extends TObject>(schema: Schema, request: FastifyRequest): Static<Schema> {
  return checkInput(schema, request.body ?? {});
}

export function clientOf(request: FastifyRequest, { face }: Pick<ConsoleDependencies, 'face'>): Client {
  return {
    address: request.ip,
    agent: String(request.headers['user-agent'] ?? ''),
    known: readKnownCookie(request, face),
  };
}
