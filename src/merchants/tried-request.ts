/**
 * What operations have in common that send a request over the merchants' API with a test
 * credential, as the merchant's own program would, and show what went both ways.
 *
 * Guarantees: a live credential is refused before anything is sent; the secret is stored and shown
 * nowhere.
 */
import { type Static, Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import { merchantField } from '../kernel/operation-fields.ts';
import { credentialField } from './credential-secret.ts';
import { requireOwnCredential } from './own-credential.ts';

export const triedFields = {
  merchant: merchantField,
  credential: credentialField,
  secret: Type.String({
    description: 'the secret of that credential',
    pattern: '^[\\x21-\\x2b\\x2d-\\x7e]{1,200}$',
  }),
};

const messageFields = { headers: Type.Record(Type.String(), Type.String()), body: Type.String() };

export const triedOutput = Type.Object({
  /** The secret is not in it. */
  request: Type.Object({ method: Type.String(), path: Type.String(), ...messageFields }),
  answer: Type.Object({ status: Type.Integer(), ...messageFields, took_ms: Type.Integer() }),
});

export type Tried = Static<typeof triedOutput>;

/**
 * Throws OperationError: `no_merchant`; `no_credential` for one of another merchant too;
 * `credential_live`.
 */
export async function requireTestCredential(tx: Tx, credential: string, merchant: string): Promise<void> {
  await requireOwnCredential(tx, credential, merchant);
  if (!credential.startsWith('oja_test_')) {
    throw new OperationError({ code: 'credential_live', keyId: credential });
  }
}
